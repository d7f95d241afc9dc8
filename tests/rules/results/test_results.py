"""RES: what tools, prompts and resources answer."""

from __future__ import annotations

from typing import Any

import pytest

from tests.diagnosis.checking import closed, findings_of
from tests.record_cases import RECORDINGS, Tape, result
from tests.rules.results.cases import RULES, found


@pytest.mark.parametrize("path", sorted((RECORDINGS / "v1").glob("*.jsonl")), ids=lambda path: path.stem)
def test_real_sessions_have_tools_that_fail_and_no_other_fault_of_this_family(path: Any) -> None:
    assert {each.rule for each in findings_of(path, RULES)} <= {"RES006"}


def test_a_gap_or_a_missing_start_makes_no_finding() -> None:
    tape = (
        Tape().server(result(5, structuredContent={}), 1).event("gap", 1, records=1, bytes=9, reason="ENOSPC")
    )
    assert found(closed(tape, 2)) == []
