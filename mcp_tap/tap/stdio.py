"""A stdio session: one task a stream, one for signals, ended in the right order."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Protocol

import anyio

from mcp_tap.process.join import LinkKind, join
from mcp_tap.process.link import Link, OnStall
from mcp_tap.process.own_streams import STDERR, STDIN, STDOUT, close_for_good
from mcp_tap.process.signals import signal_name
from mcp_tap.record.schema import STREAMS, First, Stream
from mcp_tap.tap.pump import PumpEnd, pump
from mcp_tap.tap.recorder import Recorder, StreamRecorder
from mcp_tap.tap.threads import Worker

SETTLE = 1.0
"""Seconds within which a server that closed its stdout and then ended did one thing, not two."""

STOP_GRACE = 2.0
"""Seconds that a server gets to end by itself when the recording may not go on without its log.

What the official SDKs give it."""


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


class Watch(Protocol):
    """A source of signals that runs on a thread until it is stopped."""

    def run(self) -> None: ...
    def stop(self) -> None: ...


MakeWatch = Callable[[Callable[[int], bool], Callable[[str, bool], None]], Watch]
"""Given how to pass a signal on and whom to tell of it."""


@dataclass(frozen=True, slots=True)
class SessionEnd:
    """How the server ended: an exit code or a signal; ``refused``: because the log had failed."""

    code: int | None
    signal: int | None
    refused: bool = False


@dataclass(slots=True)
class TapSession:
    """One run of the tap, from the started server to its end.

    Owns the links, and through them the server's pipes and descriptors 0 to 2. The recorder is
    the caller's to close.
    """

    server: Server
    recorder: Recorder
    make_watch: MakeWatch
    own: tuple[int, int, int] = (STDIN, STDOUT, STDERR)
    kind: LinkKind | None = None
    merged: bool = False
    """stdout and stderr are one stream: the server writes both to its stdout's pipe."""
    links: dict[Stream, Link] = field(default_factory=dict)
    streams: dict[Stream, StreamRecorder] = field(default_factory=dict)
    ends: dict[Stream, PumpEnd] = field(default_factory=dict)
    gone: anyio.Event = field(default_factory=anyio.Event)
    ended: bool = False
    signals: set[str] = field(default_factory=set)
    signalled: bool = False

    async def run(self) -> SessionEnd:
        """Pump until the server has ended and its output is drained."""
        self._join()
        watch = self.make_watch(self._forward, self._on_signal)
        watching = Worker(watch.run, "signals")
        async with anyio.create_task_group() as tasks:
            for name in self.links:
                tasks.start_soon(self._pump, name)
            code, number = await Worker(self.server.wait, "server's end").result()
            self._on_end(number)
        # Only now: a signal that comes while the output is drained still counts.
        watch.stop()
        await watching.result()
        self.server.reap()
        for link in self.links.values():
            link.close()
        self._record_exit(code, number)
        return SessionEnd(code, number, any(end.refused for end in self.ends.values()))

    def _join(self) -> None:
        server, (stdin, stdout, stderr) = self.server, self.own
        pairs: tuple[tuple[Stream, int | None, int | None], ...] = (
            ("c2s", stdin, server.stdin),
            ("s2c", server.stdout, stdout),
            ("stderr", server.stderr, stderr),
        )
        for name, source, sink in pairs:
            self.streams[name] = self.recorder.stream(name)
            if source is not None and sink is not None:
                self.links[name] = join(source, sink, self._stall_reporter(name), kind=self.kind)
        for name, link in self.links.items():
            for other in self.links:
                # The client turns away from an end and tells the server so, or the reverse.
                if (name == "c2s") != (other == "c2s"):
                    link.wait_for_close_of(self.links[other])

    async def _pump(self, name: Stream) -> None:
        worker = Worker(lambda: pump(self.links[name], self.streams[name]), name)
        end = self.ends[name] = await worker.result()
        if name == "s2c" and self.merged:
            close_for_good(self.own[2])  # or the client would wait for the end of it
        if end.refused and not self.ended:
            await self._stop_server()

    async def _stop_server(self) -> None:
        """End the session, which may not go on unrecorded, step by step as a client would."""
        if "c2s" in self.links:
            self.links["c2s"].stop()
        self.server.terminate()
        with anyio.move_on_after(STOP_GRACE):
            await self.gone.wait()
        if not self.ended:
            self.server.kill()

    def _on_end(self, number: int | None) -> None:
        """The server has ended: nothing more goes in, what is left comes out."""
        self.ended = True
        self.gone.set()
        by_client = number is not None and signal_name(number) in self.signals
        cause: First = "client-signal" if by_client else "server-exit"
        self.recorder.ended_by(cause)
        self.recorder.settle("server-eof", cause, SETTLE)
        for name, link in self.links.items():
            if name == "c2s":
                link.stop()
            else:
                link.drain()
            if self.signalled:
                link.give_up_stalled()

    def _forward(self, number: int) -> bool:
        """Pass a signal on; what it may bring about is known before it can."""
        name = signal_name(number)
        self.signals.add(name)
        if name in ENDING_SIGNALS:
            self.recorder.ended_by("client-signal")
        return self.server.send_signal(number)

    def _on_signal(self, name: str, forwarded: bool) -> None:
        self.recorder.event("signal", name=name, forwarded=forwarded)
        self.signals.add(name)
        if name not in ENDING_SIGNALS:
            return
        self.recorder.ended_by("client-signal")
        self.signalled = True
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

    def _record_exit(self, code: int | None, number: int | None) -> None:
        pipe_holders = [end.pipe_holders for name, end in self.ends.items() if name != "c2s"]
        known = [pids for pids in pipe_holders if pids is not None]
        self.recorder.event(
            "exit",
            code=code,
            signal=None if number is None else signal_name(number),
            first=self.recorder.first,
            lines={name: self.streams[name].line_count for name in STREAMS},
            bytes={name: self.streams[name].byte_count for name in STREAMS},
            left=len(frozenset().union(*known)) if len(known) == len(pipe_holders) else None,
        )
