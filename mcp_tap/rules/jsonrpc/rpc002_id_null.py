"""RPC002: request with the id null."""

from __future__ import annotations

from dataclasses import replace

from mcp_tap.diagnosis.asked import FaultyRequests
from mcp_tap.diagnosis.context import Request
from mcp_tap.diagnosis.finding import Finding, Hit
from mcp_tap.diagnosis.interest import sees
from mcp_tap.diagnosis.recognise.irregular import is_irregular
from mcp_tap.diagnosis.text import called
from mcp_tap.rules.jsonrpc._base import REQUESTS
from mcp_tap.rules.jsonrpc._ids import is_notification


class IdNull(FaultyRequests):
    """A request with the id null.

    What it means: a request was sent with "id": null. In MCP that is not a valid id, nor does it make
    the message a notification.

    Why it matters: the official SDKs treat it as a notification, or drop it: an answer never comes.

    Fails:
        → null tools/list

    Passes:
        → 0 tools/list
        ← 0 result {"tools":[]}

    What to do: use a number or a string.
    """

    id = "RPC002"
    title = "request with the id null"
    severity = "error"
    culprit = "sender"
    next = "use a number or a string as the id"
    spec = REQUESTS

    @sees(sign=is_irregular)
    def request(self, request: Request) -> None:
        if request.message.id is None and not is_notification(request):
            self.hold(request, self.hit(request, called(request.exchange), key=request.side))

    def sentence(self, hit: Hit) -> str:
        many = f"{hit.count:,} requests with the id null (the first: {hit.message})"
        one = f"a request with the id null ({hit.message})"
        return f"{hit.culprit} sent {one if hit.count == 1 else many}: not a valid id, and servers ignore it"

    def finding(self, hit: Hit) -> Finding:
        found, held = super().finding(hit), self.held.get(hit, ())
        if sum(each.outcome != "open" for each in held) == hit.count:  # by a peer that does not mind
            return replace(found, severity="warning", message=found.message.partition(": not a valid id")[0])
        return found
