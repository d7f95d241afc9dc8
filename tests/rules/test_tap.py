"""What the tap says about its own recording."""

from __future__ import annotations

from pathlib import Path

import pytest

from mcp_tap.rules.registry import RULES as ALL
from tests.diagnosis.checking import check, findings_of, names, rules_of
from tests.record_cases import RECORDINGS, Tape, request, result
from tests.recordings.cases import CASES, begun, call, closed

RULES = rules_of("TAP")


def found(tape: Tape) -> list[tuple[str, str, str, tuple[int, ...], str]]:
    """What this family finds: rule, severity, culprit, records, message."""
    return [
        (each.rule, each.severity, each.culprit, each.records, each.message)
        for each in check(tape, rules=RULES)
    ]


def gap(tape: Tape, records: object, size: object, reason: object = "No space left on device") -> Tape:
    """The log failed, and works again."""
    if isinstance(records, int):
        tape.seq += records
    return tape.event("gap", 1, records=records, bytes=size, reason=reason)


# TAP001, TAP003


def test_what_could_not_be_written_is_told_with_the_reason() -> None:
    assert found(closed(gap(begun(), 3, 600), 2)) == [
        (
            "TAP001",
            "warning",
            "environment",
            (8,),
            "3 records (600 bytes) could not be written, and are missing: No space left on device",
        )
    ]


def test_gaps_of_one_reason_are_added_up() -> None:
    tape = gap(gap(begun(), 3, 600), 1, 400)
    assert [each[4] for each in found(closed(tape, 2))] == [
        "4 records (1,000 bytes) could not be written in 2 gaps, and are missing: No space left on device"
    ]
    single = found(closed(gap(begun(), 1, 1), 2))
    assert single[0][4].startswith("1 record (1 byte) could not be written, and is missing")


def test_a_line_that_the_tap_could_not_hold_is_its_own_doing() -> None:
    assert [each[2] for each in found(closed(gap(begun(), 1, 0, "Cannot allocate memory"), 2))] == ["tap"]


def test_numbers_that_no_gap_accounts_for_are_missing() -> None:
    tape = gap(begun(), 3, 600)
    tape.seq += 2
    assert ("TAP003", "warning", "undecided", (), "2 records of the session are not in the file") in found(
        closed(tape, 2)
    )
    tape = begun()
    tape.seq += 1
    assert found(closed(tape, 2))[0][4] == "1 record of the session is not in the file"


def test_a_recording_without_its_beginning_is_told() -> None:
    tape = Tape()
    tape.seq = 7
    tape.client(request(1, "ping"), 1).server(result(1), 1.1)
    assert found(closed(tape, 2)) == [
        (
            "TAP003",
            "warning",
            "undecided",
            (),
            "7 records of the session are not in the file, the start of the session among them",
        )
    ]


def test_nothing_else_is_found_in_a_session_with_a_gap() -> None:
    tape = gap(begun().client(call(1, "x"), 0.5), 3, 600).event("eof", 2, stream="s2c")
    assert names(check(tape.exit(2, "server-exit", 1), rules=ALL)) == ["TAP001"]


# TAP002


def test_the_limit_is_told() -> None:
    assert found(closed(begun().event("limit", 1, bytes=1_000_000), 2)) == [
        (
            "TAP002",
            "info",
            "tap",
            (5,),
            "the limit of 1,000,000 bytes was reached after 1.00 s: later lines are not recorded",
        )
    ]


# TAP004


def test_a_recording_that_stops_in_the_middle_of_the_end_is_told() -> None:
    tape = begun().event("eof", 5, stream="c2s").event("signal", 5.5, name="SIGTERM", forwarded=True)
    assert found(tape) == [
        (
            "TAP004",
            "info",
            "undecided",
            (5, 6),
            "no end is on file after SIGTERM: the tap was killed with its server, or both still run",
        )
    ]
    assert found(begun().event("eof", 5, stream="s2c"))[0][4].startswith(
        "no end is on file after the server closed its stdout"
    )


def test_a_session_that_goes_on_needs_no_end() -> None:
    assert found(begun().client(call(1, "x"), 1)) == []
    assert names(check(gap(begun(), 1, 9).event("eof", 5, stream="c2s"), rules=RULES)) == ["TAP001"]


# TAP005


def test_a_tap_that_could_not_start_the_server_takes_the_blame() -> None:
    tape = (
        Tape()
        .event("start", argv=["notes"])
        .event("spawn_failed", 0.1, error="cannot start 'notes': Too many open files", code=125)
    )
    assert [each[:3] for each in found(tape.exit(0.1, "spawn-failed", 125))] == [("TAP005", "error", "tap")]
    (finding,) = check(tape, rules=ALL)
    assert finding.message == (
        "the tap itself could not start the server `notes`: cannot start 'notes': Too many open files"
    )
    bare = Tape().event("spawn_failed", 0.1, error="no", code=125)
    assert found(bare)[0][4] == "the tap itself could not start the server: no"


def test_a_command_that_is_not_there_is_not_the_taps_fault() -> None:
    assert found(CASES["A26"]()) == []


# TAP006


def stalled(tape: Tape, stream: str, since: float, until: float | None) -> Tape:
    """A reader takes nothing from a second before ``since`` on."""
    tape.event("stall", since, stream=stream)
    if until is not None:
        tape.event("flow", until, stream=stream, seconds=until - since + 1)
    return tape


@pytest.mark.parametrize(
    ("stream", "culprit", "words"),
    [
        ("s2c", "client", "client took nothing from the server's stdout"),
        ("c2s", "server", "server took nothing from its stdin"),
    ],
)
def test_a_reader_that_is_stuck_is_a_warning(stream: str, culprit: str, words: str) -> None:
    message = f"{words} for 18.0 s: what was sent to it waited"
    assert found(closed(stalled(begun(), stream, 3, 20), 30)) == [
        ("TAP006", "warning", culprit, (5,), message)
    ]
    (short,) = found(closed(stalled(begun(), stream, 3, 5), 30))
    assert short[1] == "info"


def test_stderr_that_nobody_reads_is_information_with_the_requests_that_waited() -> None:
    tape = stalled(begun(), "stderr", 3, None).client(call(1, "x"), 4)
    assert found(closed(tape, 30)) == [
        (
            "TAP006",
            "info",
            "client",
            (5, 6),
            "nobody took anything from the server's stderr for 28.0 s, and had not begun again: what was "
            "sent to it waited",
        )
    ]


def test_stalls_of_one_stream_are_one_finding() -> None:
    tape = stalled(stalled(stalled(begun(), "c2s", 3, 4), "c2s", 6, 9), "c2s", 11, 11.5)
    tape.event("flow", 12, stream="c2s", seconds=1).event("stall", 13, stream="nothing")
    assert [each[4] for each in found(closed(tape, 30))] == [
        "server took nothing from its stdin 3 times, for up to 4.00 s: what was sent to it waited"
    ]


def test_a_client_that_leaves_reads_no_more() -> None:
    tape = begun().event("eof", 3, stream="c2s").event("stall", 4, stream="s2c")
    assert found(tape.event("flow", 30, stream="s2c", seconds=27).exit(31, "client-eof")) == []


def test_a_stall_up_to_the_servers_end_is_counted_up_to_there() -> None:
    tape = stalled(begun(), "s2c", 3, None).exit(8, "server-exit")
    assert found(tape)[0][4].startswith(
        "client took nothing from the server's stdout for 6.00 s, and had not"
    )


# All of them


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
