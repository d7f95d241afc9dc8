"""What the tests of rules about exits share."""

from __future__ import annotations

from tests.diagnosis.checking import Told, check, facts, rules_of
from tests.record_cases import Tape

RULES = rules_of("PRO003", "PRO004", "PRO005", "PRO011", "PRO019")

TOGETHER = (*rules_of("PRO001", "PRO002", "PRO008", "PRO009", "PRO014"), *RULES)


def found(tape: Tape) -> list[Told]:
    """What this family finds: rule, severity, culprit, records, key."""
    return facts(check(tape, rules=RULES))


def died(tape: Tape, t: float, code: int | None = 1, signal: str | None = None) -> Tape:
    """The server ends of its own accord."""
    return tape.event("eof", t, stream="s2c").exit(t, "server-exit", code, signal)


def left(tape: Tape, t: float, code: int | None, signal: str | None = None) -> Tape:
    """The client closes stdin, and the server ends."""
    tape.event("eof", t, stream="c2s").event("eof", t + 0.1, stream="s2c")
    return tape.exit(t + 0.1, "client-eof", code, signal)
