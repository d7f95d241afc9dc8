"""FRM009: not UTF-8."""

from __future__ import annotations

from mcp_tap.diagnosis.invalid_lines import Stray, StrayRule
from mcp_tap.diagnosis.recognise.codepages import guess, is_cut_utf_8
from mcp_tap.diagnosis.text import excerpt, quoted
from mcp_tap.rules.framing._base import TRANSPORTS

UTF_8 = "write UTF-8: PYTHONUTF8=1 or PYTHONIOENCODING=utf-8 for Python, chcp 65001 in a Windows console"


class NotUtf8(StrayRule):
    """A line that is not UTF-8.

    What it means: the bytes of a line are in another encoding, usually the system code page, because
    the program did not select UTF-8.

    Why it matters: the message is lost, or its text is garbled. The Python SDK's client reads nothing
    more after such a line; the TypeScript SDK substitutes U+FFFD. ASCII is unaffected, so it shows only
    with some data.

    Fails:
        → 1 tools/call {"name":"read"}
        ←| {"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"\\xd6\\xd0\\xce\\xc4"}]}}

    Passes:
        → 1 tools/call {"name":"read"}
        ← 1 result {"content":[{"type":"text","text":"中文 Ü"}]}

    What to do: set PYTHONUTF8=1 or PYTHONIOENCODING=utf-8 for a server in Python; chcp 65001 in a
    Windows console; an explicit UTF-8 writer in Java and .NET.
    """

    id = "FRM009"
    title = "not UTF-8"
    severity = "error"
    culprit = "sender"
    next = UTF_8
    spec = TRANSPORTS
    kinds = frozenset({"not-utf-8"})

    def stray(self, stray: Stray) -> None:
        what = f", {stray.what}," if stray.exchange or (stray.message and stray.message.method) else ""
        told = f"line {stray.number} of {stray.stream}{what} is not UTF-8"
        if is_cut_utf_8(stray.line):
            self.note(
                stray,
                f"{told}: a character is cut in half",
                key=f"{stray.side} cut",
                next="cut strings between characters, not between bytes",
            )
            return
        found = guess(stray.line)
        page = "" if found is None else f"; the bytes decode as {found[0]}: {quoted(excerpt(found[1]))}"
        self.note(stray, told + page)
