"""TAP004: the end is not on file."""

from __future__ import annotations

from tests.recordings.cases import begun
from tests.rules.recording.cases import found


def test_a_recording_that_stops_in_the_middle_of_the_end_is_told() -> None:
    tape = begun().event("eof", 5, stream="c2s").event("signal", 5.5, name="SIGTERM", forwarded=True)
    assert found(tape) == [("TAP004", "info", "undecided", (5, 6), "")]
    assert [each[:4] for each in found(begun().event("eof", 5, stream="s2c"))] == [
        ("TAP004", "info", "undecided", (5,))
    ]
