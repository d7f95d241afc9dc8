"""What the rules about methods, shapes, errors, capabilities, cancellation and progress find in a file."""

from __future__ import annotations

from pathlib import Path

from mcp_tap.diagnosis.dispatch import Checker
from mcp_tap.diagnosis.finding import Finding
from mcp_tap.diagnosis.settings import Thresholds
from mcp_tap.model.session import Sessions
from mcp_tap.record.reader import Record, read_records
from tests.rules.checking import rules_of

RULES = rules_of("RPC02", "RPC030", "CAP", "CAN", "PRG")


def examined(path: Path) -> list[Finding]:
    """What they find in all sessions of a recording."""
    sessions, checkers = Sessions(), dict[str, Checker]()
    with path.open("rb") as lines:
        for record in read_records(lines):
            assert isinstance(record, Record)
            session, step = sessions.add(record)
            if session.id not in checkers:
                checkers[session.id] = Checker(session, RULES, Thresholds())
            checkers[session.id].take(step)
    for checker in checkers.values():
        checker.end()
    return [finding for checker in checkers.values() for finding in checker.findings()]
