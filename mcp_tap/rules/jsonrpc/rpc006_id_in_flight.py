"""RPC006: id reused while in flight."""

from __future__ import annotations

from mcp_tap.diagnosis.context import MODERN_ONLY, Request
from mcp_tap.diagnosis.interest import sees
from mcp_tap.diagnosis.recognise.irregular import is_irregular
from mcp_tap.diagnosis.rule import Rule
from mcp_tap.rules.jsonrpc._ids import reuse, still_open


class IdInFlight(Rule):
    """An id that is still in use.

    What it means: a request has the id of another request from the same side that has not been answered
    yet.

    Why it matters: nobody can tell which of them an answer is for. Since 2026-07-28, an id may be
    reused after its answer.

    Fails, 2026-07-28:
        → 1 tools/call {"name":"a"}
        → 1 tools/call {"name":"b"}
        ← 1 result {"content":[],"resultType":"complete"}
        ← 1 result {"content":[],"resultType":"complete"}

    Passes, 2026-07-28:
        → 1 tools/call {"name":"a"}
        ← 1 result {"content":[],"resultType":"complete"}
        → 1 tools/call {"name":"b"}
        ← 1 result {"content":[],"resultType":"complete"}

    What to do: reuse an id only after its answer.
    """

    id = "RPC006"
    title = "id reused while in flight"
    severity = "error"
    culprit = "sender"
    next = "reuse an id only after its answer has arrived"
    spec = "2026-07-28/basic#requests"
    versions = MODERN_ONLY

    @sees(sign=is_irregular)
    def request(self, request: Request) -> None:
        before = still_open(request)
        if before is not None:
            reuse(self, request, before)
