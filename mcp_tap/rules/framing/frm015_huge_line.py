"""FRM015: line of more than 10 MiB."""

from __future__ import annotations

from dataclasses import replace

from mcp_tap.diagnosis.asked import other
from mcp_tap.diagnosis.context import InvalidLine, Occurrence
from mcp_tap.diagnosis.finding import Finding, Hit
from mcp_tap.diagnosis.rule import Rule
from mcp_tap.diagnosis.text import called, key_of_request, named
from mcp_tap.model.message import Side
from mcp_tap.record.reader import Record

TS_LIMIT = 10 * 1024 * 1024
"""Bytes of a line at which the TypeScript SDK closes the connection (measured, 1.32 and 2.4)."""


class HugeLine(Rule):
    """A line of more than 10 MiB.

    What it means: one message is longer than what the TypeScript SDK holds of a line.

    Why it matters: that SDK closes the connection at 10 MiB (-32000, "Connection closed"), and most
    clients are made with it. The Python SDK reads such lines. It is a warning where the other side
    went on after it.

    Fails (and PRF004, PRF010):
        → 1 tools/call {"name":"dump"}
        ← 1 result {"content":[{"type":"text","text":"<11,000,000 characters>"}]}

    Passes:
        → 1 tools/call {"name":"dump"}
        ← 1 result {"content":[{"type":"text","text":"page 1 of 300"}]}

    What to do: return pages, or a resource_link to what is too large.
    """

    id = "FRM015"
    title = "line of more than 10 MiB"
    severity = "error"
    culprit = "sender"
    next = "return pages, or a resource_link to what is too large"

    def message(self, seen: Occurrence) -> None:
        size = self._size(seen)
        if size <= TS_LIMIT:
            return
        exchange = seen.exchange if seen.item.role in ("asks", "answers", "answers-again") else None
        what = "a message"
        if exchange is not None:
            what = ("" if seen.item.role == "asks" else "the answer to ") + called(exchange)
        elif seen.message.method is not None:
            what = named(seen.message.method)
        method = key_of_request(exchange) if exchange is not None else seen.message.method or ""
        self._note(seen, size, what, f"{seen.side} {method}".rstrip())

    def invalid_line(self, seen: InvalidLine) -> None:
        size = self._size(seen)
        if size > TS_LIMIT:
            self._note(seen, size, "a line", seen.side)

    def _size(self, seen: Occurrence) -> int:
        """Bytes of the line, over all its parts; of a batch's line only once."""
        record, parts = seen.record, self.context.parts
        size = len(record.payload) + (parts[record.dir].size if record.dir in parts else 0)
        if size > TS_LIMIT:
            if record is self._record:
                return 0
            self._record = record
        return size

    _record: Record | None = None

    def _note(self, seen: Occurrence, size: int, what: str, key: str) -> None:
        told = f"{seen.sender} wrote {what} as a line of {size / TS_LIMIT * 10:.1f} MiB"
        hit = self.hit(seen, f"{told}; the TypeScript SDK closes the connection at 10 MiB", key=key)
        hit.facts["said"] = self.context.session.messages[other(seen.side)]

    def finding(self, hit: Hit) -> Finding:
        # What the other side had said at the last such line, and has said since.
        found, said = super().finding(hit), hit.facts.get("said")
        side: Side = "s2c" if hit.culprit == "client" else "c2s"
        return found if said == self.context.session.messages[side] else replace(found, severity="warning")
