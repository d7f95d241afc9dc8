"""RPC012: result is not an object."""

from __future__ import annotations

from mcp_tap.diagnosis.context import Answer
from mcp_tap.diagnosis.rule import Rule
from mcp_tap.model.message import json_type
from mcp_tap.rules.jsonrpc._envelope import a, what, where
from mcp_tap.rules.jsonrpc._spec import RESPONSES


class ResultNoObject(Rule):
    """A result that is not an object.

    What it means: result is null, a list, or a single value. In MCP it is an object, if need be {}.

    Why it matters: both official SDKs drop such an answer, and the request times out.

    Fails:
        → 1 resources/subscribe {"uri":"file:///a"}
        ← {"jsonrpc":"2.0","id":1,"result":null}

    Passes:
        → 1 resources/subscribe {"uri":"file:///a"}
        ← 1 result {}

    What to do: return {} where there is nothing to return.
    """

    id = "RPC012"
    title = "result is not an object"
    severity = "error"
    culprit = "sender"
    next = "return an object; {} where there is nothing to return"
    spec = RESPONSES

    def answer(self, seen: Answer) -> None:
        message = seen.item.message
        if message.kind == "response" and not isinstance(message.value.get("result"), dict):
            kind = json_type(message.value.get("result"))
            self.hit(seen, f"{what(seen)} is {a(kind)}, not an object", key=where(seen))
