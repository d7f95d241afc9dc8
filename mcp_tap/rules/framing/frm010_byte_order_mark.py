"""FRM010: byte order mark or UTF-16."""

from __future__ import annotations

from mcp_tap.diagnosis.finding import Hit
from mcp_tap.diagnosis.invalid_lines import Stray, StrayRule
from mcp_tap.rules.framing._base import TRANSPORTS


class ByteOrderMark(StrayRule):
    """A byte order mark, or UTF-16.

    What it means: a stream begins with the bytes EF BB BF, or is entirely in UTF-16.

    Why it matters: text that begins with the mark is not valid JSON, so the first message is lost; in
    UTF-16, no message is read.

    Fails, from the start:
        →| \\xef\\xbb\\xbf{"jsonrpc":"2.0","id":0,"method":"initialize"}

    Passes:
        → 1 tools/call {"name":"read"}
        ← 1 result {"content":[{"type":"text","text":"\\ufeffname;value"}]}

    What to do: write UTF-8 without a byte order mark. A PowerShell redirection (>) is the usual cause;
    in .NET, use new UTF8Encoding(false).
    """

    id = "FRM010"
    title = "byte order mark or UTF-16"
    severity = "error"
    culprit = "sender"
    next = (
        "write UTF-8 without a byte order mark; look for a PowerShell redirection, or "
        "use new UTF8Encoding(false)"
    )
    spec = TRANSPORTS
    kinds = frozenset({"byte-order-mark", "utf-16"})

    def stray(self, stray: Stray) -> None:
        where = "stdout" if stray.side == "s2c" else "the server's stdin"
        if stray.kind == "utf-16":
            self.note(stray, f"{stray.culprit} wrote UTF-16 to {where}", key=f"{stray.side} utf-16")
            return
        self.note(
            stray, f"{stray.culprit} put a byte order mark before {stray.what}, which makes it invalid JSON"
        )

    def sentence(self, hit: Hit) -> str:
        return super().sentence(hit) if hit.key in ("c2s", "s2c") else hit.message
