"""FRM016: LSP framing."""

from __future__ import annotations

from mcp_tap.diagnosis.finding import Hit
from mcp_tap.diagnosis.invalid_lines import Stray, StrayRule
from mcp_tap.rules.framing._base import STDIO


class LspFraming(StrayRule):
    """Content-Length headers, as in LSP.

    What it means: one side puts headers before each message, as the Language Server Protocol does.

    Why it matters: MCP over stdio is one JSON object per line. The other side waits for a line that is
    a message, and neither side reports an error.

    Fails, from the start:
        → 0 initialize …
        ←| Content-Length: 44\\r
        ←| \\r
        ←| {"jsonrpc":"2.0","id":0,"result":{}}Content-Length: 44\\r

    Passes (and FRM001):
        ←| Content-Length: 38

    What to do: select newline-delimited JSON (not LSP) as the library's transport.
    """

    id = "FRM016"
    title = "LSP framing"
    severity = "error"
    culprit = "sender"
    next = "drop the headers: write each message as one line of JSON followed by a newline"
    spec = STDIO
    kinds = frozenset({"header"})

    def stray(self, stray: Stray) -> None:
        self.note(
            stray,
            f"{stray.culprit} frames messages with Content-Length headers (LSP); MCP over stdio is one JSON "
            "object per line",
        )

    def sentence(self, hit: Hit) -> str:
        return hit.message
