"""RPC015: notification with an id."""

from __future__ import annotations

from mcp_tap.diagnosis.asked import FaultyRequests
from mcp_tap.diagnosis.context import Request
from mcp_tap.diagnosis.interest import sees
from mcp_tap.diagnosis.text import named
from mcp_tap.rules.jsonrpc._base import NOTIFICATIONS


def is_named_as_notification(side: str, method: str | None, version: str | None) -> bool:
    """Whether a request has the name of a notification."""
    return method is not None and method.startswith("notifications/")


class NotificationWithId(FaultyRequests):
    """A notification with an id.

    What it means: a message whose method begins with notifications/ has an id, which makes it a
    request.

    Why it matters: the peer knows no such request, and answers it with an error or not at all. A
    notification that arrives as a request has no effect.

    Fails, from the start:
        → 0 initialize …
        ← 0 result …
        → 1 notifications/initialized
        ← 1 error -32601 "Method not found"

    Passes:
        → 1 tools/call {"name":"x"}
        → notifications/cancelled {"requestId":1}

    What to do: leave the id out.
    """

    id = "RPC015"
    title = "notification with an id"
    severity = "error"
    culprit = "sender"
    next = "leave the id out"
    spec = NOTIFICATIONS

    @sees(only=is_named_as_notification)
    def request(self, request: Request) -> None:
        method = request.exchange.method
        message = f"{request.sender} sent {named(method)} with an id, as a request"
        self.hold(request, self.hit(request, message, key=f"{request.side} {method}"))
