"""RPC023: method sent in the wrong direction."""

from __future__ import annotations

from mcp_tap.diagnosis.asked import FaultyRequests
from mcp_tap.diagnosis.context import Notification, Occurrence, Request
from mcp_tap.diagnosis.text import named
from mcp_tap.model.methods import METHODS, MODERN


class WrongDirection(FaultyRequests):
    """A method sent in the wrong direction.

    What it means: each method belongs to one side. The server sent what only a client may send, or
    the other way round.

    Why it matters: the receiver has no handler for it: a request comes back with -32601, a
    notification is ignored.

    Fails:
        ← 5 tools/list
        → 5 error -32601 "Method not found"

    Passes, client {"roots":{}}:
        ← 5 roots/list
        → 5 result {"roots":[]}

    What to do: `tools/list` and `notifications/roots/list_changed` come from the client,
    `roots/list` and `notifications/tools/list_changed` from the server. A server that sends back
    exactly what it was sent may be a program that only copies its input, like `cat`.
    """

    id = "RPC023"
    title = "method sent in the wrong direction"
    severity = "error"
    culprit = "sender"
    next = "send it from the other side only; a server that repeats its input is no MCP server"
    spec = "2025-11-25/schema"

    def request(self, seen: Request) -> None:
        if not (seen.side == "s2c" and seen.version in MODERN):  # MOD014
            self._look(seen)

    def notification(self, seen: Notification) -> None:
        if seen.message.method != "notifications/initialized":  # LIF005
            self._look(seen)

    def _look(self, seen: Occurrence) -> None:
        method = seen.message.method or ""
        known = METHODS.get(method)
        if known is None or known.direction in ("both", seen.side):
            return
        message = f"{seen.sender} sent {named(method)}, which only a {seen.receiver} may send"
        self.hold(seen, self.hit(seen, message, key=f"{seen.sender} {method}"))
