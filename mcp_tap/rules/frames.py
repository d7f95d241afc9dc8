"""FRM001-006, 016-018: lines that are no messages (MCP basic/transports#stdio)."""

from __future__ import annotations

import json
import re
from itertools import islice
from typing import ClassVar

from mcp_tap.model.exchange import Exchange
from mcp_tap.model.message import Side, read_message
from mcp_tap.rules.case import Case, plural, quoted
from mcp_tap.rules.facts.asked import explain
from mcp_tap.rules.facts.departure import LeavingRule
from mcp_tap.rules.facts.strays import Stray, StrayRule, meant_for
from mcp_tap.rules.finding import Hit
from mcp_tap.rules.rule import Rule, excerpt

STDIO = "2025-11-25/basic/transports#stdio"

COLOUR = re.compile(r"\x1b\[[0-9;:?]*[A-Za-z]")

LOG_MEMBERS = frozenset(
    {"level", "lvl", "severity", "msg", "message", "time", "timestamp", "ts", "@timestamp", "logger", "event"}
)
"""Members by which a logger that writes JSON is known: pino, bunyan, zap, structlog, logstash."""

MEMBERS_LOOKED_AT = 100

MEMBERS_NAMED = 3
"""Members of an object that a sentence names."""


class TextLines(StrayRule):
    """Lines of text, told in one finding; the base of several rules."""

    lines: ClassVar[str] = "{} of plain text"

    def __init__(self, case: Case) -> None:
        super().__init__(case)
        self.blank: dict[Side, int] = {}

    def gather(self, stray: Stray) -> None:
        """Count one more."""
        hit = self.note(stray, "")
        if hit.count == 1:
            quote = quoted(COLOUR.sub("", excerpt(stray.text)))
            hit.facts.update(place=stray.place, early=stray.place.early, quote=quote)
        if stray.side in self.blank:
            explain(hit, self.blank[stray.side])

    def pass_blank(self, stray: Stray) -> None:
        """Note a blank line: where there is text, it is part of that."""
        self.blank.setdefault(stray.side, stray.seen.seq)
        hit = self.hits.get(stray.side)
        if hit is not None:
            explain(hit, self.blank[stray.side])

    def sentence(self, hit: Hit) -> str:
        what = self.lines.format(plural(hit.count, "line"))
        where = "stdout" if hit.culprit == "server" else "the server's stdin"
        when = ""
        if hit.facts["early"]:
            when = ", the first before the handshake" if hit.count > 1 else ", before the handshake"
        return f"{hit.culprit} wrote {what} to {where}{when}: {hit.facts['quote']}"


class TextOnStdout(LeavingRule, TextLines):
    """Text on stdout.

    What it means: the server wrote something to stdout that is no JSON-RPC message: a banner, a
    log line, the output of a launcher. stdout carries the protocol and nothing else.

    Why it matters: the official SDKs skip such a line and go on, so the session may well work;
    stricter clients show "Unexpected token" or disconnect. It is a warning, and an error where a
    message was lost by it (text on the same line, JSON that is cut off), or where the client left
    within two seconds, said nothing more, and had not got what it came for.

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

    What to do: send logs and banners to stderr. Look for print() and console.log, for what npx or
    uvx print while they install, and for what shell start-up files print.
    """

    id = "FRM001"
    title = "not JSON on stdout"
    severity = "warning"
    culprit = "server"
    next = (
        "send logs and banners to stderr; look for print() or console.log, and for npx, uvx or shell output"
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
                f"server wrote text and {stray.what} on one line of stdout: {stray.quote}",
                key="mixed",
                severity="error",
            )
        else:
            lost = (
                f"{stray.what} as JSON that cannot be read"
                if stray.exchange
                else "a message that is not JSON"
            )
            why = "" if stray.seen.message.why is None else f" ({stray.seen.message.why})"
            self.note(
                stray,
                f"server wrote {lost}{why}: {stray.quote}",
                key="broken",
                severity="error",
                next="write each message with a JSON library, whole and on one line",
            )

    def sentence(self, hit: Hit) -> str:
        return super().sentence(hit) if hit.key == "s2c" else Rule.sentence(self, hit)


