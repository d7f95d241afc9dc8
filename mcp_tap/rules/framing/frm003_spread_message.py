"""FRM003: message spread over several lines."""

from __future__ import annotations

from mcp_tap.diagnosis.invalid_lines import Stray, StrayRule
from mcp_tap.rules.framing._base import STDIO


class SpreadMessage(StrayRule):
    """A message spread over several lines.

    What it means: several lines that are not JSON by themselves form one message: it was
    pretty-printed, or a line break in one of its strings was not escaped.

    Why it matters: MCP over stdio is one message per line. The other side parses each line on its own,
    discards all of them, and keeps waiting.

    Fails:
        → 1 tools/list
        ←| {
        ←|   "jsonrpc": "2.0", "id": 1,
        ←|   "result": {"tools": []}
        ←| }

    Passes:
        → 1 tools/call {"name":"read"}
        ← 1 result {"content":[{"type":"text","text":"{\\n  1\\n}"}]}

    What to do: serialise without indentation, using a JSON library that escapes line breaks in strings.
    """

    id = "FRM003"
    title = "message spread over several lines"
    severity = "error"
    culprit = "sender"
    next = "serialise each message on one line: no indentation, and line breaks in strings escaped"
    spec = STDIO
    kinds = frozenset({"spread"})

    def stray(self, stray: Stray) -> None:
        what = "a message" if stray.what == "a line" else stray.what
        lines = len(stray.records)
        self.note(
            stray,
            f"{stray.culprit} wrote {what} over {lines} lines; the other side parses each line on its own",
        )
