"""FRM002: not JSON on stdin."""

from __future__ import annotations

from mcp_tap.diagnosis.invalid_lines import Stray
from mcp_tap.rules.framing._base import STDIO, TextLines


class TextOnStdin(TextLines):
    """A line from the client that is not JSON.

    What it means: the client, or whatever drives the server, wrote a line to the server's stdin that is
    not JSON.

    Why it matters: the message is lost. Servers answer with a parse error that names no request, or say
    nothing at all.

    Fails:
        →| hello

    Fails:
        →| {"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":

    Passes:
        → 1 tools/list
        ← 1 result {"tools":[]}

    What to do: write one JSON-RPC message per line to stdin, and nothing else.
    """

    id = "FRM002"
    title = "not JSON on stdin"
    severity = "error"
    culprit = "client"
    next = "write one JSON-RPC message per line to the server's stdin, and nothing else"
    spec = STDIO
    kinds = frozenset({"text", "colours", "mixed", "broken", "blank"})
    writer = "c2s"
    lines = "{} of non-JSON text"

    def stray(self, stray: Stray) -> None:
        if stray.kind == "blank":
            self.pass_blank(stray)
        else:
            self.gather(stray)
