"""TAP006: a reader took nothing."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass

from mcp_tap.diagnosis.context import SessionContext
from mcp_tap.diagnosis.finding import Culprit, Hit
from mcp_tap.diagnosis.rule import Rule
from mcp_tap.diagnosis.text import seconds
from mcp_tap.record.reader import Record

STUCK_SECONDS = 10.0
"""Seconds after which a reader that takes nothing is stuck; busy ones take a few."""

READERS: dict[str, tuple[Culprit, str, str]] = {
    "s2c": (
        "client",
        "client took nothing from the server's stdout",
        "let the client read stdout all the time, also while it writes or works",
    ),
    "c2s": (
        "server",
        "server took nothing from its stdin",
        "let the server read stdin all the time: do not block the read loop in handlers",
    ),
    "stderr": (
        "client",
        "nobody took anything from the server's stderr",
        "let the client read stderr all the time, or send it to a file",
    ),
}
"""Who reads a stream, in a sentence, and what to do."""


@dataclass(slots=True, eq=False)
class Longest:
    """The longest time for which a reader took nothing, and whether it has begun again after it."""

    seconds: float = 0.0
    over: bool = False


class ReaderStalled(Rule):
    """A reader took nothing.

    What it means: the tap had bytes to hand over and for a second or more nobody took them: the
    pipe was full. It waits then, as the pipe itself would without the tap.

    Why it matters: whoever writes to a full pipe is blocked. A server that cannot get rid of its
    stderr stops answering; a client that does not read, while it writes, may block both sides. Up
    to ten seconds, or on stderr, this is information; if it goes on, a warning.

    Fails:
        3 ·· stall stream=s2c
        20 ·· flow stream=s2c seconds=18.0

    Passes:
        3 ·· eof stream=c2s
        3.1 ·· stall stream=s2c
        4 ·· exit code=0 first=client-eof

    What to do: read all streams all the time, on both sides.
    """

    id = "TAP006"
    title = "a reader took nothing"
    severity = "info"
    culprit = "undecided"
    next = "read all streams all the time, on both sides"

    def __init__(self, context: SessionContext) -> None:
        super().__init__(context)
        self.since: dict[str, Record] = {}
        """Streams of which the reader takes nothing just now."""
        self._longest: dict[Hashable, Longest] = {}
        """By the key of a finding, which is the stream."""

    def event(self, record: Record) -> None:
        stream = record.fields.get("stream")
        if self.context.closed:
            if self.context.client_closed_t == record.t:
                self._finish(record.t)
            return
        if not isinstance(stream, str) or stream not in READERS:
            return
        if record.event == "stall":
            self.since.setdefault(stream, record)
        elif record.event == "flow" and stream in self.since:
            self._note(stream, self.since.pop(stream), record.t, over=True)

    def end(self) -> None:
        self._finish(self.context.session.last_t)

    def _finish(self, t: float) -> None:
        """What stalls still has done so up to ``t``."""
        for stream, stall in self.since.items():
            self._note(stream, stall, t, over=False)
        self.since.clear()

    def _note(self, stream: str, stall: Record, until: float, *, over: bool) -> None:
        culprit, _, advice = READERS[stream]
        took = max(0.0, until - stall.t) + STALL_SECONDS
        waiting = (
            [] if over else [each.seq for each in self.context.session.unanswered() if each.side == "c2s"]
        )
        hit = self.hit([stall.seq, *waiting[:REQUESTS_NAMED]], "", key=stream, culprit=culprit, next=advice)
        longest = self._longest.setdefault(stream, Longest())
        if took > longest.seconds:
            longest.seconds, longest.over = took, over
        if took >= STUCK_SECONDS and stream != "stderr":
            hit.severity = "warning"

    def sentence(self, hit: Hit) -> str:
        _, what, _ = READERS[str(hit.key)]
        longest = self._longest[hit.key]
        often = "for" if hit.count == 1 else f"{hit.count:,} times, for up to"
        on = "" if longest.over else ", and had not begun again"
        return f"{what} {often} {seconds(longest.seconds)}{on}: what was sent to it waited"


REQUESTS_NAMED = 3
"""Requests that waited meanwhile, of which the records are named."""

STALL_SECONDS = 1.0
"""For so long a reader has taken nothing when the tap says so."""
