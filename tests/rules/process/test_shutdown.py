"""How the client ended the session, whether the server followed, and what stayed behind."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.diagnosis.checking import check, findings_of
from tests.record_cases import RECORDINGS, Tape
from tests.recordings.cases import CASES, begun, closed
from tests.rules.process.shutdown_cases import RULES, TOGETHER, found


def test_events_with_fields_of_any_type_are_survived() -> None:
    for value in (None, 1.5, "x", [1], {"a": 1}, True, -1):
        tape = Tape().event("start", argv=value, path=value, platform=value, env=value)
        tape.event("eof", 1, stream=value).event("signal", 1, name=value, forwarded=value)
        tape.event("eof", 2, stream="c2s").event("exit", 9, code=value, signal=value, first=value, left=value)
        check(tape, rules=TOGETHER)


@pytest.mark.parametrize("case", [name for name in CASES if name not in ("A21", "A23", "A25")])
def test_the_failures_of_others_end_as_they_should(case: str) -> None:
    assert found(CASES[case]()) == []


@pytest.mark.parametrize("path", sorted((RECORDINGS / "v1").glob("*.jsonl")), ids=lambda path: path.stem)
def test_healthy_recordings_have_no_fault_in_their_end(path: Path) -> None:
    # These servers go on with a call that was cancelled, and so take a signal: information.
    busy = ["PRO006"] if path.stem in ("everything-py2-cancelled", "everything-ts-cancelled") else []
    assert [(each.rule, each.severity) for each in findings_of(path, RULES)] == [
        (rule, "info") for rule in busy
    ]


def test_a_regular_end_is_silent() -> None:
    assert found(closed(begun(), 2)) == []
