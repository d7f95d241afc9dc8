"""Whether a server that has ended is served on: by what it has started, over the pipes that it has left.

A launcher may start the real server and exit. Without the tap nobody notices, since the pipes
stay. A server may also leave processes behind that hold its pipes and serve nobody (a worker, a
helper, a daemon), and their client is to see the end at once. What decides is who reads the
client's words: a process that has ended the server's way cannot be told from one that waits.
"""

from __future__ import annotations

import time
from typing import Protocol

from mcp_tap.process.link import LINGER, LINGER_IN_ALL, Link
from mcp_tap.tap.stream import StreamRecorder

FIRST_READ = 10.0
"""Seconds in which a program that was started by the server reads what waits for it.

More than servers take to boot. One that has read once may take its time, as any server may."""


class Launcher(Protocol):
    """The server that has ended: see ``process.child``."""

    def is_copy(self, pid: int) -> bool: ...


class Successor:
    """Whoever holds the server's stdin now. Made when the server has ended."""

    def __init__(self, server: Launcher, link: Link, said: StreamRecorder) -> None:
        self._link = link
        self._said = said
        self._said_before = said.byte_count
        self._waited = link.unread()
        self._began = time.monotonic()
        self._has_read = False
        self._unread_since: float | None = None
        readers = link.reader_pids()
        self._is_there = readers is None or bool(readers)
        # A copy of the server, a fork that it has left behind, mostly waits for work and not for words.
        self._was_started = any(not server.is_copy(pid) for pid in readers or ())

    def may_serve(self) -> bool:
        """Whether somebody has read the client's words since, or still may. To be asked now and then."""
        if not self._is_there or self._has_read:
            return self._has_read
        unread = self._link.unread()
        if unread < self._waited + self._said.byte_count - self._said_before:
            self._has_read = True
            return True
        if not unread:
            return self._was_started or time.monotonic() - self._began < LINGER
        self._unread_since = self._unread_since or time.monotonic()
        patience = FIRST_READ if self._was_started else LINGER_IN_ALL
        return time.monotonic() - self._unread_since < patience
