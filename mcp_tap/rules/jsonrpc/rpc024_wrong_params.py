"""RPC024: params do not fit the method."""

from __future__ import annotations

from mcp_tap.diagnosis.asked import FaultyRequests
from mcp_tap.diagnosis.context import Notification, Occurrence, Request
from mcp_tap.diagnosis.text import named
from mcp_tap.rules.jsonrpc._shape_table import OPTIONAL_SINCE, PARAMS
from mcp_tap.rules.jsonrpc._shapes import faults, has_shape


class WrongParams(FaultyRequests):
    """Params that do not fit the method.

    What it means: the params of a request or notification lack a member that the schema requires,
    or have it with another JSON type.

    Why it matters: the peer answers with -32602, or drops the message: the official SDKs check each
    one against the schema before any handler sees it.

    Fails:
        → 5 resources/read {"path":"file:///notes.txt"}
        ← 5 error -32602 "Invalid params"

    Fails:
        → 5 logging/setLevel {"level":3}
        ← 5 error -32602 "Invalid params"

    Passes:
        → 5 resources/read {"uri":"file:///notes.txt","more":1}
        ← 5 result {"contents":[{"uri":"file:///notes.txt","text":"x"}]}

    What to do: send the members that the schema of the session's version asks for.
    """

    id = "RPC024"
    title = "params do not fit the method"
    severity = "error"
    culprit = "sender"
    next = "send the params that the schema of this version requires"
    spec = "2025-11-25/schema"
    methods = frozenset(PARAMS)

    def request(self, seen: Request) -> None:
        self._look(seen)

    def notification(self, seen: Notification) -> None:
        self._look(seen)

    def _look(self, seen: Occurrence) -> None:
        method, version = seen.message.method or "", seen.version
        if not has_shape(method, seen.side, version):
            return
        params = seen.message.value.get("params", {})
        if not isinstance(params, dict):
            return  # RPC014
        optional = frozenset(
            name for (owner, name), since in OPTIONAL_SINCE.items() if owner == method and version in since
        )
        found = faults(params, PARAMS[method], optional)
        if found:
            what = ", ".join(found)
            message = f"{seen.sender} sent {named(method)} with params that do not fit: {what}"
            self.hold(seen, self.hit(seen, message, key=f"{method}: {what}"))
