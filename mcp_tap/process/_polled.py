"""A link on POSIX: ``poll`` on the source, the sink and a wake-up pipe at once.

So the thread can be told to end (a thread blocked in ``read`` cannot), the sink's reader
going away is seen while the source is silent, and nothing polls in a loop.
"""

from __future__ import annotations

import fcntl
import os
import select
import stat
import sys
import termios
import threading
import time

from mcp_tap.process._descriptors import ROOM, make_room, own_description, pipe_holders_of, writer_to
from mcp_tap.process.link import (
    CHUNK,
    CLOSE_WAIT,
    LINGER,
    LINGER_IN_ALL,
    PATIENCE_AFTER_SIGNAL,
    STALL,
    Link,
    OnStall,
    SinkGone,
    Stopped,
)
from mcp_tap.process.own_streams import close_for_good

_DRAIN, _GIVE_UP, _STOP, _FORGET = b"d", b"h", b"s", b"f"


class PolledLink:
    """See :class:`mcp_tap.process.link.Link`."""

    def __init__(self, source: int, sink: int, on_stall: OnStall) -> None:
        self._source: int | None = source
        self._sink: int | None = sink
        self._on_stall = on_stall
        self._woken, self._waker = os.pipe()
        os.set_blocking(self._woken, False)
        own_description(source, os.O_RDONLY)
        self._write, self._socket = writer_to(sink)
        self._events = select.poll()
        self._events.register(source, select.POLLIN)
        self._events.register(sink, 0)  # POLLERR and POLLHUP are always reported
        self._events.register(self._woken, select.POLLIN)
        self._input = [(source, select.POLLIN)]
        """What waiting gives when there is input and nothing else."""
        self._source_closed = threading.Event()
        self._awaited: dict[int, PolledLink] = {}
        self._waiting: list[PolledLink] = []
        self._ended: list[int] = []
        self._draining = False
        self._giving_up = False
        self._emptied: float | None = None

    def receive(self, patience: float | None) -> bytes | None:
        timeout = None if patience is None else patience * 1000
        poll = self._events.poll
        while True:
            ready = poll(self._linger() if self._draining else timeout)
            if ready == self._input:
                chunk = self._read()
                if chunk is not None:
                    return chunk
                continue
            if not ready:
                if self._draining:
                    raise Stopped(self._pipe_holders())
                return None
            events = dict(ready)
            if self._woken in events:
                self._obey()
            if self._sink in events:
                raise SinkGone
            for fd in self._awaited.keys() & events.keys():
                self._awaited[fd]._source_closed.wait(CLOSE_WAIT)
                self._forget(fd)
            if self._source in events:
                chunk = self._read()
                if chunk is not None:
                    return chunk

    def send(self, data: bytes) -> None:
        try:
            sent = self._write(data)
        except BlockingIOError:
            sent = 0
        except OSError as error:
            raise SinkGone from error
        if sent < len(data):
            self._send_rest(memoryview(data)[sent:])

    def drain_source(self) -> bytes:
        assert self._source is not None
        parts: list[bytes] = []
        mode = os.fstat(self._source).st_mode
        if stat.S_ISFIFO(mode) or stat.S_ISSOCK(mode):
            # Looked at before each read, as descriptor 0 may be blocking and shared.
            while sum(map(len, parts)) < ROOM and self._has_input() and (part := self._read()):
                parts.append(part)
        return b"".join(parts)

    def wait_for_close_of(self, other: Link) -> None:
        assert isinstance(other, PolledLink)
        assert other._sink is not None
        self._awaited[other._sink] = other
        self._events.register(other._sink, 0)
        other._waiting.append(self)

    def reader_pids(self) -> frozenset[int] | None:
        if self._sink is None:
            return frozenset()
        waiter = select.poll()
        waiter.register(self._sink, 0)
        return frozenset() if waiter.poll(0) else pipe_holders_of(self._sink)

    def unread(self) -> int:
        if self._sink is None:
            return 0
        try:
            return int.from_bytes(fcntl.ioctl(self._sink, termios.FIONREAD, bytes(4)), sys.byteorder)
        except OSError:
            return 0

    def close_source(self) -> None:
        if self._source is not None:
            close_for_good(self._source)
            self._source = None
            self._source_closed.set()

    def close_sink(self) -> None:
        if self._socket is not None:
            self._socket.detach()  # or it would close the number once more, whosever it is by then
            self._socket = None
        if self._sink is not None:
            # A descriptor that a thread polls stays open until that thread wakes up.
            for other in self._waiting:
                other._ended.append(self._sink)
                other._wake(_FORGET)
            close_for_good(self._sink)
            self._sink = None

    def drain(self) -> None:
        self._wake(_DRAIN)

    def give_up_stalled(self) -> None:
        self._wake(_GIVE_UP)

    def stop(self) -> None:
        self._wake(_STOP)

    def close(self) -> None:
        """Close the wake-up pipe, when no other thread can use it any more."""
        os.close(self._woken)
        os.close(self._waker)

    def _wake(self, order: bytes) -> None:
        os.write(self._waker, order)

    def _obey(self) -> None:
        orders = os.read(self._woken, 64)
        if _STOP in orders:
            raise Stopped
        while self._ended:
            self._forget(self._ended.pop())
        if _DRAIN in orders:
            self._draining = True
        if _GIVE_UP in orders:
            self._giving_up = True

    def _forget(self, fd: int) -> None:
        if self._awaited.pop(fd, None) is not None:
            self._events.unregister(fd)

    def _read(self) -> bytes | None:
        """What the source gives; None if it has nothing after all."""
        assert self._source is not None
        try:
            return os.read(self._source, CHUNK)
        except BlockingIOError:
            return None
        except OSError:
            # ECONNRESET from a socket, EIO from a terminal that is gone: nothing more comes.
            return b""

    def _linger(self) -> float:
        """Milliseconds to wait for a source whose owner has ended."""
        if self._emptied is None:
            if self._has_input():
                return 0
            self._emptied = time.monotonic()
        left = self._emptied + LINGER_IN_ALL - time.monotonic()
        if left <= 0:
            raise Stopped(self._pipe_holders())
        return min(LINGER, left) * 1000

    def _has_input(self) -> bool:
        waiter = select.poll()
        waiter.register(self._source or 0, select.POLLIN)
        return any(event & select.POLLIN for _, event in waiter.poll(0))

    def _pipe_holders(self) -> frozenset[int] | None:
        return None if self._source is None else pipe_holders_of(self._source)

    def _send_rest(self, rest: memoryview) -> None:
        assert self._sink is not None
        waiter = select.poll()
        waiter.register(self._sink, select.POLLOUT)
        waiter.register(self._woken, select.POLLIN)
        began = time.monotonic()
        stalled = False
        while rest:
            if self._draining:
                make_room(self._sink)
            ready = dict(waiter.poll(self._stall_timeout(stalled)))
            if not ready:
                if self._giving_up:
                    raise Stopped
                stalled = True
                self._on_stall(None)
            if self._woken in ready:
                self._obey()
            try:
                sent = self._write(rest)
            except BlockingIOError:
                continue
            except OSError as error:
                raise SinkGone from error
            rest = rest[sent:]
            if stalled:
                self._on_stall(time.monotonic() - began)
                stalled = False
            began = time.monotonic()

    def _stall_timeout(self, stalled: bool) -> float | None:
        if self._giving_up:
            return PATIENCE_AFTER_SIGNAL * 1000
        return None if stalled else STALL * 1000
