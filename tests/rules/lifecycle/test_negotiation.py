"""LIF011 to LIF013, LIF015, LIF016: the version that is agreed on, and the probe for the era."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.diagnosis.checking import examined, records_of
from tests.record_cases import RECORDINGS
from tests.rules.lifecycle.cases import LIF


@pytest.mark.parametrize("path", sorted((RECORDINGS / "v1").glob("*.jsonl")), ids=lambda path: path.stem)
def test_real_sessions_have_no_errors_or_warnings_of_these_families(path: Path) -> None:
    for checker in examined(records_of(path), LIF):
        told = [each.rule for each in checker.findings()]
        assert told == (["LIF015"] if path.stem == "everything-py2-fallback" else [])
