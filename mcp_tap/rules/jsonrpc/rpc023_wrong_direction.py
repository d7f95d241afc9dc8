"""RPC023: method sent in the wrong direction."""

from __future__ import annotations

from mcp_tap.diagnosis.asked import FaultyRequests
from mcp_tap.diagnosis.context import Notification, Request
from mcp_tap.diagnosis.interest import sees
from mcp_tap.diagnosis.text import named
from mcp_tap.model.methods import METHODS, MODERN


def is_misdirected(side: str, method: str | None) -> bool:
    """Whether only the other side sends a method."""
    known = METHODS.get(method or "")
    return known is not None and known.direction not in ("both", side)


def is_misdirected_request(side: str, method: str | None, version: str | None) -> bool:
    """The same of a request; but for servers that must not ask anything: MOD014."""
    return is_misdirected(side, method) and not (side == "s2c" and version in MODERN)


def is_misdirected_notification(side: str, method: str | None, version: str | None) -> bool:
    """The same of a notification; but for what LIF005 says."""
    return is_misdirected(side, method) and method != "notifications/initialized"


class WrongDirection(FaultyRequests):
    """A method sent in the wrong direction.

    What it means: each method belongs to one side. The server sent what only a client may send, or the
    other way round.

    Why it matters: the receiver has no handler for it: it answers a request with -32601, and ignores a
    notification.

    Fails:
        ← 5 tools/list
        → 5 error -32601 "Method not found"

    Passes, client {"roots":{}}:
        ← 5 roots/list
        → 5 result {"roots":[]}

    What to do: `tools/list` and `notifications/roots/list_changed` come from the client, `roots/list`
    and `notifications/tools/list_changed` from the server. A server that sends back exactly what it
    receives may be a program that just copies its input, such as `cat`.
    """

    id = "RPC023"
    title = "method sent in the wrong direction"
    severity = "error"
    culprit = "sender"
    next = "send it from the other side only; a server that echoes its input is not an MCP server"
    spec = "2025-11-25/schema"

    @sees(only=is_misdirected_request)
    def request(self, request: Request) -> None:
        self._note(request)

    @sees(only=is_misdirected_notification)
    def notification(self, notification: Notification) -> None:
        self._note(notification)

    def _note(self, at: Request | Notification) -> None:
        method = at.message.method or ""
        message = f"{at.sender} sent {named(method)}, which only a {at.receiver} may send"
        self.hold(at, self.hit(at, message, key=f"{at.sender} {method}"))
