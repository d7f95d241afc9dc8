"""What the tests of errors share."""

from __future__ import annotations

from typing import Any

from mcp_tap.diagnosis.finding import Finding
from tests.diagnosis.checking import Told, begun, check, closed, facts, rules_of
from tests.record_cases import Tape, request

RULES = rules_of("RPC026", "RPC027", "RPC028", "RPC029", "RPC030")


def found(tape: Tape) -> list[Told]:
    """What the rules of this family find, if the client closes 60 s after the start."""
    return facts(check(closed(tape, 60), rules=RULES))


def refused(code: Any, words: Any = "no", method: str = "tools/call", **params: Any) -> Tape:
    """The client asks (record 5), and the server refuses (record 6)."""
    tape = begun().client(request(5, method, **(params or {"name": "export"})), 1)
    return tape.server({"jsonrpc": "2.0", "id": 5, "error": {"code": code, "message": words}}, 1.1)


def only(tape: Tape) -> Finding:
    """The one finding."""
    (finding,) = check(closed(tape, 60), rules=RULES)
    facts([finding])
    return finding
