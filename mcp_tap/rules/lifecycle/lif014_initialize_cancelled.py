"""LIF014: initialize was cancelled."""

from __future__ import annotations

from mcp_tap.diagnosis.context import Notification
from mcp_tap.diagnosis.interest import sees
from mcp_tap.diagnosis.rule import Rule
from mcp_tap.diagnosis.text import seconds


class InitializeCancelled(Rule):
    """A cancelled initialize.

    What it means: the client sent `notifications/cancelled` for its `initialize` request, which a
    client must not do.

    Why it matters: the server may be left half initialized. A client that has waited too long
    closes the connection instead.

    Fails, from the start:
        → 0 initialize …
        4 → notifications/cancelled {"requestId":0,"reason":"timeout"}
        4.1 ← 0 result …

    Passes:
        1 → 5 tools/call {"name":"export","arguments":{}}
        2 → notifications/cancelled {"requestId":5}

    What to do: let the client close the connection when it gives up on `initialize`.
    """

    id = "LIF014"
    title = "initialize was cancelled"
    severity = "error"
    culprit = "client"
    next = "close the connection instead of cancelling initialize"
    methods = frozenset({"notifications/cancelled"})
    spec = "2025-11-25/basic/utilities/cancellation#behavior-requirements"

    @sees(sides="c2s")
    def notification(self, notification: Notification) -> None:
        asked = notification.exchange
        if notification.item.role == "cancels" and asked is not None and asked.method == "initialize":
            after = seconds(max(0.0, notification.t - asked.t))
            message = f"client cancelled initialize after {after}"
            self.hit(notification, message, explains=[notification.seq])
