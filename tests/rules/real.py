"""Findings on recordings that are on disk."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from mcp_tap.diagnosis.dispatch import Checker
from mcp_tap.diagnosis.session_digest import digest_of
from mcp_tap.diagnosis.finding import Finding
from mcp_tap.diagnosis.rule import Rule
from mcp_tap.diagnosis.settings import Thresholds
from mcp_tap.model.session import Session
from mcp_tap.record.reader import Skipped, read_records


def findings_of(path: Path, rules: Sequence[type[Rule]]) -> list[Finding]:
    """What ``rules`` find in each session of a recording, and across them."""
    examined: dict[str, Checker] = {}
    with path.open("rb") as lines:
        for record in read_records(lines):
            assert not isinstance(record, Skipped)
            if record.session not in examined:
                examined[record.session] = Checker(Session(record.session), rules, Thresholds())
            checker = examined[record.session]
            checker.take(checker.context.session.add(record))
    found, digests = [], []
    for checker in examined.values():
        checker.end()
        found += checker.findings()
        digests.append(digest_of(checker.context.session, checker.findings()))
    return found + [finding for rule in rules for finding in rule.across(digests)]
