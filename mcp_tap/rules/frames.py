"""FRM: lines that are no messages, and how lines end (MCP basic/transports#stdio)."""

from __future__ import annotations

from mcp_tap.model.not_json import Flaw
from mcp_tap.record.reader import Record
from mcp_tap.rules.case import Case, Seen, plural, quoted
from mcp_tap.rules.finding import Hit, Severity
from mcp_tap.rules.rule import Rule

STDIO = "2025-11-25/basic/transports#stdio"

LEFT_SOON_SECONDS = 2.0
"""Within which a client that leaves after a stray line is taken to leave because of it."""


def raw(record: Record) -> str:
    """The line as text, for a quotation."""
    return record.payload.decode(errors="replace")


class StrayLines(Rule):
    """Lines of one kind, told in one finding; the base of several rules."""

    what = "line"

    def gather(self, seen: Seen) -> None:
        """Count one more."""
        text = raw(seen.record)
        hit = self.hit(seen, "", key=seen.side, evidence=text)
        if hit.count == 1:
            # A server that has answered initialize has been understood by its client before.
            early = self.case.session.initialized_t is None
            hit.facts.update(first=text, early=early, sender=seen.sender)
        hit.facts["last_t"] = seen.t

    def sentence(self, hit: Hit) -> str:
        stream = "stdout" if hit.facts["sender"] == "server" else "the server's stdin"
        first = ", the first before the handshake" if hit.facts["early"] else ""
        lines = plural(hit.count, f"{self.what} of plain text", f"{self.what}s of plain text")
        return f"{hit.facts['sender']} wrote {lines} to {stream}{first}: {quoted(str(hit.facts['first']))}"


class TextOnStdout(StrayLines):
    """Text on stdout.

    What it means: the server wrote something to stdout that is no JSON-RPC message: a banner, a
    log line, the output of a launcher. stdout carries the protocol and nothing else.

    Why it matters: the official SDKs skip such a line and go on, so the session may well work;
    stricter clients show "Unexpected token" or disconnect. It is an error where the client left
    within two seconds of it, else a warning.

    Fails, from the start:
        → 0 initialize …
        ←| Demo server v1 ready
        ← 0 result …
        → notifications/initialized

    Passes:
        2> Demo server v1 ready

    What to do: send logs and banners to stderr. Look for print() and console.log, for what npx or
    uvx print while they install, and for what shell start-up files print.
    """

    id = "FRM001"
    title = "plain text on stdout"
    severity = "warning"
    culprit = "server"
    next = (
        "send logs and banners to stderr; look for print() or console.log, and for npx, uvx or shell output"
    )
    spec = STDIO

    def foreign(self, seen: Seen) -> None:
        if seen.side == "s2c" and seen.message.flaw in PLAIN_TEXT:
            self.gather(seen)

    def end(self) -> None:
        for hit in self.hits.values():
            left = self.case.client_closed_t
            last = hit.facts["last_t"]
            assert isinstance(last, float)
            if (
                left is not None
                and 0 <= left - last < LEFT_SOON_SECONDS
                and self.case.session.tools_listed_t is None
            ):
                hit.severity = "error"


PLAIN_TEXT: frozenset[Flaw] = frozenset({"text", "trailing-text", "syntax", "cut-off"})


RULES: tuple[type[Rule], ...] = (TextOnStdout,)
__all__ = ["RULES", "Case", "Severity"]
