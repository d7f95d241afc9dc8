"""PRF010: largest message."""

from __future__ import annotations

from mcp_tap.diagnosis.context import Occurrence, SessionContext
from mcp_tap.diagnosis.interest import sees
from mcp_tap.diagnosis.rule import Rule
from mcp_tap.diagnosis.text import size, subject

LONG_LINE = 64 * 1024
"""Bytes from which a line is more than readers with a default limit take (Python's asyncio)."""


class LargestMessage(Rule):
    """The largest message, where it is more than 64 KiB.

    What it means: nothing is wrong. The longest line of the session is longer than what readers
    with a limit take by default: 64 KiB in Python's asyncio, 10 MiB in the TypeScript SDK.

    Why it matters: a client with such a reader fails with this message, "Separator is not found,
    and chunk exceed the limit", and others work; or it depends on how the line is cut on its way.

    Fails:
        → 5 tools/call {"name":"list_rows","arguments":{}}
        ← 5 result {"content":[{"type":"text","text":"x × 70,000"}]}

    Passes:
        → 5 tools/call {"name":"list_rows","arguments":{}}
        ← 5 result {"content":[{"type":"text","text":"x × 60,000"}]}

    What to do: if one client fails here and others do not, raise its limit, or return less at a time.
    """

    id = "PRF010"
    title = "largest message"
    severity = "info"
    culprit = "sender"
    next = "if a client fails here, raise the limit of its reader, or send less at a time"

    def __init__(self, context: SessionContext) -> None:
        super().__init__(context)
        self._largest = LONG_LINE - 1

    @sees(large=True)
    def message(self, seen: Occurrence) -> None:
        length = len(seen.record.payload)
        if self.context.parts:
            before = self.context.parts.get(seen.record.dir)
            length += before.size if before is not None else 0
        if length <= self._largest:
            return
        self._largest = length
        exchange = seen.exchange
        what = seen.message.method or "a response"
        if exchange is not None and seen.message.kind != "notification":
            what = subject(exchange)
        self.hits.clear()
        self.hit(seen, f"largest message {size(length)} ({what})")
