"""FRM015: line of more than 10 MiB."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import replace

from mcp_tap.diagnosis.asked import other
from mcp_tap.diagnosis.context import InvalidLine, Occurrence, SessionContext
from mcp_tap.diagnosis.finding import Finding, Hit
from mcp_tap.diagnosis.interest import sees
from mcp_tap.diagnosis.rule import Rule
from mcp_tap.diagnosis.text import called, key_of_request, named
from mcp_tap.model.message import Side
from mcp_tap.record.reader import Record

TS_LIMIT = 10 * 1024 * 1024
"""Bytes of a line at which the TypeScript SDK closes the connection (measured, 1.32 and 2.4)."""


class HugeLine(Rule):
    """A line of more than 10 MiB.

    What it means: one message is longer than the line buffer of the TypeScript SDK.

    Why it matters: that SDK, which most clients use, closes the connection at 10 MiB (-32000,
    "Connection closed"). The Python SDK reads such lines. It is a warning if the other side went on
    afterwards.

    Fails (and PRF004, PRF010):
        → 1 tools/call {"name":"dump"}
        ← 1 result {"content":[{"type":"text","text":"<11,000,000 characters>"}]}

    Passes:
        → 1 tools/call {"name":"dump"}
        ← 1 result {"content":[{"type":"text","text":"page 1 of 300"}]}

    What to do: return pages, or a resource_link to whatever is too large.
    """

    id = "FRM015"
    title = "line of more than 10 MiB"
    severity = "error"
    culprit = "sender"
    next = "return pages, or a resource_link to whatever is too large"

    def __init__(self, context: SessionContext) -> None:
        super().__init__(context)
        self._record: Record | None = None
        self._said: dict[Hashable, int] = {}
        """How many messages the other side had sent at the last such line, by finding."""

    @sees(large=True)
    def message(self, message: Occurrence) -> None:
        self._look(message)

    @sees(large=True)
    def invalid_line(self, line: InvalidLine) -> None:
        self._look(line)

    def _look(self, at: Occurrence) -> None:
        record, parts = at.record, self.context.parts
        size = len(record.payload) + (parts[record.dir].size if record.dir in parts else 0)
        if size <= TS_LIMIT or record is self._record:  # the parts of a batch share their line
            return
        self._record = record
        what, subject = self._named(at)
        line = f"{what}a line of {size / TS_LIMIT * 10:.1f} MiB"
        message = f"{at.sender} wrote {line}; the TypeScript SDK closes the connection at 10 MiB"
        hit = self.hit(at, message, key=f"{at.side} {subject}".rstrip())
        self._said[hit.key] = self.context.session.messages[other(at.side)]

    def _named(self, at: Occurrence) -> tuple[str, str]:
        """What the line is, before ``a line`` in a sentence, and in a key."""
        if isinstance(at, InvalidLine):
            return "", ""
        if at.exchange is not None and at.item.role in ("asks", "answers", "answers-again"):
            answer = "" if at.item.role == "asks" else "the answer to "
            return f"{answer}{called(at.exchange)} as ", key_of_request(at.exchange)
        method = at.message.method
        return ("a message as ", "") if method is None else (f"{named(method)} as ", method)

    def finding(self, hit: Hit) -> Finding:
        found = super().finding(hit)
        side: Side = "s2c" if hit.culprit == "client" else "c2s"
        went_on = self._said[hit.key] != self.context.session.messages[side]
        return replace(found, severity="warning") if went_on else found
