"""Findings as the tests of frames, envelopes and ids compare them, and those in recordings."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from mcp_tap.diagnosis.dispatch import Checker
from mcp_tap.diagnosis.finding import Finding
from mcp_tap.diagnosis.settings import Thresholds
from mcp_tap.model.session import Session
from mcp_tap.record.reader import Record, read_records
from tests.record_cases import Tape
from tests.rules.checking import check, rules_of

MINE = rules_of("FRM", "RPC00", "RPC01", "RPC031")
"""The rules about lines, envelopes and ids."""

Told = tuple[str, str, str, tuple[int, ...], str]


def told(found: Sequence[Finding]) -> list[Told]:
    """Rule, severity, culprit, records and sentence of each."""
    return [(each.rule, each.severity, each.culprit, each.records, each.message) for each in found]


def brief(tape: Tape) -> list[tuple[str, str, str]]:
    """Rule, severity and culprit of what these rules find in ``tape``."""
    return [(each.rule, each.severity, each.culprit) for each in check(tape, rules=MINE)]


def messages(tape: Tape) -> list[str]:
    """The sentences of what these rules find in ``tape``."""
    return [each.message for each in check(tape, rules=MINE)]


def in_recording(path: Path) -> list[Finding]:
    """What these rules find in the sessions of a file."""
    checkers: dict[str, Checker] = {}
    with path.open("rb") as file:
        for record in read_records(file):
            assert isinstance(record, Record)
            if record.session not in checkers:
                checkers[record.session] = Checker(Session(record.session), MINE, Thresholds())
            checker = checkers[record.session]
            checker.take(checker.context.session.add(record))
    for checker in checkers.values():
        checker.end()
    return [finding for checker in checkers.values() for finding in checker.findings()]
