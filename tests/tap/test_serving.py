"""Whether somebody serves the client on when the server has ended."""

from __future__ import annotations

import time

import pytest

from mcp_tap.process.link import LINGER, LINGER_IN_ALL
from mcp_tap.tap.serving import FIRST_READ, Successor

COPY, STARTED = 7, 8


class Pipe:
    """The server's stdin as its link shows it, the client's words, and the server."""

    def __init__(self, readers: frozenset[int] | None, waiting: int = 0) -> None:
        self.readers, self.waiting = readers, waiting
        self.byte_count = 100

    def reader_pids(self) -> frozenset[int] | None:
        return self.readers

    def unread(self) -> int:
        return self.waiting

    def is_copy(self, pid: int) -> bool:
        return pid == COPY

    def say(self, count: int, *, read: bool) -> None:
        self.byte_count += count
        self.waiting += 0 if read else count


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    now = [1000.0]
    monkeypatch.setattr(time, "monotonic", lambda: now[0])
    return now


def successor(pipe: Pipe) -> Successor:
    return Successor(pipe, pipe, pipe)  # type: ignore[arg-type] # what it asks of them is here


@pytest.mark.usefixtures("clock")
def test_where_nobody_reads_nobody_serves() -> None:
    assert not successor(Pipe(frozenset(), waiting=5)).may_serve()


@pytest.mark.parametrize(
    ("readers", "idle", "silent"),
    [
        (frozenset({STARTED}), 1e6, FIRST_READ),
        (frozenset({COPY, STARTED}), 1e6, FIRST_READ),
        (frozenset({COPY}), LINGER, LINGER_IN_ALL),
        (None, LINGER, LINGER_IN_ALL),
    ],
    ids=["started", "both", "copy", "unknown"],
)
def test_who_has_not_read_yet_is_waited_for(
    clock: list[float], readers: frozenset[int] | None, idle: float, silent: float
) -> None:
    nothing_said = successor(Pipe(readers))
    pipe = Pipe(readers)
    words_wait = successor(pipe)
    pipe.say(10, read=False)
    assert words_wait.may_serve()
    clock[0] += min(idle, silent) * 0.9
    assert nothing_said.may_serve()
    assert words_wait.may_serve()
    clock[0] += silent
    assert not words_wait.may_serve()
    assert nothing_said.may_serve() is (idle > silent)


@pytest.mark.parametrize("readers", [frozenset({COPY}), frozenset({STARTED}), None])
@pytest.mark.parametrize("before", [0, 20])
def test_who_has_read_serves_for_good(
    clock: list[float], readers: frozenset[int] | None, before: int
) -> None:
    pipe = Pipe(readers, waiting=before)
    served = successor(pipe)
    if before:
        pipe.waiting = 5  # of what lay there when the server ended
    else:
        pipe.say(10, read=True)
    assert served.may_serve()
    pipe.say(10, read=False)
    clock[0] += 1e6
    assert served.may_serve()
