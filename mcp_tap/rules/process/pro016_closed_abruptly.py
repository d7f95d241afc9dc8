"""PRO016: the client closed while the server was writing."""

from __future__ import annotations

from mcp_tap.diagnosis.context import SessionContext
from mcp_tap.diagnosis.recognise.complaints import masked
from mcp_tap.diagnosis.rule import Rule
from mcp_tap.diagnosis.text import plural
from mcp_tap.model.exchange import Exchange
from mcp_tap.record.patterns import lazy
from mcp_tap.record.reader import Record
from mcp_tap.rules.process._base import NAMED, OpenAtClose, is_failure, records_between, server_was_first

BROKEN_PIPE = lazy(rb"EPIPE|[Bb]roken ?[Pp]ipe|ECONNRESET|ERR_STREAM_(?:DESTROYED|WRITE_AFTER_END)")
"""What programs say of a reader that is gone."""


class ClosedAbruptly(Rule):
    """The client closed the connection while the server was writing.

    What it means: the client stopped reading the server's stdout while answers were still on their way.
    What the server wrote after that met a broken pipe.

    Why it matters: the traceback and the exit code that follow look like a crash but are not: they are
    caused by the broken pipe. Answers that were on their way are lost.

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

    What to do: nothing in the server, unless its log should stay quiet: then catch the broken pipe when
    writing, and exit. In a client: read until the server has closed its stdout.
    """

    id = "PRO016"
    title = "the client closed while the server was writing"
    severity = "info"
    culprit = "client"
    needs_whole = True
    next = "nothing: what the server says about a broken pipe is a consequence, and so is its exit code"

    def __init__(self, context: SessionContext) -> None:
        super().__init__(context)
        self.at_close = context.shared(OpenAtClose)
        self.complaints: list[int] = []
        """Lines of stderr about a broken pipe, after the client had closed."""
        self.quoted: str | None = None

    def event(self, record: Record) -> None:
        self.at_close.look(self.context)

    def stderr(self, record: Record) -> None:
        if self.context.closed and len(self.complaints) < NAMED and BROKEN_PIPE.search(record.payload[:500]):
            self.complaints.append(record.seq)
            self.quoted = self.quoted or record.payload[:500].decode(errors="replace")

    def end(self) -> None:
        context = self.context
        life = context.life
        broken = life.breaks.get("s2c")
        left_open = self.at_close.requests
        if left_open is None or server_was_first(context):
            return
        failed = broken is not None and is_failure(context.session.ending.code) and not life.signals
        answered = [each for each in left_open if each.outcome != "open"] if broken is not None else []
        if not self.complaints and not failed and not answered:
            return  # an end like any other: many clients close both pipes at once
        self.hit(
            [*dict.fromkeys((*self._closing(), *([] if broken is None else [broken.seq]), *self.complaints))],
            f"client closed the connection while {self._still_to_come(answered)}{self._consequences(failed)}",
            evidence=None if self.quoted is None else masked(self.quoted),
            explains=records_between(min(self._closing(), default=0), context.session.next_seq - 1),
        )

    def _still_to_come(self, answered: list[Exchange]) -> str:
        """``1 response was in flight``"""
        if answered:
            return plural(len(answered), "response was in flight", "responses were in flight")
        waiting = [each for each in self.at_close.requests or [] if each.cancelled_t is None]
        if waiting:
            return plural(len(waiting), "request was open", "requests were open")
        return "the server was still writing"

    def _closing(self) -> list[int]:
        """The record by which the client began to end the session."""
        life = self.context.life
        ways = [life.ends.get("c2s"), life.breaks.get("s2c"), *life.signals[:1]]
        known = [record.seq for record in ways if record is not None]
        return [min(known)] if known else []

    def _consequences(self, failed: bool) -> str:
        """What followed from it."""
        what = ["the broken pipe error on stderr"] if self.complaints else []
        if failed:
            what.append(f"exit code {self.context.session.ending.code}")
        if not what:
            return ""
        return f"; {' and '.join(what)} {'is a consequence' if len(what) == 1 else 'are consequences'}"
