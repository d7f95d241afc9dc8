"""FRM018: JSON on stdout that is not JSON-RPC."""

from __future__ import annotations

from itertools import islice

from mcp_tap.diagnosis.departure import LeavingRule
from mcp_tap.diagnosis.finding import Hit
from mcp_tap.diagnosis.invalid_lines import Stray, StrayRule
from mcp_tap.diagnosis.text import plural, quoted
from mcp_tap.rules.framing._base import STDIO

LOG_MEMBERS = frozenset(
    {"level", "lvl", "severity", "msg", "message", "time", "timestamp", "ts", "@timestamp", "logger", "event"}
)
"""Members by which a logger that writes JSON is known: pino, bunyan, zap, structlog, logstash."""

MEMBERS_LOOKED_AT = 100

MEMBERS_NAMED = 3
"""Members of an object that a sentence names."""


class JsonLog(LeavingRule, StrayRule):
    """JSON on stdout that is not JSON-RPC.

    What it means: a line is JSON but has nothing of a message: no jsonrpc, method, result or error.
    Most often it comes from a structured logger that writes to stdout.

    Why it matters: clients that validate every message end the connection; others skip it. It is a
    warning, or an error if the client left at once.

    Fails:
        ← {"level":"info","msg":"client ready","time":"2026-01-01T00:00:00Z"}

    Passes:
        → 1 tools/call {"name":"log"}
        ← 1 result {"content":[],"structuredContent":{"level":"info","msg":"ready"}}

    What to do: make the logger write to stderr (pino: destination 2; structlog: a PrintLoggerFactory
    for sys.stderr).
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
        value = (stray.message or stray.invalid.message).value
        what = named_by(list(islice(value, MEMBERS_LOOKED_AT))) if isinstance(value, dict) else None
        hit = self.note(stray, f": {stray.quote}" if what is None else what)
        self.places.setdefault(hit.key, stray.place)

    def sentence(self, hit: Hit) -> str:
        lines = plural(hit.count, "line")
        return f"server wrote {lines} of JSON to stdout that is not JSON-RPC{hit.message}"


def named_by(members: list[str]) -> str:
    """An object, by its members, at the end of a sentence."""
    first = ", ".join(f"`{quoted(name, 20)[1:-1]}`" for name in members[:MEMBERS_NAMED]) or "no members"
    logger = ": it looks like a JSON logger writes to stdout" if LOG_MEMBERS & set(members) else ""
    return f" ({first}){logger}"
