"""What the tests of schemas share."""

from __future__ import annotations

from typing import Any

from tests.diagnosis.checking import Told, begun, check, facts, rules_of
from tests.record_cases import Tape, request, result

RULES = rules_of("TOL004", "TOL007", "TOL008", "TOL009", "TOL011")

EUR = {"type": "object", "properties": {"eur": {"type": "number"}}, "required": ["eur"]}


def found(tape: Tape) -> list[Told]:
    """What the rules of this family find."""
    return facts(check(tape, rules=RULES))


def tool(name: str = "find", inputs: Any = None, outputs: Any = None) -> dict[str, Any]:
    """A tool as it is listed."""
    made = {"name": name, "inputSchema": {"type": "object"} if inputs is None else inputs}
    return made if outputs is None else {**made, "outputSchema": outputs}


def listed(
    *tools: dict[str, Any], tape: Tape | None = None, id: int = 1, version: str = "2025-11-25"
) -> Tape:
    """The client asks for the list (record 5), the server answers it (record 6)."""
    tape = begun(version) if tape is None else tape
    return tape.client(request(id, "tools/list"), 0.3).server(result(id, tools=list(tools)), 0.4)


def called(tape: Tape, id: int = 5, name: str = "find", /, **arguments: Any) -> Tape:
    """The client calls a tool (record 7 after a list)."""
    return tape.client(request(id, "tools/call", name=name, arguments=arguments), 1)


def returned(*tools: dict[str, Any], version: str = "2025-11-25", **members: Any) -> Tape:
    """A call (record 7) of a tool that is listed, and its result (record 8)."""
    return called(listed(*tools, version=version)).server(result(5, content=[], **members), 1.1)
