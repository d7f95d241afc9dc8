"""RPC024: params do not match the schema."""

from __future__ import annotations

from mcp_tap.diagnosis.asked import FaultyRequests
from mcp_tap.diagnosis.context import Notification, Request
from mcp_tap.diagnosis.interest import sees
from mcp_tap.diagnosis.text import named
from mcp_tap.rules.jsonrpc._shape_table import PARAMS
from mcp_tap.rules.jsonrpc._shapes import faults, fits, has_shape, optional_in


class WrongParams(FaultyRequests):
    """Params that do not match the schema.

    What it means: the params of a request or notification lack a member that the schema requires, or
    have it with another JSON type.

    Why it matters: the peer answers with -32602, or drops the message: the official SDKs validate every
    message against the schema before a handler sees it.

    Fails:
        → 5 resources/read {"path":"file:///notes.txt"}
        ← 5 error -32602 "Invalid params"

    Fails:
        → 5 logging/setLevel {"level":3}
        ← 5 error -32602 "Invalid params"

    Passes:
        → 5 resources/read {"uri":"file:///notes.txt","more":1}
        ← 5 result {"contents":[{"uri":"file:///notes.txt","text":"x"}]}

    What to do: send the members that the schema of the session's version requires.
    """

    id = "RPC024"
    title = "params do not match the schema"
    severity = "error"
    culprit = "sender"
    next = "send the params that the schema of this version requires"
    spec = "2025-11-25/schema"
    methods = frozenset(PARAMS)

    @sees(only=has_shape)
    def request(self, request: Request) -> None:
        self._look(request, request.exchange.method)

    @sees(only=has_shape)
    def notification(self, notification: Notification) -> None:
        self._look(notification, notification.message.method or "")

    def _look(self, at: Request | Notification, method: str) -> None:
        params = at.message.value.get("params", {})
        if not isinstance(params, dict) or fits(params, PARAMS[method]):
            return  # RPC014; or nothing to look at more closely
        found = faults(params, PARAMS[method], optional_in(method, at.version))
        if found:
            what = ", ".join(found)
            message = f"{at.sender} sent {named(method)} with invalid params: {what}"
            self.hold(at, self.hit(at, message, key=f"{method}: {what}"))
