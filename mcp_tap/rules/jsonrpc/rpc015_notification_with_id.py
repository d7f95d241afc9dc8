"""RPC015: notification with an id."""

from __future__ import annotations

from mcp_tap.diagnosis.context import Request
from mcp_tap.diagnosis.text import named
from mcp_tap.rules.jsonrpc._faulty_messages import FaultyMessages
from mcp_tap.rules.jsonrpc._spec import NOTIFICATIONS


class NotificationWithId(FaultyMessages):
    """A notification with an id.

    What it means: a message whose method begins with notifications/ has an id, which makes it a request.

    Why it matters: the peer does not know such a request, and answers it with an error, or not at all. A
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

    def request(self, seen: Request) -> None:
        method = seen.item.message.method
        if method is not None and method.startswith("notifications/"):
            hit = self.hit(
                seen,
                f"{seen.sender} sent {named(method)} with an id, as a request",
                key=f"{seen.side} {method}",
            )
            self.hold(seen, hit)
