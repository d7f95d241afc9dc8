"""A stdio session on threads of its own, which carry before there is an event loop.

Everything that a byte or a signal meets is here, so that nothing the client says waits for
imports; ``stdio`` then owns the threads' end.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from typing import Any, NamedTuple, Protocol

from mcp_tap.process.join import LinkKind, join
from mcp_tap.process.link import LINGER, Link, OnStall
from mcp_tap.process.own_streams import STDERR, STDIN, STDOUT, close_for_good
from mcp_tap.process.signals import pending, signal_name
from mcp_tap.record.schema import STREAMS, First, Stream
from mcp_tap.tap.pump import PumpEnd, pump
from mcp_tap.tap.recorder import Recorder
from mcp_tap.tap.serving import Successor
from mcp_tap.tap.stream import StreamRecorder
from mcp_tap.tap.threads import Latch, Worker

SETTLE = 1.0
"""Seconds within which a server that closed its stdout and then ended did one thing, not two."""

CLOSING = 2.0
"""Seconds for what serves on after its launcher's end, and for its last words, once the client has left.

The official SDKs wait this long before they send a signal."""

PAUSE = 0.03
"""Seconds without traffic that count as a pause: many times what a client needs for its next request."""

LATEST = 2.0
"""Seconds after which a server that is silent counts as booted."""

ENDING_SIGNALS = frozenset({"SIGTERM", "SIGINT", "SIGHUP", "SIGQUIT"})
"""By these a client means the end. The others may mean anything, unless the server dies by them."""


class Server(Protocol):
    """What a session needs of the running server: see ``process.child``."""

    stdin: int | None
    stdout: int | None
    stderr: int | None

    def wait(self) -> tuple[int | None, int | None]: ...
    def send_signal(self, number: int) -> bool: ...
    def terminate(self) -> bool: ...
    def kill(self) -> bool: ...
    def reap(self) -> None: ...
    def is_copy(self, pid: int) -> bool: ...


class Watch(Protocol):
    """A source of signals that runs on a thread until it is stopped."""

    def run(self) -> None: ...
    def stop(self) -> None: ...


MakeWatch = Callable[[Callable[[int], None], Callable[[int], bool], Callable[[str, bool, bool], None]], Watch]
"""Given whom to tell that a signal has come, how to pass it on, and whom to tell what became of it."""


class SessionEnd(NamedTuple):
    """How the server ended: an exit code or a signal; ``refused``: because the log had failed."""

    code: int | None
    signal: int | None
    refused: bool = False


class TapSession:
    """One run of the tap, from the started server to its end.

    Owns the links, and through them the server's pipes and descriptors 0 to 2. The recorder is
    the caller's to close. ``merged``: stdout and stderr are one stream, so the server writes both
    to its stdout's pipe.
    """

    def __init__(
        self,
        server: Server,
        recorder: Recorder,
        make_watch: MakeWatch,
        *,
        own: tuple[int, int, int] = (STDIN, STDOUT, STDERR),
        kind: LinkKind | None = None,
        merged: bool = False,
    ) -> None:
        self.server = server
        self.recorder = recorder
        self._own = own
        self._merged = merged
        self.streams = {name: StreamRecorder(recorder, name) for name in STREAMS}
        self.links = self._join(kind)
        self.ended = False
        self.server_gone, self.refused, self.over = Latch(), Latch(), Latch()
        """The server has ended; the log has refused a record; the output is drained, too."""
        self._parted, self._silenced = Latch(), Latch()
        """Client and server have let go of each other, or are to; nothing more comes from the server."""
        self._urgent = Latch()
        for latch in (self.refused, self.over):
            latch.when_open(self._urgent.open)
        self._signals: set[str] = set()
        self._signalled = False
        self._lock = threading.Lock()
        self._running = len(self.links) + 1
        self._pumps = {name: self._start_pump(name) for name in self.links}
        self._server_end = Worker(self._wait_for_end, "server's end", self._on_end_of)
        self.watch = make_watch(self._expect_signal, self.server.send_signal, self._on_signal)
        self._watching = Worker(self.watch.run, "signals")

    def wait_for_pause(self) -> None:
        """Wait until the server has answered and both are silent, or there is something to do.

        What the tap has to import until then would take a processor from a server that boots,
        and the interpreter from the threads that carry. It can wait.
        """
        latest, before = time.monotonic() + LATEST, -1
        while not self._urgent.wait(PAUSE):
            passed = sum(stream.byte_count for stream in self.streams.values())
            booted = self.streams["s2c"].byte_count or time.monotonic() > latest
            if booted and passed == before:
                return
            before = passed

    def wait(self) -> None:
        """Wait until the session is over, where there is no event loop that could own it."""
        self._urgent.wait()
        if not self.ended:
            self.server.kill()  # it may not go on unrecorded
        self.over.wait()

    def _join(self, kind: LinkKind | None) -> dict[Stream, Link]:
        server, (stdin, stdout, stderr) = self.server, self._own
        pairs: tuple[tuple[Stream, int | None, int | None], ...] = (
            ("c2s", stdin, server.stdin),
            ("s2c", server.stdout, stdout),
            ("stderr", server.stderr, stderr),
        )
        links = {
            name: join(source, sink, self._stall_reporter(name), kind=kind)
            for name, source, sink in pairs
            if source is not None and sink is not None
        }
        for name, link in links.items():
            for other in links:
                # The client turns away from an end and tells the server so, or the reverse.
                if (name == "c2s") != (other == "c2s"):
                    link.wait_for_close_of(links[other])
        return links

    def _start_pump(self, name: Stream) -> Worker[PumpEnd]:
        link, stream = self.links[name], self.streams[name]

        def run() -> PumpEnd:
            end = pump(link, stream)
            if name == "s2c" and self._merged:
                close_for_good(self._own[2])  # or the client would wait for the end of it
            if end.refused:
                self.refused.open()
            return end

        return Worker(run, name, self._on_end_of)

    def _on_end_of(self, worker: Worker[Any]) -> None:
        """One thread less; the session is over with the last one, or where one has failed."""
        if worker.thread.name in ("c2s", "s2c"):
            self._parted.open()
        if worker.thread.name == "s2c":
            self._silenced.open()
        with self._lock:
            self._running -= 1
        if not self._running or worker.error is not None:
            self.over.open()

    def _wait_for_end(self) -> tuple[int | None, int | None]:
        code, number = self.server.wait()
        self._wait_while_served_on()
        self._on_end(number)
        self.server_gone.open()
        return code, number

    def _wait_while_served_on(self) -> None:
        """After the server's end: what it has started may serve the client on over its pipes."""
        if not {"c2s", "s2c"} <= self.links.keys():
            return
        successor = Successor(self.server, self.links["c2s"], self.streams["c2s"])
        while successor.may_serve() and not self._parted.wait(LINGER):
            pass
        if self._parted.is_open and not self._signalled:
            self._silenced.wait(CLOSING)

    def _on_end(self, number: int | None) -> None:
        """The server has ended: nothing more goes in, what is left comes out."""
        self.ended = True
        by_client = number is not None and (signal_name(number) in self._signals or number in pending())
        cause: First = "client-signal" if by_client else "server-exit"
        self.recorder.ended_by(cause)
        self.recorder.settle("server-eof", cause, SETTLE)
        for name, link in self.links.items():
            if name == "c2s":
                link.stop()
            else:
                link.drain()
            if self._signalled:
                link.give_up_stalled()

    def _expect_signal(self, number: int) -> None:
        """What a signal may bring about is known before it can."""
        name = signal_name(number)
        self._signals.add(name)
        if name in ENDING_SIGNALS:
            self.recorder.ended_by("client-signal")

    def _on_signal(self, name: str, forwarded: bool, shared: bool) -> None:
        more: dict[str, Any] = {"shared": True} if shared else {}
        self.recorder.event("signal", name=name, forwarded=forwarded, **more)
        if name not in ENDING_SIGNALS:
            return
        self._signalled = True
        self._parted.open()
        if self.ended:
            for link in self.links.values():
                link.give_up_stalled()

    def _stall_reporter(self, name: Stream) -> OnStall:
        def report(seconds: float | None) -> None:
            if seconds is None:
                self.recorder.event("stall", stream=name)
            else:
                self.recorder.event("flow", stream=name, seconds=round(seconds, 6))

        return report

    def finish(self) -> SessionEnd:
        """Put everything away and record the end, when it is ``over``; raises what a thread has raised."""
        for worker in self._pumps.values():
            if worker.error is not None:
                raise worker.error
        code, number = self._server_end.value()
        ends = {name: worker.value() for name, worker in self._pumps.items()}
        # Only now: a signal that comes while the output is drained still counts.
        self.watch.stop()
        self._watching.value()
        self.server.reap()
        for link in self.links.values():
            link.close()
        self._record_exit(code, number, ends)
        return SessionEnd(code, number, any(end.refused for end in ends.values()))

    def _record_exit(self, code: int | None, number: int | None, ends: dict[Stream, PumpEnd]) -> None:
        holders = [end.pipe_holders for name, end in ends.items() if name != "c2s"]
        known = [pids for pids in holders if pids is not None]
        self.recorder.event(
            "exit",
            code=code,
            signal=None if number is None else signal_name(number),
            first=self.recorder.first,
            lines={name: self.streams[name].line_count for name in STREAMS},
            bytes={name: self.streams[name].byte_count for name in STREAMS},
            left=len(frozenset().union(*known)) if len(known) == len(holders) else None,
        )
