"""FRM013: lone surrogate."""

from __future__ import annotations

import re
from collections.abc import Hashable

from mcp_tap.diagnosis.asked import other
from mcp_tap.diagnosis.bounded import First
from mcp_tap.diagnosis.context import SessionContext, UnmatchedResponse
from mcp_tap.diagnosis.finding import Finding, Hit
from mcp_tap.diagnosis.invalid_lines import Stray, StrayRule
from mcp_tap.diagnosis.recognise.kinds import HALF_PAIR, LOOKED_AT
from mcp_tap.model.message import Side
from mcp_tap.rules.framing._base import AWAITED


class LoneSurrogate(StrayRule):
    """A lone surrogate in a string.

    What it means: an escape such as \\\\ud83d stands alone: a text was cut in the middle of an emoji,
    between its two UTF-16 units.

    Why it matters: half a pair is not a character and cannot be written as UTF-8. The Python SDK
    silently drops the whole message; the TypeScript SDK accepts it.

    Fails:
        → {"jsonrpc":"2.0","id":6,"method":"tools/call","params":{"name":"w","arguments":{"s":"\\ud83d"}}}

    Passes:
        → {"jsonrpc":"2.0","id":6,"method":"tools/call",
            "params":{"name":"w","arguments":{"s":"\\ud83d\\ude00"}}}
        ← 6 result {"content":[]}

    What to do: cut text between characters (code points), not between UTF-16 units.
    """

    id = "FRM013"
    title = "lone surrogate"
    severity = "warning"
    culprit = "sender"
    next = "cut text between characters (code points), not between UTF-16 units"
    kinds = frozenset({"surrogate"})

    def __init__(self, context: SessionContext) -> None:
        super().__init__(context)
        self._awaited: First[tuple[Side, Hashable], Hit] = First(AWAITED)
        """By who asks and the id, the requests whose answer shows that they were read."""

    def stray(self, stray: Stray) -> None:
        hit = self.note(stray, f"{stray.what} contains a lone surrogate{which(stray)}", key=stray.key)
        meant = stray.message
        if meant is not None and meant.kind == "request":
            self._awaited[(stray.side, meant.key)] = hit

    def unmatched_response(self, response: UnmatchedResponse) -> None:
        if response.side == "s2c":
            super().unmatched_response(response)
        self._awaited.pop((other(response.side), response.message.key), None)

    def finding(self, hit: Hit) -> Finding:
        context = self.context
        lost = sum(each is hit for each in self._awaited.values())
        tail = "; strict UTF-8 decoders reject it"
        if lost and context.whole and context.over:
            tail = f" and got no answer{tail}" if hit.count == 1 else f"; {lost} got no answer{tail}"
        message, hit.message = hit.message, hit.message + tail
        found = super().finding(hit)
        hit.message = message
        return found


def which(stray: Stray) -> str:
    """The half, as it stands in the line."""
    told = re.search(r" \(\\u\w+\)$", stray.invalid.message.why or "")
    if told is not None:
        return told[0]
    raw = HALF_PAIR.search(stray.line[:LOOKED_AT])
    return "" if raw is None else f" (bytes {raw[0].hex(' ').upper()})"
