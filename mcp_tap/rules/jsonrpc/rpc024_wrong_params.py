"""RPC024: params do not match the schema."""

from __future__ import annotations

from dataclasses import replace

from mcp_tap.diagnosis.asked import FaultyRequests
from mcp_tap.diagnosis.context import Notification, Request
from mcp_tap.diagnosis.finding import Finding, Hit
from mcp_tap.diagnosis.interest import sees
from mcp_tap.diagnosis.text import named
from mcp_tap.rules.jsonrpc._faults import faults_of
from mcp_tap.rules.jsonrpc._shape_table import PARAMS, check_of, has_shape


class WrongParams(FaultyRequests):
    """Params that do not match the schema.

    What it means: the params of a request or notification lack a member that the schema requires, or
    have one with another JSON type or a value that is not allowed: null for what may be left out, a log
    level `warn`, an object as a field of a form. Members that the schema does not know are no fault.

    Why it matters: the peer answers with -32602, or drops the message: the official SDKs validate every
    message against the schema before a handler sees it. Where the peer has answered all the same, this
    is a warning: another one will not.

    Fails:
        → 5 resources/read {"path":"file:///notes.txt"}
        ← 5 error -32602 "Invalid params"

    Fails:
        → 5 logging/setLevel {"level":3}
        ← 5 error -32602 "Invalid params"

    Fails, client {"elicitation":{}}:
        ← 5 elicitation/create {"message":"Where to?","requestedSchema":{"type":"object",
            "properties":{"address":{"type":"object","properties":{}}}}}
        → 5 error -32602 "only primitive properties are allowed"

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
        params, version = at.message.value.get("params", {}), at.version
        if not isinstance(params, dict) or version is None or check_of(PARAMS[method], version)(params):
            return  # RPC014; or nothing to look at more closely
        found = faults_of(PARAMS[method], params, version)
        if found is None:
            return
        # The peer may well live with a word that it does not know; a notification is all that is lost.
        lost = at.item.role == "asks" or not found.of_values
        hit = self.hit(
            at,
            f"{at.sender} sent {named(method)} with invalid params: {found.what}",
            key=f"{method}: {found.key}",
            severity="error" if lost else "warning",
        )
        self.hold(at, hit)

    def finding(self, hit: Hit) -> Finding:
        found, held = super().finding(hit), self.held.get(hit, ())
        passed = len(held) == hit.count and all(each.outcome == "result" for each in held)
        return replace(found, severity="warning") if passed and found.severity == "error" else found
