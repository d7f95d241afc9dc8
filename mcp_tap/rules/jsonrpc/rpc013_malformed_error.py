"""RPC013: malformed error."""

from __future__ import annotations

from typing import Any

from mcp_tap.diagnosis.context import Answer, UnmatchedResponse
from mcp_tap.diagnosis.interest import sees
from mcp_tap.diagnosis.rule import Rule
from mcp_tap.diagnosis.text import article
from mcp_tap.model.message import json_type
from mcp_tap.rules.jsonrpc._base import RESPONSES, what, where


class MalformedError(Rule):
    """An error that is not {code, message}.

    What it means: error is not an object, its code is not an integer, or its message is not a string.

    Why it matters: the TypeScript SDK drops such an answer, and the request times out.

    Fails (and RPC026):
        → 1 tools/list
        ← {"jsonrpc":"2.0","id":1,"error":{"code":-32603,"message":null}}

    Passes:
        → 1 tools/list
        ← {"jsonrpc":"2.0","id":1,"error":{"code":-32603,"message":""}}

    What to do: send an integer as code and a string as message; put anything else into data.
    """

    id = "RPC013"
    title = "malformed error"
    severity = "error"
    culprit = "sender"
    next = "send {code: integer, message: string}; put anything else into data"
    spec = RESPONSES

    @sees(outcomes="error")
    def answer(self, answer: Answer) -> None:
        self._look(answer)

    def unmatched_response(self, response: UnmatchedResponse) -> None:
        if response.message.kind == "error":
            self._look(response)

    def _look(self, at: Answer | UnmatchedResponse) -> None:
        fault = wrong_with(at.message.value.get("error"))
        if fault is not None:
            self.hit(at, f"{what(at)} is a malformed error: {fault}", key=where(at))


def wrong_with(error: Any) -> str | None:
    """What is wrong with an error, if anything."""
    if not isinstance(error, dict):
        return f"{article(json_type(error))}, not an object"
    code, message = error.get("code"), error.get("message")
    if not (type(code) is int or (type(code) is float and code.is_integer())):
        return f"code is {article(json_type(code))}, not an integer" if "code" in error else "code is missing"
    if not isinstance(message, str):
        kind = article(json_type(message))
        return f"message is {kind}, not a string" if "message" in error else "message is missing"
    return None
