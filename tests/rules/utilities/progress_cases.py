"""What the tests of progress share."""

from __future__ import annotations

from typing import Any

from tests.diagnosis.checking import Told, begun, check, facts, rules_of
from tests.record_cases import Tape, request
from tests.record_cases import told as notified

RULES = rules_of("PRG")


def found(tape: Tape) -> list[Told]:
    """What the rules of this family find."""
    return facts(check(tape, rules=RULES))


def progress(token: Any, value: Any = 1, **more: Any) -> dict[str, Any]:
    return notified("notifications/progress", progressToken=token, progress=value, **more)


def call(id: Any, token: Any, **more: Any) -> dict[str, Any]:
    return request(id, "tools/call", name="export", _meta={"progressToken": token}, **more)


def called(token: Any = 7, tape: Tape | None = None) -> Tape:
    """The client calls a tool with a token (record 5)."""
    return (tape or begun()).client(call(5, token), 1)
