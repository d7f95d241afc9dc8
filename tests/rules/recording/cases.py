"""What the tests of the rules of the recording share."""

from __future__ import annotations

from tests.diagnosis.checking import Told, check, facts, rules_of
from tests.record_cases import Tape

RULES = rules_of("TAP")


def found(tape: Tape) -> list[Told]:
    """What this family finds: rule, severity, culprit, records, key."""
    return facts(check(tape, rules=RULES))


def gap(tape: Tape, records: object, size: object, reason: object = "No space left on device") -> Tape:
    """The log failed, and works again."""
    if isinstance(records, int):
        tape.seq += records
    return tape.event("gap", 1, records=records, bytes=size, reason=reason)
