"""LIF023: silent after much stderr."""

from __future__ import annotations

from mcp_tap.diagnosis.context import SessionContext
from mcp_tap.diagnosis.pending import ended_by_client, explain, is_all_on_file, left_t, open_for
from mcp_tap.diagnosis.rule import Rule
from mcp_tap.diagnosis.text import plural, seconds
from mcp_tap.record.reader import Record
from mcp_tap.rules.lifecycle._base import QUIET_SECONDS

STDERR_BUFFER = {"win32": 4096}
"""Bytes of stderr that fit into a pipe which nobody reads, by platform."""


class StderrNotRead(Rule):
    """Everything fell silent after much stderr.

    What it means: the server had written as much to stderr as a pipe holds (64 KiB, on Windows
    4 KiB), and then nothing more came, neither on stderr nor on stdout, while requests were
    open. Where the tap can tell (not on Windows), it is sure that the client had stopped reading
    stderr.

    Why it matters: a server that logs into a full pipe is blocked in that write, often after an
    hour in which all was well. It looks as if the server hung.

    Fails:
        1 2> the last of 64 KiB of log lines
        2 ·· stall stream=stderr
        3 → 5 tools/call {"name":"search","arguments":{}}
        63 ·· eof stream=c2s
        63.1 ·· exit code=0 first=client-eof

    Passes:
        1 2> the last of 64 KiB of log lines
        2 ·· stall stream=stderr
        3 → 5 tools/call {"name":"search","arguments":{}}
        4 ← 5 result {"content":[]}

    What to do: let the client read the server's stderr all the time, or send it to a file or to
    nothing. Until then log less.
    """

    id = "LIF023"
    title = "silent after much stderr"
    severity = "warning"
    culprit = "client"
    certainty = "heuristic"
    needs_whole = True
    next = "let the client read the server's stderr all the time, or redirect it; log less until then"

    def __init__(self, context: SessionContext) -> None:
        super().__init__(context)
        self.stalled: int | None = None
        """The record since which the reader of stderr takes nothing."""
        self.last: int | None = None
        """The last record of stderr."""
        self.last_t = 0.0

    def stderr(self, record: Record) -> None:
        self.last, self.last_t = record.seq, record.t

    def event(self, record: Record) -> None:
        if record.fields.get("stream") == "stderr":
            if record.event == "stall" and not self.context.closed:
                self.stalled = record.seq
            elif record.event == "flow":
                self.stalled = None

    def end(self) -> None:
        context = self.context
        if self.last is None or not is_all_on_file(context) or not context.closed:
            return
        if context.last_s2c_seq is not None and context.last_s2c_seq > self.last:
            return  # stdout was the last sign of life
        if context.over and not ended_by_client(context):
            return
        written = context.session.bytes["stderr"]
        platform = context.session.start.get("platform")
        if self.stalled is None:
            # Elsewhere the tap would have noted that the reader stopped.
            limit = STDERR_BUFFER.get(platform) if isinstance(platform, str) else None
            if limit is None or written < limit:
                return
        waiting = [each for each in context.session.unanswered() if each.side == "c2s"]
        if left_t(context) - self.last_t < QUIET_SECONDS or not waiting:
            return
        if open_for(waiting[0], context) < QUIET_SECONDS:
            return
        silent = seconds(left_t(context) - self.last_t)
        after = f"all streams silent for {silent} after {written:,} bytes of stderr"
        open_ = plural(len(waiting), "request")
        if self.stalled is not None:
            message = f"{after}, which the client had stopped reading; {open_} unanswered"
        else:
            message = f"{after}, {open_} unanswered: the reader of stderr may have stopped"
        records = [self.last, *(() if self.stalled is None else (self.stalled,)), waiting[0].seq]
        hit = self.hit(records, message, culprit="client" if self.stalled is not None else "undecided")
        explain(hit, (each.seq for each in waiting))
