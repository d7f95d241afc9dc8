"""TAP003: records are missing."""

from __future__ import annotations

from tests.record_cases import Tape, request, result
from tests.recordings.cases import begun, closed
from tests.rules.recording.cases import found, gap


def test_numbers_that_no_gap_accounts_for_are_missing() -> None:
    tape = gap(begun(), 3, 600)
    tape.seq += 2
    assert ("TAP003", "warning", "undecided", (), "") in found(closed(tape, 2))
    tape = begun()
    tape.seq += 1
    assert found(closed(tape, 2))[0][4] == ""


def test_a_recording_without_its_beginning_is_told() -> None:
    tape = Tape()
    tape.seq = 7
    tape.client(request(1, "ping"), 1).server(result(1), 1.1)
    assert found(closed(tape, 2)) == [("TAP003", "warning", "undecided", (), "")]