class TextOnStdin(TextLines):
    """A line of the client that is not JSON.

    What it means: the client, or whoever drives the server, wrote a line to the server's stdin that
    is no JSON.

    Why it matters: whatever it was to say is lost. Servers answer with a parse error that names no
    request, or say nothing.

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
    lines = "{} of something that is not JSON"

    def stray(self, stray: Stray) -> None:
        if stray.kind == "blank":
            self.pass_blank(stray)
        else:
            self.gather(stray)


class SpreadMessage(StrayRule):
    """A message over several lines.

    What it means: lines that are no JSON by themselves are a message together: it was
    pretty-printed, or a line break in one of its strings was not escaped.

    Why it matters: MCP over stdio has one message a line. The other side reads each line by itself,
    throws all of them away, and waits.

    Fails:
        → 1 tools/list
        ←| {
        ←|   "jsonrpc": "2.0", "id": 1,
        ←|   "result": {"tools": []}
        ←| }

    Passes:
        → 1 tools/call {"name":"read"}
        ← 1 result {"content":[{"type":"text","text":"{\\n  1\\n}"}]}

    What to do: serialise without indentation, by a JSON library that escapes line breaks in strings.
    """

    id = "FRM003"
    title = "message over several lines"
    severity = "error"
    culprit = "sender"
    next = "serialise each message on one line, without indentation and with line breaks in strings escaped"
    spec = STDIO
    kinds = frozenset({"spread"})

    def stray(self, stray: Stray) -> None:
        what = "a message" if stray.what == "a line" else stray.what
        lines = len(stray.records)
        self.note(
            stray, f"{stray.culprit} wrote {what} over {lines} lines; the other side reads each by itself"
        )


class TwoOnALine(StrayRule):
    """Two messages on one line.

    What it means: there is no newline between two messages.

    Why it matters: neither of them is read: a line is one message, and this one is not JSON.

    Fails:
        → 1 tools/list
        ←| {"jsonrpc":"2.0","method":"notifications/message"}{"jsonrpc":"2.0","id":2,"result":{}}
        ← 1 result {"tools":[]}

    Passes:
        → 1 tools/list
        ← {"jsonrpc":"2.0","id":1,"result":{"tools":[],"_meta":{"x/y":"{}{}"}}}

    What to do: write a newline after each message, and let one writer at a time write to the stream.
    """

    id = "FRM004"
    title = "two messages on one line"
    severity = "error"
    culprit = "sender"
    next = "write a newline after each message; let one thread or task at a time write to the stream"
    spec = STDIO
    kinds = frozenset({"two-values"})

    def stray(self, stray: Stray) -> None:
        where = f"on one line of {stray.stream}"
        told = f"{stray.culprit} wrote two messages {where}, so that neither is read: {stray.quote}"
        hit = self.note(stray, told)
        explain(hit, *(exchange.seq for exchange in answered_on(stray)))


class BlankLine(StrayRule):
    """Blank lines on the protocol stream.

    What it means: a line without anything in it, or with spaces alone.

    Why it matters: the Python SDK logs a parse error for each, stricter peers may end the connection.

    Fails:
        ←|

    Passes:
        2>

    What to do: end each message with one newline, not with two.
    """

    id = "FRM006"
    title = "blank line on the protocol stream"
    severity = "warning"
    culprit = "sender"
    next = "end each message with one newline; look for print() of a line that has one already"
    spec = STDIO
    kinds = frozenset({"blank"})

    def stray(self, stray: Stray) -> None:
        self.note(stray, "")

    def sentence(self, hit: Hit) -> str:
        where = "stdout" if hit.key == "s2c" else "the server's stdin"
        return f"{hit.culprit} wrote {plural(hit.count, 'blank line')} to {where}"


class LspFraming(StrayRule):
    """Content-Length headers, as LSP has them.

    What it means: one side puts headers before each message, as the Language Server Protocol does.

    Why it matters: MCP over stdio is one JSON object per line. The other side waits for a line that is
    a message, and neither of them says an error.

    Fails, from the start:
        → 0 initialize …
        ←| Content-Length: 44\\r
        ←| \\r
        ←| {"jsonrpc":"2.0","id":0,"result":{}}Content-Length: 44\\r

    Passes (and FRM001):
        ←| Content-Length: 38

    What to do: choose newline-delimited JSON (not LSP) as the transport of the library.
    """

    id = "FRM016"
    title = "LSP framing"
    severity = "error"
    culprit = "sender"
    next = "drop the headers: write each message as one line of JSON, ended by a newline"
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


class ColouredLines(LeavingRule, TextLines):
    """Log lines with terminal colours on stdout.

    What it means: a logger that takes stdout for a terminal writes there, with colour codes.

    Why it matters: each line is a parse error in the client, for the whole session, and begins with a
    character that cannot be seen. It is a warning, and an error where the client left at once.

    Fails:
        ←| \\x1b[33mWARN\\x1b[0m cache cold

    Passes:
        2> WARN cache cold
        → 1 tools/call {"name":"ls"}
        ← 1 result {"content":[{"type":"text","text":"\\u001b[33mWARN\\u001b[0m"}]}

    What to do: point the logger at stderr. NO_COLOR=1 takes the colours away, not the lines.
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


class JsonLog(LeavingRule, StrayRule):
    """JSON on stdout that is not JSON-RPC.

    What it means: a line is JSON and has nothing of a message: neither jsonrpc nor method, result or
    error. Most often a structured logger writes to stdout.

    Why it matters: clients that check the form of each message end the connection on it, others
    skip it. It is a warning, and an error where the client left at once.

    Fails:
        ← {"level":"info","msg":"client ready","time":"2026-01-01T00:00:00Z"}

    Passes:
        → 1 tools/call {"name":"log"}
        ← 1 result {"content":[],"structuredContent":{"level":"info","msg":"ready"}}

    What to do: give the logger stderr as its destination (pino: destination 2; structlog: a
    PrintLoggerFactory for sys.stderr).
    """

    id = "FRM018"
    title = "JSON on stdout that is not JSON-RPC"
    severity = "warning"
    culprit = "server"
    next = "send structured logs to stderr"
    spec = STDIO
    kinds = frozenset({"json"})
    writer = "s2c"

    def stray(self, stray: Stray) -> None:
        hit = self.note(stray, "")
        value = (stray.message or stray.seen.message).value
        if hit.count == 1:
            hit.facts.update(place=stray.place, quote=stray.quote)
            if isinstance(value, dict):
                hit.facts["members"] = list(islice(value, MEMBERS_LOOKED_AT))

    def sentence(self, hit: Hit) -> str:
        members = hit.facts.get("members")
        lines = f"server wrote {plural(hit.count, 'line')} of JSON to stdout that is no JSON-RPC"
        if not isinstance(members, list):
            return f"{lines}: {hit.facts['quote']}"
        named = ", ".join(f"`{quoted(name, 20)[1:-1]}`" for name in members[:MEMBERS_NAMED]) or "no members"
        logger = ": a logger that writes JSON shares stdout" if LOG_MEMBERS & set(members) else ""
        return f"{lines} ({named}){logger}"


VALUES_READ = 20
"""Values on one line that are read to find out what they were to answer."""


def answered_on(stray: Stray) -> list[Exchange]:
    """The open requests that the values on a line would answer, had each its own line."""
    text, at, found = stray.line.decode(errors="replace"), 0, []
    for _ in range(VALUES_READ):
        at = len(text) - len(text[at:].lstrip())
        try:
            value, at = json.JSONDecoder().raw_decode(text, at)
        except (ValueError, RecursionError):
            break
        exchange = meant_for(stray.seen.case, stray.side, read_message(value))
        if exchange is not None:
            found.append(exchange)
    return found


RULES: tuple[type[Rule], ...] = (
    TextOnStdout,
    TextOnStdin,
    SpreadMessage,
    TwoOnALine,
    BlankLine,
    LspFraming,
    ColouredLines,
    JsonLog,
)
