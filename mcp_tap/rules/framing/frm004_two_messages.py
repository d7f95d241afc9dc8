"""FRM004: two messages on one line."""

from __future__ import annotations

import json

from mcp_tap.diagnosis.asked import explain
from mcp_tap.diagnosis.invalid_lines import Stray, StrayRule, meant_for
from mcp_tap.model.exchange import Exchange
from mcp_tap.model.message import read_message
from mcp_tap.rules.framing._base import STDIO


class TwoOnALine(StrayRule):
    """Two messages on one line.

    What it means: the newline between two messages is missing.

    Why it matters: neither message is read: each line must be exactly one message, and this line is not
    valid JSON.

    Fails:
        → 1 tools/list
        ←| {"jsonrpc":"2.0","method":"notifications/message"}{"jsonrpc":"2.0","id":2,"result":{}}
        ← 1 result {"tools":[]}

    Passes:
        → 1 tools/list
        ← {"jsonrpc":"2.0","id":1,"result":{"tools":[],"_meta":{"x/y":"{}{}"}}}

    What to do: write a newline after each message, and let only one writer at a time use the stream.
    """

    id = "FRM004"
    title = "two messages on one line"
    severity = "error"
    culprit = "sender"
    next = "write a newline after each message; let only one thread or task at a time write to the stream"
    spec = STDIO
    kinds = frozenset({"two-values"})

    def stray(self, stray: Stray) -> None:
        where = f"on one line of {stray.stream}"
        told = f"{stray.culprit} wrote two messages {where}, so neither is read: {stray.quote}"
        hit = self.note(stray, told)
        explain(hit, *(exchange.seq for exchange in answered_on(stray)))


VALUES_READ = 20
"""Values on one line that are read to find out what they were to answer."""


def answered_on(stray: Stray) -> list[Exchange]:
    """The open requests that the values on a line would answer, had each its own line."""
    text, at, found = stray.line.decode(errors="replace"), 0, []
    for _ in range(VALUES_READ):
        at = len(text) - len(text[at:].lstrip())
        try:
            value, at = json.JSONDecoder().raw_decode(text, at)
        except (ValueError, RecursionError):
            break
        exchange = meant_for(stray.invalid.context, stray.side, read_message(value))
        if exchange is not None:
            found.append(exchange)
    return found
