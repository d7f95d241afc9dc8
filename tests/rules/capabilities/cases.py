"""What the tests of the rules of capabilities share."""

from __future__ import annotations

from typing import Any

from mcp_tap.diagnosis.finding import Finding
from tests.diagnosis.checking import Told, begun, check, facts, rules_of
from tests.record_cases import Tape, error, request

RULES = rules_of("CAP")

TOOLS: dict[str, Any] = {"tools": {}}


def found(tape: Tape) -> list[Told]:
    """What the rules of this family find."""
    return facts(check(tape, rules=RULES))


def only(tape: Tape) -> Finding:
    """The one finding."""
    (finding,) = check(tape, rules=RULES)
    facts([finding])
    return finding


def refused(method: str = "resources/list", code: int = -32601) -> Tape:
    """A server that offers tools refuses what it does not offer (records 5 and 6, at 1 s)."""
    return begun(server=TOOLS).client(request(5, method), 0.9).server(error(5, code), 1)
