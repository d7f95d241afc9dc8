"""RPC005: id reused."""

from __future__ import annotations

from mcp_tap.diagnosis.context import LEGACY_ONLY, Request
from mcp_tap.diagnosis.interest import sees
from mcp_tap.diagnosis.recognise.irregular import is_irregular
from mcp_tap.diagnosis.rule import Rule
from mcp_tap.diagnosis.text import called, short
from mcp_tap.rules.jsonrpc._base import REQUESTS
from mcp_tap.rules.jsonrpc._ids import reuse, still_open


class IdUsedAgain(Rule):
    """An id that was used before.

    What it means: a request has the id of an earlier request from the same side.

    Why it matters: while the earlier one is open, nobody can tell which of them an answer is for. Once
    it has been answered, reusing its id is forbidden up to 2025-11-25 but harmless: that is reported as
    info.

    Fails, 2025-06-18:
        → 1 tools/call {"name":"a"}
        → 1 tools/call {"name":"b"}
        ← 1 result {"content":[]}
        ← 1 result {"content":[]}

    Passes:
        → 1 tools/call {"name":"a"}
        → "1" tools/call {"name":"b"}
        ← "1" result {"content":[]}
        ← 1 result {"content":[]}

    What to do: number the requests consecutively over the whole connection.
    """

    id = "RPC005"
    title = "id reused"
    severity = "error"
    culprit = "sender"
    next = "use a new id for every request on a connection"
    spec = REQUESTS
    versions = LEGACY_ONLY

    @sees(sign=is_irregular)
    def request(self, request: Request) -> None:
        exchange = request.exchange
        if exchange.reuses is None:
            return
        before = still_open(request)
        if before is not None:
            reuse(self, request, before)
        elif self.context.whole or (exchange.reuses == "answered" and not self.context.disordered):
            self.hit(
                request,
                f"{request.sender} reused the id {short(exchange.id)} for {called(exchange)} "
                "after its first request was settled",
                key=f"{request.side} settled",
                severity="info",
            )
