"""PRO006: the server does not exit when stdin is closed."""

from __future__ import annotations

from mcp_tap.diagnosis.context import SessionContext
from mcp_tap.diagnosis.finding import Severity
from mcp_tap.diagnosis.life import has_reached_server, launcher, name_of
from mcp_tap.diagnosis.rule import Rule
from mcp_tap.diagnosis.text import seconds
from mcp_tap.record.reader import Record
from mcp_tap.rules.process._base import (
    AT_ONCE_SECONDS,
    NAMED,
    SIGNAL_CODES,
    OpenAtClose,
    named_few,
    server_was_first,
)

CLOCK_SLACK = 0.05
"""Seconds by which the client's two seconds may be shorter on record: the tap sees the end of stdin
a moment after the client has made it."""

DRAIN_SECONDS = 2.0
"""For so long the tap may follow what a server's children write after its end (``LINGER_IN_ALL``): the
record of the exit is as much later than the exit."""


class StaysAfterEof(Rule):
    """The server does not exit when stdin is closed.

    What it means: the client closed stdin, which is how MCP tells a stdio server to exit, and two
    seconds later the server was still running.

    Why it matters: the SDKs then send SIGTERM and later SIGKILL. Clients that send nothing, or that
    have died, leave the process behind: people have found hundreds of them. If a call was still
    running, that may be the reason; then this is only information.

    Fails:
        5 ·· eof stream=c2s
        7 ·· signal name=SIGTERM forwarded=true
        7.1 ·· exit signal=SIGTERM first=client-eof

    Passes:
        5 ·· eof stream=c2s
        5.3 ·· signal name=SIGTERM forwarded=true
        5.4 ·· exit signal=SIGTERM first=client-eof

    What to do: leave the read loop when stdin ends, and stop whatever keeps the process alive: timers,
    sockets, threads, child processes.
    """

    id = "PRO006"
    title = "the server does not exit when stdin is closed"
    severity = "warning"
    culprit = "server"
    needs_whole = True
    next = (
        "leave the read loop when stdin ends; stop the timers, threads and child processes that keep the "
        "server alive"
    )
    spec = "2025-11-25/basic/lifecycle#shutdown"

    def __init__(self, context: SessionContext) -> None:
        super().__init__(context)
        self.at_close = context.shared(OpenAtClose)
        self.unread: set[str] = set()
        """Streams of which nobody takes anything: a server that writes is blocked, one that does not read
        has not seen the end."""

    def event(self, record: Record) -> None:
        stream = record.fields.get("stream")
        if record.event in ("stall", "flow") and stream in ("c2s", "s2c", "stderr"):
            # One that flows again while the client leaves has held the server up until then.
            if record.event == "stall":
                self.unread.add(str(stream))
            elif not self.context.closed:
                self.unread.discard(str(stream))
        self.at_close.look(self.context)

    def end(self) -> None:
        context = self.context
        life = context.life
        eof = life.ends.get("c2s")
        if eof is None or context.client_closed_by != "eof" or server_was_first(context):
            return
        later = [signal for signal in life.signals if signal.t >= eof.t and has_reached_server(signal)]
        asked = later[0] if later else None
        if asked is None and life.exit is None:
            return
        until = asked.t if asked is not None else life.died_t or eof.t
        waited = until - eof.t
        if waited < context.thresholds.exit_seconds + self._doubt(asked) - CLOCK_SLACK or self.unread:
            return
        self._say(eof, waited, later)

    def _doubt(self, asked: Record | None) -> float:
        """By how many seconds the record of the exit may be later than the exit."""
        context = self.context
        ending, left = context.session.ending, (context.session.exit or {}).get("left", 0)
        if asked is not None and (ending.signal is not None or ending.code in SIGNAL_CODES or left == 0):
            return 0.0
        if asked is None and left == 0 and launcher(context.session.start) is None:
            return 0.0
        return DRAIN_SECONDS

    def _left_unasked(self) -> str:
        """How it ended, where the tap has passed on no signal."""
        ending = self.context.session.ending
        if ending.signal is not None:
            return f"it was then killed by {ending.signal}"
        if ending.code in SIGNAL_CODES:
            return f"it then exited with {ending.code}, as programs do on a signal"
        return "it then exited by itself"

    def _say(self, eof: Record, waited: float, signals: list[Record]) -> None:
        context = self.context
        life = context.life
        names = list(dict.fromkeys(name_of(signal) for signal in signals))
        if not names:
            how = self._left_unasked()
        elif life.exit is None:
            how = f"{names[0]} was then sent, and the recording has no exit event"
        else:
            took = (life.died_t or life.exit.t) - signals[0].t
            soon = "immediately" if took < AT_ONCE_SECONDS else f"after {seconds(took)}"
            how = f"it needed {' and '.join(names[:NAMED])} (exited {soon})"
        busy = self.at_close.requests or []
        severity: Severity | None = None
        if busy:
            severity = "info"
            how += f"; it may have been working on {named_few(busy)}"
        last = life.exit.seq if life.exit is not None else signals[-1].seq
        self.hit(
            [*dict.fromkeys((eof.seq, *(signal.seq for signal in signals[:NAMED]), last))],
            f"server still running {seconds(waited)} after stdin closed; {how}",
            severity=severity,
        )
