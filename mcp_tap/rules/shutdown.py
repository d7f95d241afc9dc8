"""PRO: how the client ended the session, whether the server followed, and what stayed behind."""

from __future__ import annotations

import re

from mcp_tap.model.exchange import Exchange
from mcp_tap.model.methods import STAYS_OPEN
from mcp_tap.record.reader import Record
from mcp_tap.rules.case import Case, plural, seconds
from mcp_tap.rules.exits import NAMED, SIGNAL_CODES, is_failure, named_few, records_between
from mcp_tap.rules.facts.complaints import masked
from mcp_tap.rules.facts.life import launcher, name_of
from mcp_tap.rules.finding import Severity
from mcp_tap.rules.rule import Rule


class AtClose(Rule):
    """Base of rules that need to know what was open when the client began to end the session."""

    def __init__(self, case: Case) -> None:
        super().__init__(case)
        self.open: list[Exchange] | None = None
        """The client's requests that were open then; those that it had cancelled too."""
        self.unread: set[str] = set()
        """Streams of which nobody takes anything: a server that writes is blocked, one that does not read
        has not seen the end."""

    def event(self, record: Record) -> None:
        case, stream = self.case, record.fields.get("stream")
        if record.event in ("stall", "flow") and stream in ("c2s", "s2c", "stderr"):
            # One that flows again while the client leaves has held the server up until then.
            if record.event == "stall":
                self.unread.add(str(stream))
            elif not case.closed:
                self.unread.discard(str(stream))
        if self.open is None and case.closed:
            requests = [*case.session.pairing.superseded, *case.session.pairing.open.values()]
            self.open = [
                each
                for each in requests
                if each.side == "c2s" and each.outcome == "open" and each.method not in STAYS_OPEN
            ]

    def server_was_first(self) -> bool:
        """Whether it was the server that ended the session."""
        case = self.case
        if case.over:
            return case.session.ending.by != "client"
        closed = case.life.ends.get("s2c")
        return closed is not None and closed.t <= (case.client_closed_t or 0.0)


CLOCK_SLACK = 0.05
"""Seconds by which the client's two seconds may be shorter on record: the tap sees the end of stdin
a moment after the client has made it."""

DRAIN_SECONDS = 2.0
"""For so long the tap may follow what a server's children write after its end (``LINGER_IN_ALL``): the
record of the exit is as much later than the exit."""


class StaysAfterEof(AtClose):
    """The server does not exit when stdin is closed.

    What it means: the client closed stdin, which is how MCP asks a stdio server to end, and two
    seconds later the server was still running.

    Why it matters: the SDKs then send SIGTERM and later SIGKILL. Clients that send nothing, or that
    have died, leave the process behind: people have found hundreds of them. If a call was still
    being worked on, that may be the reason; then this is information only.

    Fails:
        5 ·· eof stream=c2s
        7 ·· signal name=SIGTERM forwarded=true
        7.1 ·· exit signal=SIGTERM first=client-eof

    Passes:
        5 ·· eof stream=c2s
        5.3 ·· signal name=SIGTERM forwarded=true
        5.4 ·· exit signal=SIGTERM first=client-eof

    What to do: leave the read loop when stdin ends, and end what keeps the process alive: timers,
    sockets, threads, child processes.
    """

    id = "PRO006"
    title = "the server does not exit when stdin is closed"
    severity = "warning"
    culprit = "server"
    next = "leave the read loop when stdin ends; end timers, threads and child processes that keep it alive"
    spec = "2025-11-25/basic/lifecycle#shutdown"

    def end(self) -> None:
        case = self.case
        life = case.life
        eof = life.ends.get("c2s")
        if eof is None or not case.whole or case.client_closed_by != "eof" or self.server_was_first():
            return
        later = [signal for signal in life.signals if signal.t >= eof.t and signal.fields.get("forwarded")]
        asked = later[0] if later else None
        if asked is None and life.exit is None:
            return
        until = asked.t if asked is not None else life.died_t or eof.t
        waited = until - eof.t
        if waited < case.thresholds.exit_seconds + self._doubt(asked) - CLOCK_SLACK or self.unread:
            return
        self._say(eof, waited, later)

    def _doubt(self, asked: Record | None) -> float:
        """By how many seconds the record of the exit may be later than the exit."""
        case = self.case
        ending, left = case.session.ending, (case.session.exit or {}).get("left", 0)
        if asked is not None and (ending.signal is not None or ending.code in SIGNAL_CODES or left == 0):
            return 0.0
        if asked is None and left == 0 and launcher(case.session.start) is None:
            return 0.0
        return DRAIN_SECONDS

    def _left_unasked(self) -> str:
        """How it ended, where the tap has passed on no signal."""
        ending = self.case.session.ending
        if ending.signal is not None:
            return f"it was killed by {ending.signal} then"
        if ending.code in SIGNAL_CODES:
            return f"it exited {ending.code} then, as a signal makes programs do"
        return "it left by itself then"

    def _say(self, eof: Record, waited: float, signals: list[Record]) -> None:
        case = self.case
        life = case.life
        names = list(dict.fromkeys(name_of(signal) for signal in signals))
        if not names:
            how = self._left_unasked()
        elif life.exit is None:
            how = f"{names[0]} was sent then, and its end is not on file"
        else:
            took = (life.died_t or life.exit.t) - signals[0].t
            soon = "at once" if took < AT_ONCE_SECONDS else f"in {took:.1f} s"
            how = f"needed {' and '.join(names[:NAMED])} (exited {soon})"
        busy = self.open or []
        severity: Severity | None = None
        if busy:
            severity = "info"
            how += f"; it may have been at work on {named_few(busy)}"
        last = life.exit.seq if life.exit is not None else signals[-1].seq
        self.hit(
            [*dict.fromkeys((eof.seq, *(signal.seq for signal in signals[:NAMED]), last))],
            f"server still running {waited:.1f} s after stdin closed; {how}",
            severity=severity,
        )


