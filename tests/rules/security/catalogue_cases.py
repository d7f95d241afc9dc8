"""What the tests of rules about changed tools share."""

from __future__ import annotations

from typing import Any

from mcp_tap.diagnosis.finding import Finding
from tests.diagnosis.checking import begun, check, closed, held, rules_of
from tests.record_cases import Tape, request, result, told

RULES = rules_of("SEC004", "SEC005")

ADD: dict[str, Any] = {
    "name": "add",
    "description": "Adds two numbers.",
    "inputSchema": {"type": "object", "properties": {"a": {"type": "number"}}, "required": ["a", "b"]},
}
SUB: dict[str, Any] = {"name": "sub", "inputSchema": {"type": "object"}}


def listed(*lists: list[dict[str, Any]], announced: bool = False) -> Tape:
    """A session in which the server lists its tools several times."""
    tape = begun()
    for number, tools in enumerate(lists, 1):
        if announced and number > 1:
            tape.server(told("notifications/tools/list_changed"), number - 0.5)
        tape.client(request(number, "tools/list"), number).server(result(number, tools=tools), number + 0.1)
    return closed(tape, 10)


def found(tape: Tape) -> list[Finding]:
    """What the rules of this family find."""
    return held(check(tape, rules=RULES))


def keys(tape: Tape) -> list[tuple[str, str, tuple[int, ...], str]]:
    """The same in short."""
    return [(each.rule, each.severity, each.records, each.key) for each in found(tape)]


def since(known: dict[str, str], *lists: list[dict[str, Any]]) -> list[tuple[str, str, tuple[int, ...], str]]:
    """What is found beside a baseline."""
    tape = listed(*lists)
    tape.known_tools = known
    return keys(tape)
