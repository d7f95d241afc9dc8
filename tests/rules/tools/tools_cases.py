"""What the tests of tools share."""

from __future__ import annotations

from typing import Any

from tests.diagnosis.checking import Told, begun, check, facts, rules_of
from tests.record_cases import Tape, request, result

RULES = rules_of("TOL001", "TOL002", "TOL003", "TOL006", "TOL016", "TOL017")

SCHEMA = {"type": "object"}


def tool(name: Any, **members: Any) -> dict[str, Any]:
    """A tool as it is listed."""
    return {"name": name, "inputSchema": SCHEMA, **members}


def found(tape: Tape) -> list[Told]:
    """What the rules of this family find."""
    return facts(check(tape, rules=RULES))


def listed(*tools: Any, tape: Tape | None = None, id: int = 1, **members: Any) -> Tape:
    """The client asks for the list (record 5), the server answers it (record 6)."""
    tape = begun() if tape is None else tape
    return tape.client(request(id, "tools/list"), 0.3).server(result(id, tools=list(tools), **members), 0.4)


def page(tape: Tape, id: int, cursor: Any, then: Any, *tools: Any) -> Tape:
    """The client asks for a page, and the server answers it."""
    params = {} if cursor is None else {"cursor": cursor}
    more = {} if then is None else {"nextCursor": then}
    tape.client(request(id, "tools/list", **params), id)
    return tape.server(result(id, tools=list(tools), **more), id + 0.1)