class EndedBySignal(Rule):
    """The client ended the session by a signal.

    What it means: the client sent the server a signal without closing its stdin before. Claude Code
    sends SIGINT, SIGTERM a tenth of a second later, and SIGKILL after half a second; Gemini CLI
    sends SIGTERM.

    Why it matters: it is harmless to most servers. One that has something to save must do so on
    SIGINT and SIGTERM too, and within a few tenths of a second.

    Fails:
        3 ·· signal name=SIGINT forwarded=true
        3.01 ·· exit code=0 first=client-signal

    Passes:
        3 ·· eof stream=c2s
        3.1 ·· exit code=0 first=client-eof

    What to do: in a client, close stdin first and give the server two seconds. In a server, end on
    SIGINT and SIGTERM as on the end of stdin.
    """

    id = "PRO007"
    title = "the client ended the session by a signal"
    severity = "info"
    culprit = "client"
    next = "nothing; a server should end on SIGINT and SIGTERM as on the end of stdin"
    spec = "2025-11-25/basic/lifecycle#shutdown"

    def end(self) -> None:
        case = self.case
        if not case.whole or not case.life.signals or case.session.kind == "probe":
            return
        signal = case.life.signals[0]
        eof = case.life.ends.get("c2s")
        # ^C at a terminal is no client's doing: it reaches the server by itself.
        if case.client_closed_by != name_of(signal) or not signal.fields.get("forwarded"):
            return
        if case.session.ending.by == "server" or (eof is not None and eof.t - signal.t < AT_ONCE_SECONDS):
            return
        name = name_of(signal)
        self.hit(
            signal,
            f"client ended the session by {name} after {seconds(signal.t)}, without closing stdin first",
            key=name,
        )


AT_ONCE_SECONDS = 0.05
"""Within which the end of stdin and a signal are one act of the client."""


class LeftBehind(Rule):
    """Processes were left behind.

    What it means: when the server's process had ended, others that it had started still held its
    output. Where the command is a launcher (npx, uvx, a shell, docker) the one that is left is
    often the server itself.

    Why it matters: clients end the process that they have started, and most of them that one alone.
    What it has started lives on without a client, and such processes pile up.

    Fails:
        ·· start format=1 argv='["npx","-y","notes-server"]'
        3 ·· eof stream=c2s
        3.3 ·· exit code=0 first=client-eof left=1

    Passes:
        3 ·· eof stream=c2s
        3.3 ·· exit code=0 first=client-eof

    What to do: start the server itself instead of the launcher (the path of what npx or uvx has
    installed, `exec` in shell scripts); let the server end when its stdin ends.
    """

    id = "PRO012"
    title = "processes were left behind"
    severity = "info"
    culprit = "server"
    next = "start the server itself instead of a launcher (`exec` in scripts); let it end when stdin ends"

    def event(self, record: Record) -> None:
        left = record.fields.get("left")
        if record.event != "exit" or not isinstance(left, int) or isinstance(left, bool) or left <= 0:
            return
        name = launcher(self.case.session.start)
        were = f"{plural(left, 'descendant')} {'was' if left == 1 else 'were'} still alive after"
        if name is not None:
            message = f"command is a launcher ({name}); {were} it exited"
            self.hit(record, message, key=name, severity="warning", culprit="launcher")
        else:
            self.hit(record, f"{were} the server had exited, and held its output")


