"""Whether the server came up, and what its stderr says about it."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.diagnosis.checking import findings_of
from tests.record_cases import RECORDINGS, request, result
from tests.recordings.cases import CASES, begun, call, closed, said
from tests.rules.process.start_cases import RULES, found


@pytest.mark.parametrize("case", [name for name in CASES if name not in ("A05", "A21", "A26", "A27", "A28")])
def test_the_failures_of_others_are_none_of_a_start(case: str) -> None:
    assert [each for each in found(CASES[case]()) if each[1] != "info"] == []


@pytest.mark.parametrize("path", sorted((RECORDINGS / "v1").glob("*.jsonl")), ids=lambda path: str(path.stem))
def test_a_healthy_recording_has_no_fault_of_this_family(path: Path) -> None:
    loud = [each.rule for each in findings_of(path, RULES) if each.severity != "info"]
    # The server refuses its arguments and exits 1: that is what the recording is of.
    assert loud == (["PRO002"] if "refused" in str(path) else [])


def test_a_call_that_fails_later_is_no_failed_start() -> None:
    tape = begun().client(call(1, "x"), 1).server(said(1, "ok"), 1.1)
    assert found(closed(tape.client(request(2, "ping"), 2).server(result(2), 2.1), 3)) == []
