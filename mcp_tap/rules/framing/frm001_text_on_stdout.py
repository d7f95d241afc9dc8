"""FRM001: not JSON on stdout."""

from __future__ import annotations

from mcp_tap.diagnosis.departure import LeavingRule
from mcp_tap.diagnosis.finding import Hit
from mcp_tap.diagnosis.invalid_lines import Stray
from mcp_tap.diagnosis.rule import Rule
from mcp_tap.rules.framing._base import STDIO, TextLines


class TextOnStdout(LeavingRule, TextLines):
    """Non-JSON text on stdout.

    What it means: the server wrote something to stdout that is not a JSON-RPC message: a banner, a log
    line, the output of a launcher. stdout is reserved for the protocol.

    Why it matters: the official SDKs skip such a line and carry on, so the session may well work;
    stricter clients show "Unexpected token" or disconnect. It is a warning. It is an error if a message
    was lost (text on the same line, truncated JSON), or if the client left within two seconds, sent
    nothing more, and had not received what it came for.

    Fails, from the start:
        → 0 initialize …
        ←| Demo server v1 ready
        ← 0 result …
        → notifications/initialized

    Fails:
        → 1 tools/list
        ←| Loading... {"jsonrpc":"2.0","id":1,"result":{"tools":[]}}

    Passes:
        2> Demo server v1 ready

    What to do: send logs and banners to stderr. Look for print() and console.log, for what npx or uvx
    print while they install, and for what shell start-up files print.
    """

    id = "FRM001"
    title = "not JSON on stdout"
    severity = "warning"
    culprit = "server"
    next = (
        "send logs and banners to stderr; look for print() or console.log, and for "
        "output of npx, uvx or a shell"
    )
    spec = STDIO
    kinds = frozenset({"text", "mixed", "broken", "blank"})
    writer = "s2c"

    def stray(self, stray: Stray) -> None:
        if stray.kind == "text":
            self.gather(stray)
        elif stray.kind == "blank":
            self.pass_blank(stray)
        elif stray.kind == "mixed":
            self.note(
                stray,
                f"server wrote text and {stray.what} on the same line of stdout: {stray.quote}",
                key="mixed",
                severity="error",
            )
        else:
            lost = f"{stray.what} as invalid JSON" if stray.exchange else "a message that is not valid JSON"
            why = "" if stray.invalid.message.why is None else f" ({stray.invalid.message.why})"
            self.note(
                stray,
                f"server wrote {lost}{why}: {stray.quote}",
                key="broken",
                severity="error",
                next="write each message with a JSON library, whole and on one line",
            )

    def sentence(self, hit: Hit) -> str:
        return super().sentence(hit) if hit.key == "s2c" else Rule.sentence(self, hit)
