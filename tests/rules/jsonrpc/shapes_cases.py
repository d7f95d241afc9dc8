"""What the tests of shapes share."""

from __future__ import annotations

from tests.diagnosis.checking import Told, check, closed, facts, rules_of
from tests.record_cases import Tape

RULES = rules_of("RPC024", "RPC025")


def found(tape: Tape) -> list[Told]:
    """What the rules of this family find."""
    return facts(check(closed(tape, 60), rules=RULES))
