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