BROKEN_PIPE = re.compile(rb"EPIPE|[Bb]roken ?[Pp]ipe|ECONNRESET|ERR_STREAM_(?:DESTROYED|WRITE_AFTER_END)")
"""What programs say of a reader that is gone."""


class ClosedAbruptly(AtClose):
    """The client closed the connection while the server was writing.

    What it means: the client stopped reading the server's stdout while answers were still to come.
    What the server wrote then met a broken pipe.

    Why it matters: the traceback and the exit code that follow look like a crash and are none: they
    are what a broken pipe does. Answers that were under way are lost.

    Fails:
        1 → 5 tools/call {"name":"export","arguments":{}}
        1.5 ·· eof stream=c2s
        2 ← 5 result {"content":[]}
        2 ·· broken_pipe stream=s2c
        2.1 2> BrokenPipeError: [Errno 32] Broken pipe
        2.2 ·· exit code=1 first=client-eof

    Passes:
        1 → 5 tools/call {"name":"export","arguments":{}}
        1.2 ← 5 result {"content":[]}
        1.5 ·· broken_pipe stream=s2c
        1.5 ·· eof stream=c2s
        1.6 ·· exit code=0 first=client-gone

    What to do: nothing in the server, unless its log is to stay quiet: then catch the broken pipe
    when writing, and exit. In a client: read until the server has closed its stdout.
    """

    id = "PRO016"
    title = "the client closed while the server was writing"
    severity = "info"
    culprit = "client"
    next = "nothing: what the server says of a broken pipe is a consequence, and so is its exit code"

    def __init__(self, case: Case) -> None:
        super().__init__(case)
        self.complaints: list[int] = []
        """Lines of stderr about a broken pipe, after the client had closed."""
        self.quoted: str | None = None

    def stderr(self, record: Record) -> None:
        if self.case.closed and len(self.complaints) < NAMED and BROKEN_PIPE.search(record.payload[:500]):
            self.complaints.append(record.seq)
            self.quoted = self.quoted or record.payload[:500].decode(errors="replace")

    def end(self) -> None:
        case = self.case
        life = case.life
        broken = life.breaks.get("s2c")
        if self.open is None or not case.whole or self.server_was_first():
            return
        failed = broken is not None and is_failure(case.session.ending.code) and not life.signals
        answered = [each for each in self.open if each.outcome != "open"] if broken is not None else []
        if not self.complaints and not failed and not answered:
            return  # an end like any other: many clients close both pipes at once
        self.hit(
            [*dict.fromkeys((*self._closing(), *([] if broken is None else [broken.seq]), *self.complaints))],
            f"client closed the connection while {self._still_to_come(answered)}{self._consequences(failed)}",
            evidence=None if self.quoted is None else masked(self.quoted),
            explains=records_between(min(self._closing(), default=0), case.session.next_seq - 1),
        )

    def _still_to_come(self, answered: list[Exchange]) -> str:
        """``1 response was in flight``"""
        if answered:
            return plural(len(answered), "response was in flight", "responses were in flight")
        waiting = [each for each in self.open or [] if each.cancelled_t is None]
        if waiting:
            return plural(len(waiting), "request was open", "requests were open")
        return "the server was still writing"

    def _closing(self) -> list[int]:
        """The record by which the client began to end the session."""
        life = self.case.life
        ways = [life.ends.get("c2s"), life.breaks.get("s2c"), *life.signals[:1]]
        known = [record.seq for record in ways if record is not None]
        return [min(known)] if known else []

    def _consequences(self, failed: bool) -> str:
        """What followed from it."""
        what = ["BrokenPipe in stderr"] if self.complaints else []
        if failed:
            what.append(f"exit {self.case.session.ending.code}")
        if not what:
            return ""
        return f"; {' and '.join(what)} {'is a consequence' if len(what) == 1 else 'are consequences'}"


RULES: tuple[type[Rule], ...] = (StaysAfterEof, EndedBySignal, LeftBehind, ClosedAbruptly)
