"""Several sessions of one server, held against each other."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.diagnosis.checking import findings_of
from tests.record_cases import RECORDINGS
from tests.rules.process.instances_cases import RULES


@pytest.mark.parametrize("path", sorted((RECORDINGS / "v1").glob("*.jsonl")), ids=lambda path: path.stem)
def test_of_the_real_recordings_one_holds_two_sessions(path: Path) -> None:
    expected = [("PRO018", "info")] if path.stem == "time-two-sessions" else []
    assert [(each.rule, each.severity) for each in findings_of(path, RULES)] == expected
