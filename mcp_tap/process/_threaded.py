"""A link where only threads can wait: Windows, whose pipes know no ``poll``.

A thread of the link's own blocks in ``read`` and hands one chunk at a time over, so that
receiving can time out and be stopped. It is a daemon: a ``read`` that nobody ends must not
keep the interpreter from exiting. Uses nothing but ``read``, ``write`` and ``close``, so it runs
on every system and is tested on all of them. What it cannot see: a reader that goes away
while the source is silent (the next write tells), and a stall.
"""

from __future__ import annotations

import os
import queue
import threading
import time

from mcp_tap.process.link import CHUNK, LINGER, LINGER_IN_ALL, Link, SinkGone, Stopped
from mcp_tap.process.own_streams import close_for_good


class ThreadedLink:
    """See :class:`mcp_tap.process.link.Link`."""

    def __init__(self, source: int, sink: int) -> None:
        self._sink: int | None = sink
        # One chunk waits here while the next is read: back-pressure reaches the source.
        self._chunks: queue.Queue[bytes | None] = queue.Queue(1)
        self._left = b""
        self._stopped = threading.Event()
        self._draining: float | None = None
        self.thread = threading.Thread(target=self._read, args=(source,), daemon=True, name=f"read {source}")
        self.thread.start()

    def receive(self, patience: float | None) -> bytes | None:
        while True:
            try:
                chunk = self._chunks.get(timeout=patience if self._draining is None else self._linger())
            except queue.Empty:
                if self._draining is not None:
                    raise Stopped(None) from None
                return None
            if self._stopped.is_set():
                self._left = chunk or b""
                raise Stopped
            if chunk is not None:  # None only wakes
                return chunk

    def send(self, data: bytes) -> None:
        assert self._sink is not None
        rest = memoryview(data)
        while rest:
            try:
                rest = rest[os.write(self._sink, rest) :]
            except OSError as error:
                raise SinkGone from error
            if self._stopped.is_set():
                raise Stopped

    def drain_source(self) -> bytes:
        left, self._left = self._left, b""
        try:
            return left + (self._chunks.get_nowait() or b"")
        except queue.Empty:
            return left

    def wait_for_close_of(self, other: Link) -> None:
        """A sink that goes away is not seen here, so there is nothing to wait for."""

    def reader_pids(self) -> frozenset[int] | None:
        """Windows does not tell; its launchers stay as long as what they have started."""
        return frozenset()

    def unread(self) -> int:
        return 0

    def close_source(self) -> None:
        # The reading thread closes it after the read it is in: closed here, the number could
        # be another file's by the time that read begins.
        self._stopped.set()
        self.drain_source()  # makes room, should the thread be waiting to hand a chunk over

    def close_sink(self) -> None:
        if self._sink is not None:
            close_for_good(self._sink)
            self._sink = None

    def drain(self) -> None:
        self._draining = time.monotonic()
        self._wake()

    def give_up_stalled(self) -> None:
        """A write that blocks here cannot be interrupted; its thread is a daemon."""

    def stop(self) -> None:
        self._stopped.set()
        self._wake()

    def close(self) -> None:
        """Nothing to close."""

    def _wake(self) -> None:
        try:
            self._chunks.put_nowait(None)
        except queue.Full:  # then nobody is waiting
            return

    def _linger(self) -> float:
        assert self._draining is not None
        return max(0.0, min(LINGER, self._draining + LINGER_IN_ALL - time.monotonic()))

    def _read(self, source: int) -> None:
        chunk = b"-"
        while chunk and not self._stopped.is_set():
            try:
                chunk = os.read(source, CHUNK)
            except OSError:
                chunk = b""
            if not self._stopped.is_set():
                self._chunks.put(chunk)
        close_for_good(source)
