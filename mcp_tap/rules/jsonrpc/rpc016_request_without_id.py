"""RPC016: request without an id."""

from __future__ import annotations

from mcp_tap.diagnosis.context import Notification
from mcp_tap.diagnosis.interest import sees
from mcp_tap.diagnosis.rule import Rule
from mcp_tap.diagnosis.text import named
from mcp_tap.model.methods import METHODS
from mcp_tap.rules.jsonrpc._base import REQUESTS


class RequestWithoutId(Rule):
    """A request without an id.

    What it means: a method that expects an answer was sent without an id, as a notification.

    Why it matters: nobody answers a notification. The sender waits forever, or never gets what it asked
    for.

    Fails:
        → tools/list

    Passes:
        → 1 tools/list
        ← 1 result {"tools":[]}

    What to do: give it an id: a number or a string that was not used before.
    """

    id = "RPC016"
    title = "request without an id"
    severity = "error"
    culprit = "sender"
    next = "give it an id: a number or a string that was not used before"
    spec = REQUESTS

    @sees(methods={name for name, method in METHODS.items() if method.kind == "request"})
    def notification(self, notification: Notification) -> None:
        method = notification.message.method or ""
        message = f"{notification.sender} sent {named(method)} without an id, so it cannot be answered"
        self.hit(notification, message, key=f"{notification.side} {METHODS[method]}")
