"""What the tests of the rules of performance share."""

from __future__ import annotations

from mcp_tap.diagnosis.settings import Thresholds
from tests.diagnosis.checking import Told, check, facts, rules_of
from tests.record_cases import Tape, request, result

RULES = rules_of("PRF")


def found(tape: Tape, thresholds: Thresholds | None = None) -> list[Told]:
    """What the rules of this family find."""
    return facts(check(tape, rules=RULES, thresholds=thresholds))


def call(tape: Tape, id: int, t: float, took: float, tool: str = "export") -> Tape:
    """A call that takes so many seconds."""
    tape.client(request(id, "tools/call", name=tool, arguments={}), t)
    return tape.server(result(id, content=[]), t + took)


def said(tape: Tape, id: int, size: int, tool: str = "list_rows") -> Tape:
    """A call whose result has so many bytes of text."""
    tape.client(request(id, "tools/call", name=tool, arguments={}), id)
    return tape.server(result(id, content=[{"type": "text", "text": "x" * size}]), id + 0.1)
