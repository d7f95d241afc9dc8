"""Rules that are tested together, and what they find."""

from __future__ import annotations

from tests.diagnosis.checking import check, rules_of
from tests.record_cases import Tape

MINE = rules_of("FRM", "RPC00", "RPC01", "RPC031")
"""The rules about lines, envelopes and ids."""

BETWEEN = rules_of("RPC02", "RPC030", "CAP", "CAN", "PRG")
"""The rules about methods, shapes, errors, capabilities, cancellation and progress."""


def brief(tape: Tape) -> list[tuple[str, str, str]]:
    """Rule, severity and culprit of what the rules about lines, envelopes and ids find in ``tape``."""
    return [(each.rule, each.severity, each.culprit) for each in check(tape, rules=MINE)]


def messages(tape: Tape) -> list[str]:
    """The sentences of what they find in ``tape``."""
    return [each.message for each in check(tape, rules=MINE)]
