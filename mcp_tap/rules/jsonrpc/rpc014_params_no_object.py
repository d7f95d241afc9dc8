"""RPC014: params are not an object."""

from __future__ import annotations

from mcp_tap.diagnosis.context import Request
from mcp_tap.model.message import json_type
from mcp_tap.rules.jsonrpc._envelope import a, what, where
from mcp_tap.rules.jsonrpc._faulty_messages import FaultyMessages


class ParamsNoObject(FaultyMessages):
    """Params that are not an object.

    What it means: params is a list, or a single value; MCP has parameters by name alone. With null it
    should be left out.

    Why it matters: both official SDKs drop the message; some take null.

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
    next = "send an object for params, or leave it out"
    spec = "2025-11-25/schema#jsonrpcrequest"

    def request(self, seen: Request) -> None:
        value = seen.item.message.value
        if "params" not in value or isinstance(value["params"], dict):
            return
        params = value["params"]
        hit = self.hit(
            seen,
            f"the params of {what(seen)} are {a(json_type(params))}, not an object",
            key=f"{where(seen)} {json_type(params)}",
            severity="warning" if params is None else "error",
        )
        self.hold(seen, hit)

    notification = request
