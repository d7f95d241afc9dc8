"""What the tests of cancellation share."""

from __future__ import annotations

from typing import Any

from mcp_tap.diagnosis.finding import Finding
from tests.diagnosis.checking import Told, begun, check, facts, rules_of
from tests.record_cases import Tape, request
from tests.record_cases import told as notified

RULES = rules_of("CAN")


def found(tape: Tape) -> list[Told]:
    """What the rules of this family find."""
    return facts(check(tape, rules=RULES))


def only(tape: Tape) -> Finding:
    """The one finding."""
    (finding,) = check(tape, rules=RULES)
    facts([finding])
    return finding


def cancel(id: Any, **more: Any) -> dict[str, Any]:
    return notified("notifications/cancelled", requestId=id, **more)


def called(tape: Tape | None = None, **more: Any) -> Tape:
    """The client calls a tool at 1 s (record 5)."""
    return (tape or begun()).client(request(5, "tools/call", name="export", **more), 1)
