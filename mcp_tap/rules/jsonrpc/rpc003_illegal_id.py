"""RPC003: id of an illegal type."""

from __future__ import annotations

from typing import Any

from mcp_tap.diagnosis.context import Request
from mcp_tap.diagnosis.text import called, short
from mcp_tap.model.message import json_type
from mcp_tap.rules.jsonrpc._faulty_messages import FaultyMessages
from mcp_tap.rules.jsonrpc._ids import is_notification
from mcp_tap.rules.jsonrpc._spec import REQUESTS


class IllegalId(FaultyMessages):
    """A request whose id is neither a string nor an integer.

    What it means: the id is true, false, a number with a fraction, a list or an object.

    Why it matters: the official SDKs drop such a request, or take it for a notification.

    Fails:
        → true tools/list

    Passes:
        → "true" tools/list
        ← "true" result {"tools":[]}

    What to do: use a string or an integer.
    """

    id = "RPC003"
    title = "id of an illegal type"
    severity = "error"
    culprit = "sender"
    next = "use a string or an integer as the id"
    spec = REQUESTS

    def request(self, seen: Request) -> None:
        id = seen.item.message.id
        kind = None if type(id) is int or type(id) is str else illegal(id)
        if kind is not None and not is_notification(seen) and seen.exchange is not None:
            told = (
                f"{seen.sender} sent {called(seen.exchange)} with {kind} for an id ({short(seen.message.id)})"
            )
            self.hold(seen, self.hit(seen, told, key=f"{seen.side} {kind}"))


def illegal(id: Any) -> str | None:
    """What an id is that is neither a string nor an integer (nor null); None where it is one."""
    if isinstance(id, bool):
        return "a boolean"
    if isinstance(id, float) and not id.is_integer():
        return "a number with a fraction"
    return {"array": "an array", "object": "an object"}.get(json_type(id))
