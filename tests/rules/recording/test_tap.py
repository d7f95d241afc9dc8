"""What the tap says about its own recording."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.diagnosis.checking import check, findings_of
from tests.record_cases import RECORDINGS, Tape
from tests.recordings.cases import CASES
from tests.rules.recording.cases import RULES, found


def test_events_with_fields_of_any_type_are_survived() -> None:
    for value in (None, 1.5, "x", [1], {"a": 1}, True, -1):
        tape = Tape().event("start", argv=value)
        tape.event("gap", 1, records=value, bytes=value, reason=value).event("limit", 1, bytes=value)
        tape.event("stall", 1, stream=value).event("flow", 2, stream=value, seconds=value)
        tape.event("spawn_failed", 3, error=value, code=value)
        check(tape, rules=RULES)
        tape.event("spawn_failed", 3, error=value, code=125)
        check(tape, rules=RULES)


@pytest.mark.parametrize("case", sorted(CASES.keys() - {"A22", "A36"}))  # A36 is two sessions in one file
def test_the_failures_of_others_are_none_of_the_tap(case: str) -> None:
    assert found(CASES[case]()) == []


def test_of_an_unread_stderr_the_tap_tells_the_stall_and_that_there_is_no_end() -> None:
    assert [(each[0], each[1], each[2]) for each in found(CASES["A22"]())] == [
        ("TAP006", "info", "client"),
        ("TAP004", "info", "undecided"),
    ]


@pytest.mark.parametrize("path", sorted((RECORDINGS / "v1").glob("*.jsonl")), ids=lambda path: path.stem)
def test_real_recordings_are_whole(path: Path) -> None:
    # The client killed the tap, as the SDK does four seconds after it has closed stdin.
    expected = [("TAP004", "info")] if path.stem == "everything-py1-cancelled" else []
    assert [(each.rule, each.severity) for each in findings_of(path, RULES)] == expected
