"""One direction, over every kind of descriptor that a client may hand over."""

from __future__ import annotations

import _socket
import os
import socket
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from mcp_tap.process import _descriptors, _polled, link
from mcp_tap.process._descriptors import make_room, own_description, pipe_holders_of, writer_to
from mcp_tap.process._polled import PolledLink
from mcp_tap.process._threaded import ThreadedLink
from mcp_tap.process.join import join
from mcp_tap.process.link import SinkGone, Stopped
from tests.harness import LIMIT


@pytest.fixture
def stalls() -> list[float | None]:
    return []


@pytest.fixture
def pipes(stalls: list[float | None]) -> Iterator[tuple[int, PolledLink, int]]:
    """A writer, the link, a reader."""
    source, writer = os.pipe()
    reader, sink = os.pipe()
    made = PolledLink(source, sink, stalls.append)
    yield writer, made, reader
    made.close_source()
    made.close_sink()
    made.close()
    for fd in (writer, reader):
        try:
            os.close(fd)
        except OSError:
            continue


def test_what_is_received_is_what_there_is(pipes: tuple[int, PolledLink, int]) -> None:
    writer, made, _ = pipes
    os.write(writer, b"abc")
    assert made.receive(None) == b"abc"
    assert made.receive(0.001) is None
    os.close(writer)
    assert made.receive(None) == b""


def test_the_sink_is_seen_to_be_gone_while_the_source_is_silent(pipes: tuple[int, PolledLink, int]) -> None:
    writer, made, reader = pipes
    os.write(writer, b"left over")
    os.close(reader)
    with pytest.raises(SinkGone):
        made.receive(None)
    assert made.drain_source() == b"left over"
    with pytest.raises(SinkGone):
        made.send(b"x")


