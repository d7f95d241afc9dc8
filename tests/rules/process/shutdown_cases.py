"""What the tests of rules about the end of a session share."""

from __future__ import annotations

from tests.diagnosis.checking import Told, check, facts, rules_of
from tests.record_cases import Tape

RULES = rules_of("PRO006", "PRO007", "PRO012", "PRO016")

TOGETHER = tuple(rule for rule in rules_of("PRO") if rule.id not in ("PRO010", "PRO018"))


def found(tape: Tape) -> list[Told]:
    """What this family finds: rule, severity, culprit, records, key."""
    return facts(check(tape, rules=RULES))


def eof(tape: Tape, t: float = 5.0) -> Tape:
    """The client closes stdin."""
    return tape.event("eof", t, stream="c2s")


def sent(tape: Tape, t: float, name: str = "SIGTERM", *, forwarded: bool = True) -> Tape:
    """The client sends a signal."""
    return tape.event("signal", t, name=name, forwarded=forwarded)
