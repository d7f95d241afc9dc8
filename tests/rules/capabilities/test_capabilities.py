"""CAP001-006: what was used although it was not declared, or declared although it is not there."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.diagnosis.checking import findings_of
from tests.record_cases import RECORDINGS
from tests.rules.telling import BETWEEN


@pytest.mark.parametrize("path", sorted((RECORDINGS / "v1").glob("*.jsonl")), ids=lambda path: path.stem)
def test_no_real_session_has_a_fault_of_the_six_families(path: Path) -> None:
    assert [each for each in findings_of(path, BETWEEN) if each.severity != "info"] == []
