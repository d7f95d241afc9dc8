"""RPC013: malformed error."""

from __future__ import annotations

from typing import Any

from mcp_tap.diagnosis.context import Answer
from mcp_tap.diagnosis.rule import Rule
from mcp_tap.model.message import json_type
from mcp_tap.rules.jsonrpc._envelope import a, what, where
from mcp_tap.rules.jsonrpc._spec import RESPONSES


class MalformedError(Rule):
    """An error that is not {code, message}.

    What it means: error is no object, its code is no integer, or its message is no string.

    Why it matters: the TypeScript SDK drops such an answer, and the request times out.

    Fails (and RPC026):
        → 1 tools/list
        ← {"jsonrpc":"2.0","id":1,"error":{"code":-32603,"message":null}}

    Passes:
        → 1 tools/list
        ← {"jsonrpc":"2.0","id":1,"error":{"code":-32603,"message":""}}

    What to do: an integer for code, a string for message, anything else into data.
    """

    id = "RPC013"
    title = "malformed error"
    severity = "error"
    culprit = "sender"
    next = "send {code: integer, message: string}; anything else belongs into data"
    spec = RESPONSES

    def answer(self, seen: Answer) -> None:
        if seen.item.message.kind != "error":
            return
        told = wrong_with(seen.message.value.get("error"))
        if told is not None:
            self.hit(seen, f"{what(seen)} is a malformed error: {told}", key=where(seen))

    unmatched_response = answer


def wrong_with(error: Any) -> str | None:
    """What is wrong with an error, if anything."""
    if not isinstance(error, dict):
        return f"{a(json_type(error))}, not an object"
    code, message = error.get("code"), error.get("message")
    if not (type(code) is int or (type(code) is float and code.is_integer())):
        return f"code is {a(json_type(code)) if 'code' in error else 'missing'}, not an integer"
    if not isinstance(message, str):
        return f"message is {a(json_type(message)) if 'message' in error else 'missing'}, not a string"
    return None
