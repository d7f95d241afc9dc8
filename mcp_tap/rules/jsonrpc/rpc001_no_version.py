"""RPC001: no "jsonrpc": "2.0"."""

from __future__ import annotations

from mcp_tap.diagnosis.asked import FaultyRequests
from mcp_tap.diagnosis.context import Occurrence
from mcp_tap.diagnosis.finding import Hit
from mcp_tap.diagnosis.interest import sees
from mcp_tap.diagnosis.recognise.irregular import is_irregular
from mcp_tap.diagnosis.text import shown
from mcp_tap.rules.jsonrpc._base import MESSAGES, what


class NoVersion(FaultyRequests):
    """A message without "jsonrpc": "2.0".

    What it means: the member that identifies JSON-RPC 2.0 is missing, or has another value.

    Why it matters: both official SDKs drop the message, and whoever expects it waits forever.

    Fails:
        → 1 tools/list
        ← {"id":1,"result":{"tools":[]}}

    Passes (and FRM018):
        ← {"level":"info","msg":"ready"}
        → 1 tools/list
        ← 1 result {"tools":[]}

    What to do: put "jsonrpc": "2.0" (a string) into every message.
    """

    id = "RPC001"
    title = 'no "jsonrpc": "2.0"'
    severity = "error"
    culprit = "sender"
    next = 'put "jsonrpc": "2.0", a string, into every message'
    spec = MESSAGES

    @sees(sign=is_irregular)
    def message(self, message: Occurrence) -> None:
        value = message.message.value
        version = value.get("jsonrpc", "")
        if version == "2.0":
            return
        told = f"has jsonrpc {shown(version)}" if "jsonrpc" in value else 'has no "jsonrpc": "2.0"'
        hit = self.hit(message, f"{what(message)} from the {message.sender} {told}", key=message.side)
        self.hold(message, hit)

    def sentence(self, hit: Hit) -> str:
        more = f" (the first of {hit.count:,} such messages)" if hit.count > 1 else ""
        return hit.message + more