def test_a_receiver_that_stalls_is_told_of_once_and_again_when_it_takes(
    pipes: tuple[int, PolledLink, int], stalls: list[float | None], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(_polled, "STALL", 0.01)
    _, made, reader = pipes
    told = threading.Event()
    made._on_stall = lambda seconds: (stalls.append(seconds), told.set())  # type: ignore[func-returns-value,assignment]
    got: list[bytes] = []

    def read_after_the_stall() -> None:
        assert told.wait(LIMIT)
        while sum(map(len, got)) < 300_000:
            got.append(os.read(reader, 65536))

    thread = threading.Thread(target=read_after_the_stall)
    thread.start()
    made.send(b"x" * 300_000)
    thread.join(LIMIT)
    assert b"".join(got) == b"x" * 300_000
    assert stalls[0] is None
    assert stalls[1] is not None
    assert stalls[1] >= 0.01
    assert stalls.count(None) == len(stalls) / 2


@pytest.mark.parametrize("blocked", [False, True])
def test_a_link_is_stopped_whatever_it_waits_for(pipes: tuple[int, PolledLink, int], blocked: bool) -> None:
    _, made, _ = pipes
    stopped: list[Stopped] = []

    def wait() -> None:
        try:
            made.send(b"x" * 1_000_000) if blocked else made.receive(None)
        except Stopped as reason:
            stopped.append(reason)

    thread = threading.Thread(target=wait)
    thread.start()
    made.stop()
    thread.join(LIMIT)
    assert [reason.pipe_holders for reason in stopped] == [frozenset()]


def test_a_drained_link_reads_on_then_lets_go_and_tells_who_holds_the_source(
    pipes: tuple[int, PolledLink, int], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(_polled, "LINGER", 0.01)
    writer, made, _ = pipes
    os.write(writer, b"rest")
    made.drain()
    assert made.receive(None) == b"rest"
    with pytest.raises(Stopped) as stopped:
        made.receive(None)
    # The test itself is the only holder, and it is the tap here.
    assert stopped.value.pipe_holders == frozenset()


def test_a_drained_link_is_not_held_for_ever_by_a_source_that_goes_on(
    pipes: tuple[int, PolledLink, int], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(_polled, "LINGER_IN_ALL", 0.0)
    writer, made, _ = pipes
    made.drain()
    with pytest.raises(Stopped):
        made.receive(None)
    os.write(writer, b"more")
    with pytest.raises(Stopped):
        made.receive(None)


def test_a_full_pipe_takes_what_is_left_when_the_link_is_drained(pipes: tuple[int, PolledLink, int]) -> None:
    _, made, reader = pipes
    made.drain()
    made.send(b"x" * 500_000)
    made.close_sink()
    got = b""
    while part := os.read(reader, 65536):
        got += part
    assert got == b"x" * 500_000


def test_a_socket_is_written_to_without_waiting_and_without_changing_it() -> None:
    ours, theirs = socket.socketpair()
    fd = os.dup(ours.fileno())
    made = PolledLink(os.open(os.devnull, os.O_RDONLY), fd, lambda seconds: None)
    # Below 3 nothing is changed on a description; above, the descriptor is the tap's own.
    assert not os.get_blocking(fd)
    made.close_sink()
    made.close_source()
    made.close()
    write, wrapped = shared_writer(ours.fileno())
    assert wrapped is not None
    assert fill(write) > 0
    make_room(ours.fileno())
    assert write(b"x" * 1000) > 0
    wrapped.detach()
    ours.close()
    theirs.close()


def fill(write: _descriptors.Write) -> int:
    """Write until nothing more is taken; returns how much was."""
    sent = 0
    while True:
        try:
            sent += write(b"x" * 10_000)
        except BlockingIOError:
            return sent


def shared_writer(fd: int) -> tuple[_descriptors.Write, _socket.socket | None]:
    """How ``fd`` is written to if it counts as one of the client's descriptors."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(_descriptors, "own_description", lambda fd, access: False)
        return writer_to(fd)


def test_a_shared_pipe_that_cannot_be_opened_again_is_written_to_piece_by_piece() -> None:
    reader, writer = os.pipe()
    write, _ = shared_writer(writer)
    assert fill(write) == 65536
    assert os.get_blocking(writer)
    os.close(reader)
    os.close(writer)


def test_a_pipe_is_opened_again_so_that_its_mode_stays_unseen(monkeypatch: pytest.MonkeyPatch) -> None:
    reader, writer = os.pipe()
    shared = os.dup(writer)
    monkeypatch.setattr(_descriptors, "STDERR", max(reader, writer))
    assert own_description(writer, os.O_WRONLY)
    assert (os.get_blocking(writer), os.get_blocking(shared)) == (False, True)
    real = os.open

    def no_proc(path: str, flags: int) -> int:
        if path.startswith("/proc"):
            raise PermissionError
        return real(path, flags)

    monkeypatch.setattr(os, "open", no_proc)
    assert not own_description(reader, os.O_RDONLY)
    for fd in (reader, writer, shared):
        os.close(fd)


def test_a_regular_file_is_source_and_sink(tmp_path: Path) -> None:
    (tmp_path / "in").write_bytes(b"all of it")
    source = os.open(tmp_path / "in", os.O_RDONLY)
    sink = os.open(tmp_path / "out", os.O_WRONLY | os.O_CREAT)
    write, wrapped = shared_writer(sink)
    assert wrapped is None
    assert write(b"x" * 100) == 100
    made = PolledLink(source, sink, lambda seconds: None)
    assert made.receive(None) == b"all of it"
    assert made.receive(None) == b""
    made.close_sink()
    made.close_sink()
    made.close_source()
    made.close_source()
    made.close()


def test_where_proc_is_not_there_nobody_is_known_to_hold_anything(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> str:
        raise FileNotFoundError

    monkeypatch.setattr(os, "readlink", fail)
    assert pipe_holders_of(0) is None
    assert not _descriptors.holds(os.getpid(), "pipe:[1]")
    assert not _descriptors.holds(-1, "pipe:[1]")


def test_a_reset_connection_is_an_end() -> None:
    import struct

    listener = socket.create_server(("127.0.0.1", 0))
    client = socket.create_connection(listener.getsockname())
    served = listener.accept()[0]
    made = PolledLink(served.detach(), os.open(os.devnull, os.O_WRONLY), lambda seconds: None)
    client.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    client.close()
    assert made.receive(None) == b""
    listener.close()
    made.close_source()
    made.close_sink()
    made.close()


def test_join_takes_what_the_system_can_do(monkeypatch: pytest.MonkeyPatch) -> None:
    for kind, expected in ((None, PolledLink), ("polled", PolledLink), ("threaded", ThreadedLink)):
        source, sink = os.open(os.devnull, os.O_RDONLY), os.open(os.devnull, os.O_WRONLY)
        made = join(source, sink, lambda seconds: None, kind=kind)  # type: ignore[arg-type]
        assert isinstance(made, expected)
        assert made.receive(None) == b""
        made.close_source()
        made.close_sink()
        made.close()
        if isinstance(made, ThreadedLink):
            made.thread.join(LIMIT)


class TestThreaded:
    """What is different where only threads can wait."""

    def make(self) -> tuple[int, ThreadedLink, int]:
        source, writer = os.pipe()
        reader, sink = os.pipe()
        return writer, ThreadedLink(source, sink), reader

    def end(self, writer: int, made: ThreadedLink, reader: int) -> None:
        made.close_source()
        made.close_sink()
        for fd in (writer, reader):
            try:
                os.close(fd)
            except OSError:
                continue
        made.drain_source()
        made.thread.join(LIMIT)
        assert not made.thread.is_alive()

    def test_chunks_come_and_silence_is_told(self) -> None:
        writer, made, reader = self.make()
        os.write(writer, b"abc")
        assert made.receive(LIMIT) == b"abc"
        assert made.receive(0.001) is None
        os.close(writer)
        assert made.receive(LIMIT) == b""
        self.end(writer, made, reader)

    def test_it_is_stopped_while_it_waits(self) -> None:
        writer, made, reader = self.make()
        made.stop()
        with pytest.raises(Stopped):
            made.receive(LIMIT)
        with pytest.raises(Stopped):
            made.send(b"x")
        self.end(writer, made, reader)

    def test_a_gone_reader_is_told_at_the_next_write(self) -> None:
        writer, made, reader = self.make()
        os.close(reader)
        with pytest.raises(SinkGone):
            made.send(b"x")
        self.end(writer, made, reader)

    def test_drained_it_lets_go_after_silence(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr("mcp_tap.process._threaded.LINGER", 0.01)
        writer, made, reader = self.make()
        os.write(writer, b"rest")
        assert made.receive(LIMIT) == b"rest"
        made.drain()
        made.give_up_stalled()
        with pytest.raises(Stopped) as stopped:
            made.receive(None)
        assert stopped.value.pipe_holders is None
        self.end(writer, made, reader)


def test_the_constants_have_an_order_that_makes_sense() -> None:
    assert link.LINGER <= 0.5
    assert link.LINGER < link.LINGER_IN_ALL


def test_input_waits_until_a_heeded_link_whose_sink_is_gone_has_closed_its_source() -> None:
    waited: list[float] = []

    class Closed(threading.Event):
        def wait(self, timeout: float | None = None) -> bool:
            waited.append(timeout or 0)
            return True

    (source, writer), (other_source, other_writer) = os.pipe(), os.pipe()
    (reader, sink), (other_reader, other_sink) = os.pipe(), os.pipe()
    made = PolledLink(source, sink, lambda seconds: None)
    other = PolledLink(other_source, other_sink, lambda seconds: None)
    made.wait_for_close_of(other)
    other._source_closed = Closed()
    os.write(writer, b"one")
    assert made.receive(None) == b"one"
    assert waited == []
    os.close(other_reader)
    os.write(writer, b"two")
    assert made.receive(None) == b"two"
    assert waited == [link.CLOSE_WAIT]
    os.write(writer, b"three")
    assert made.receive(None) == b"three"
    assert waited == [link.CLOSE_WAIT]
    for each in (made, other):
        each.close_source()
        each.close_sink()
    for each in (made, other):
        each.close()
    for fd in (writer, other_writer, reader):
        os.close(fd)


def test_the_end_of_a_heeded_sink_is_seen_though_another_thread_waits_on_it() -> None:
    (source, writer), (other_source, other_writer) = os.pipe(), os.pipe()
    (reader, sink), (other_reader, other_sink) = os.pipe(), os.pipe()
    made = PolledLink(source, sink, lambda seconds: None)
    other = PolledLink(other_source, other_sink, lambda seconds: None)
    made.wait_for_close_of(other)
    received: list[bytes | None] = []
    thread = threading.Thread(target=lambda: received.append(made.receive(None)))
    thread.start()
    other.close_sink()
    assert os.read(other_reader, 1) == b""
    os.write(writer, b"x")
    thread.join(LIMIT)
    assert received == [b"x"]
    made.close_sink()
    for each in (made, other):
        each.close_source()
        each.close()
    for fd in (writer, other_writer, reader, other_reader):
        os.close(fd)
