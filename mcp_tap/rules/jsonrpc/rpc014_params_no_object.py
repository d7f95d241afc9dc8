"""RPC014: params are not an object."""

from __future__ import annotations

from mcp_tap.diagnosis.asked import FaultyRequests
from mcp_tap.diagnosis.context import Notification, Request
from mcp_tap.diagnosis.interest import sees
from mcp_tap.diagnosis.recognise.irregular import is_irregular
from mcp_tap.diagnosis.text import article
from mcp_tap.model.message import json_type
from mcp_tap.rules.jsonrpc._base import what, where


class ParamsNoObject(FaultyRequests):
    """Params that are not an object.

    What it means: params is an array, or a single value; MCP only has named parameters. If it is null,
    it should be left out.

    Why it matters: both official SDKs drop the message; some peers accept null.

    Fails:
        → {"jsonrpc":"2.0","id":1,"method":"tools/list","params":[]}

    Passes:
        → {"jsonrpc":"2.0","id":1,"method":"tools/list","params":{}}
        ← 1 result {"tools":[]}

    What to do: send an object, or leave params out.
    """

    id = "RPC014"
    title = "params are not an object"
    severity = "error"
    culprit = "sender"
    next = "send an object as params, or leave it out"
    spec = "2025-11-25/schema#jsonrpcrequest"

    @sees(sign=is_irregular)
    def request(self, request: Request) -> None:
        self._look(request)

    @sees(sign=is_irregular)
    def notification(self, notification: Notification) -> None:
        self._look(notification)

    def _look(self, at: Request | Notification) -> None:
        params = at.message.value.get("params", {})
        if isinstance(params, dict):
            return
        hit = self.hit(
            at,
            f"the params of {what(at)} are {article(json_type(params))}, not an object",
            key=f"{where(at)} {json_type(params)}",
            severity="warning" if params is None else "error",
        )
        self.hold(at, hit)
