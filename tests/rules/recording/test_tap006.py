"""TAP006: a reader took nothing."""

from __future__ import annotations

import pytest

from tests.record_cases import Tape
from tests.recordings.cases import begun, call, closed
from tests.rules.recording.cases import found


def stalled(tape: Tape, stream: str, since: float, until: float | None) -> Tape:
    """A reader takes nothing from a second before ``since`` on."""
    tape.event("stall", since, stream=stream)
    if until is not None:
        tape.event("flow", until, stream=stream, seconds=until - since + 1)
    return tape


@pytest.mark.parametrize(("stream", "culprit"), [("s2c", "client"), ("c2s", "server")])
def test_a_reader_that_is_stuck_is_a_warning(stream: str, culprit: str) -> None:
    assert found(closed(stalled(begun(), stream, 3, 20), 30)) == [
        ("TAP006", "warning", culprit, (5,), stream)
    ]
    (short,) = found(closed(stalled(begun(), stream, 3, 5), 30))
    assert short[1] == "info"


def test_stderr_that_nobody_reads_is_information_with_the_requests_that_waited() -> None:
    tape = stalled(begun(), "stderr", 3, None).client(call(1, "x"), 4)
    assert found(closed(tape, 30)) == [("TAP006", "info", "client", (5, 6), "stderr")]


def test_stalls_of_one_stream_are_one_finding() -> None:
    tape = stalled(stalled(stalled(begun(), "c2s", 3, 4), "c2s", 6, 9), "c2s", 11, 11.5)
    tape.event("flow", 12, stream="c2s", seconds=1).event("stall", 13, stream="nothing")
    assert [each[4] for each in found(closed(tape, 30))] == ["c2s"]


def test_a_client_that_leaves_reads_no_more() -> None:
    tape = begun().event("eof", 3, stream="c2s").event("stall", 4, stream="s2c")
    assert found(tape.event("flow", 30, stream="s2c", seconds=27).exit(31, "client-eof")) == []


def test_a_stall_up_to_the_servers_end_is_counted_up_to_there() -> None:
    tape = stalled(begun(), "s2c", 3, None).exit(8, "server-exit")
    assert [each[:2] for each in found(tape)] == [("TAP006", "info")]
