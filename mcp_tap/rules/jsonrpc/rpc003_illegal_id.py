"""RPC003: invalid type of id."""

from __future__ import annotations

from typing import Any

from mcp_tap.diagnosis.asked import FaultyRequests
from mcp_tap.diagnosis.context import Request
from mcp_tap.diagnosis.interest import sees
from mcp_tap.diagnosis.recognise.irregular import is_irregular
from mcp_tap.diagnosis.text import called, shown_id
from mcp_tap.model.message import json_type
from mcp_tap.rules.jsonrpc._base import REQUESTS
from mcp_tap.rules.jsonrpc._ids import is_notification


class IllegalId(FaultyRequests):
    """A request whose id is neither a string nor an integer.

    What it means: the id is true, false, a number with a fraction, an array or an object.

    Why it matters: the official SDKs drop such a request, or treat it as a notification.

    Fails:
        → true tools/list

    Passes:
        → "true" tools/list
        ← "true" result {"tools":[]}

    What to do: use a string or an integer.
    """

    id = "RPC003"
    title = "invalid type of id"
    severity = "error"
    culprit = "sender"
    next = "use a string or an integer as the id"
    spec = REQUESTS

    @sees(sign=is_irregular)
    def request(self, request: Request) -> None:
        id = request.message.id
        kind = illegal(id)
        if kind is not None and not is_notification(request):
            what = f"{called(request.exchange)} with {kind} as its id ({shown_id(id)})"
            message = f"{request.sender} sent {what}"
            self.hold(request, self.hit(request, message, key=f"{request.side} {kind}"))


def illegal(id: Any) -> str | None:
    """What an id is that is neither a string nor an integer (nor null); None where it is one."""
    if isinstance(id, bool):
        return "a boolean"
    if isinstance(id, float) and not id.is_integer():
        return "a number with a fraction"
    return {"array": "an array", "object": "an object"}.get(json_type(id))
