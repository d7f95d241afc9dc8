"""What the tests of methods share."""

from __future__ import annotations

from typing import Any

from tests.diagnosis.checking import Told, begun, check, closed, facts, rules_of
from tests.record_cases import Tape, request

RULES = rules_of("RPC021", "RPC022", "RPC023")


def found(tape: Tape) -> list[Told]:
    """What the rules of this family find."""
    return facts(check(tape, rules=RULES))


def asked(method: str, answer: dict[str, Any] | None = None, tape: Tape | None = None) -> Tape:
    """The client asks (records 5 and 6), and the session ends."""
    tape = (tape or begun()).client(request(5, method), 1)
    return closed(tape if answer is None else tape.server(answer, 1.1), 2)
