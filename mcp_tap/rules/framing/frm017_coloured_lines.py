"""FRM017: coloured log lines on stdout."""

from __future__ import annotations

from mcp_tap.diagnosis.departure import LeavingRule
from mcp_tap.diagnosis.invalid_lines import Stray
from mcp_tap.rules.framing._base import STDIO, TextLines


class ColouredLines(LeavingRule, TextLines):
    """Log lines with terminal colours on stdout.

    What it means: a logger that takes stdout for a terminal writes to it, with colour codes.

    Why it matters: each line is a parse error in the client, throughout the session, and begins with an
    invisible character. It is a warning, or an error if the client left at once.

    Fails:
        ←| \\x1b[33mWARN\\x1b[0m cache cold

    Passes:
        2> WARN cache cold
        → 1 tools/call {"name":"ls"}
        ← 1 result {"content":[{"type":"text","text":"\\u001b[33mWARN\\u001b[0m"}]}

    What to do: point the logger at stderr. NO_COLOR=1 removes the colours, not the lines.
    """

    id = "FRM017"
    title = "coloured log lines on stdout"
    severity = "warning"
    culprit = "server"
    next = "point the logger at stderr: it is configured for a terminal"
    spec = STDIO
    kinds = frozenset({"colours", "blank"})
    writer = "s2c"
    lines = "{} with terminal colour codes"

    def stray(self, stray: Stray) -> None:
        if stray.kind == "blank":
            self.pass_blank(stray)
        else:
            self.gather(stray)
