"""Rules that are tested together, and what they find."""

from __future__ import annotations

from mcp_tap.diagnosis.finding import Finding
from tests.diagnosis.checking import check, facts, rules_of
from tests.record_cases import Tape

MINE = rules_of("FRM", "RPC00", "RPC01", "RPC031")
"""The rules about lines, envelopes and ids."""

BETWEEN = rules_of("RPC02", "RPC030", "CAP", "CAN", "PRG")
"""The rules about methods, shapes, errors, capabilities, cancellation and progress."""


def brief(tape: Tape) -> list[tuple[str, str, str]]:
    """Rule, severity and culprit of what the rules about lines, envelopes and ids find in ``tape``."""
    return [each[:3] for each in facts(check(tape, rules=MINE))]


def keys(tape: Tape) -> list[tuple[str, str]]:
    """Rule and key of what they find in ``tape``."""
    return [(rule, key) for rule, _, _, _, key in facts(check(tape, rules=MINE))]


def only(tape: Tape) -> Finding:
    """The one finding that they have in ``tape``."""
    (finding,) = check(tape, rules=MINE)
    facts([finding])
    return finding
