"""FRM006: blank line on the protocol stream."""

from __future__ import annotations

from mcp_tap.diagnosis.finding import Hit
from mcp_tap.diagnosis.invalid_lines import Stray, StrayRule
from mcp_tap.diagnosis.text import plural
from mcp_tap.rules.framing._base import STDIO


class BlankLine(StrayRule):
    """Blank lines on the protocol stream.

    What it means: a line that is empty or contains only spaces.

    Why it matters: the Python SDK logs a parse error for each one; stricter peers may end the
    connection.

    Fails:
        ←|

    Passes:
        2>

    What to do: end each message with one newline, not two.
    """

    id = "FRM006"
    title = "blank line on the protocol stream"
    severity = "warning"
    culprit = "sender"
    next = "end each message with one newline; look for print() of a line that already ends with one"
    spec = STDIO
    kinds = frozenset({"blank"})

    def stray(self, stray: Stray) -> None:
        self.note(stray, "")

    def sentence(self, hit: Hit) -> str:
        where = "stdout" if hit.key == "s2c" else "the server's stdin"
        return f"{hit.culprit} wrote {plural(hit.count, 'blank line')} to {where}"
