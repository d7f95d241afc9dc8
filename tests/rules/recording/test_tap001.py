"""TAP001: the recording has a gap."""

from __future__ import annotations

from mcp_tap.rules.registry import RULES as ALL
from tests.diagnosis.checking import check, names
from tests.recordings.cases import begun, call, closed
from tests.rules.recording.cases import RULES, found, gap


def test_what_could_not_be_written_is_told_with_the_reason() -> None:
    assert found(closed(gap(begun(), 3, 600), 2)) == [
        ("TAP001", "warning", "environment", (8,), "No space left on device")
    ]


def test_gaps_of_one_reason_are_added_up() -> None:
    tape = gap(gap(begun(), 3, 600), 1, 400)
    assert [each[4] for each in found(closed(tape, 2))] == ["No space left on device"]
    assert [each[3] for each in found(closed(gap(begun(), 1, 1), 2))] == [(6,)]


def test_a_line_that_the_tap_could_not_hold_is_its_own_doing() -> None:
    assert [each[2] for each in found(closed(gap(begun(), 1, 0, "Cannot allocate memory"), 2))] == ["tap"]


def test_nothing_else_is_found_in_a_session_with_a_gap() -> None:
    tape = gap(begun().client(call(1, "x"), 0.5), 3, 600).event("eof", 2, stream="s2c")
    assert names(check(tape.exit(2, "server-exit", 1), rules=ALL)) == ["TAP001"]


def test_a_session_that_goes_on_needs_no_end() -> None:
    assert found(begun().client(call(1, "x"), 1)) == []
    assert names(check(gap(begun(), 1, 9).event("eof", 5, stream="c2s"), rules=RULES)) == ["TAP001"]
