"""What the tests of providers share."""

from __future__ import annotations

from typing import Any

from tests.diagnosis.checking import Told, begun, check, facts, rules_of
from tests.record_cases import Tape, request, result

RULES = rules_of("PRV")

ANYTHING = {"type": "object"}


def found(tape: Tape) -> list[Told]:
    """What the rules of this family find."""
    return facts(check(tape, rules=RULES))


def loud(tape: Tape) -> list[tuple[str, str]]:
    """The same: rule and key, without what is information."""
    return [(rule, key) for rule, severity, _, _, key in found(tape) if severity != "info"]


def tool(name: str = "find", /, outputs: Any = None, **properties: Any) -> dict[str, Any]:
    """A tool with these arguments."""
    made = {"name": name, "inputSchema": {**ANYTHING, "properties": properties}}
    return made if outputs is None else {**made, "outputSchema": outputs}


def shaped(schema: Any, name: str = "find") -> dict[str, Any]:
    """A tool with this inputSchema."""
    return {"name": name, "inputSchema": schema}


def listed(*tools: Any, tape: Tape | None = None, id: int = 1, **members: Any) -> Tape:
    """The client asks for the list (record 5), the server answers it (record 6)."""
    tape = begun() if tape is None else tape
    return tape.client(request(id, "tools/list"), 0.3).server(result(id, tools=list(tools), **members), 0.4)


def returned(*blocks: Any, name: str = "snap", **members: Any) -> Tape:
    """A call (record 5) and its result (record 6)."""
    tape = begun().client(request(5, "tools/call", name=name, arguments={}), 1)
    return tape.server(result(5, content=list(blocks), **members), 1.1)


def called(name: str = "index", /, **arguments: Any) -> Tape:
    """A call (record 5) and its result (record 6)."""
    tape = begun().client(request(5, "tools/call", name=name, arguments=arguments), 1)
    return tape.server(result(5, content=[{"type": "text", "text": "ok"}]), 1.1)


def text(words: str) -> dict[str, Any]:
    """A block of text."""
    return {"type": "text", "text": words}
