"""RPC012: result is not an object."""

from __future__ import annotations

from mcp_tap.diagnosis.context import Answer
from mcp_tap.diagnosis.interest import sees
from mcp_tap.diagnosis.recognise.irregular import is_irregular
from mcp_tap.diagnosis.rule import Rule
from mcp_tap.diagnosis.text import article
from mcp_tap.model.message import json_type
from mcp_tap.rules.jsonrpc._base import RESPONSES, what, where


class ResultNoObject(Rule):
    """A result that is not an object.

    What it means: result is null, an array, or a single value. In MCP it must be an object, even if an
    empty one.

    Why it matters: both official SDKs drop such an answer, and the request times out.

    Fails:
        → 1 resources/subscribe {"uri":"file:///a"}
        ← {"jsonrpc":"2.0","id":1,"result":null}

    Passes:
        → 1 resources/subscribe {"uri":"file:///a"}
        ← 1 result {}

    What to do: return {} if there is nothing to return.
    """

    id = "RPC012"
    title = "result is not an object"
    severity = "error"
    culprit = "sender"
    next = "return an object; {} if there is nothing to return"
    spec = RESPONSES

    @sees(sign=is_irregular)
    def answer(self, answer: Answer) -> None:
        result = answer.message.value.get("result")
        if answer.message.kind == "response" and not isinstance(result, dict):
            message = f"{what(answer)} is {article(json_type(result))}, not an object"
            self.hit(answer, message, key=where(answer))
