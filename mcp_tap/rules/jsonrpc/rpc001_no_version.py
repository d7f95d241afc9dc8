"""RPC001: no "jsonrpc": "2.0"."""

from __future__ import annotations

from typing import Any

from mcp_tap.diagnosis.context import Occurrence
from mcp_tap.diagnosis.finding import Hit
from mcp_tap.diagnosis.text import quoted
from mcp_tap.rules.jsonrpc._envelope import what
from mcp_tap.rules.jsonrpc._faulty_messages import FaultyMessages
from mcp_tap.rules.jsonrpc._spec import MESSAGES


class NoVersion(FaultyMessages):
    """A message without "jsonrpc": "2.0".

    What it means: the member by which a message is known for JSON-RPC 2.0 is missing, or has another value.

    Why it matters: both official SDKs drop the message, and whoever waits for it waits for ever.

    Fails:
        → 1 tools/list
        ← {"id":1,"result":{"tools":[]}}

    Passes (and FRM018):
        ← {"level":"info","msg":"ready"}
        → 1 tools/list
        ← 1 result {"tools":[]}

    What to do: put "jsonrpc": "2.0" (a string) into each message.
    """

    id = "RPC001"
    title = 'no "jsonrpc": "2.0"'
    severity = "error"
    culprit = "sender"
    next = 'put "jsonrpc": "2.0", a string, into each message'
    spec = MESSAGES

    def message(self, seen: Occurrence) -> None:
        value = seen.item.message.value
        version = value.get("jsonrpc", "")
        if version == "2.0":
            return
        told = f"has jsonrpc {short_json(version)}" if "jsonrpc" in value else 'has no "jsonrpc": "2.0"'
        hit = self.hit(seen, f"{what(seen)}, from the {seen.sender}, {told}", key=seen.side)
        self.hold(seen, hit)

    def sentence(self, hit: Hit) -> str:
        return hit.message if hit.count == 1 else f"{hit.message}; so have {hit.count - 1:,} others"


def short_json(value: Any) -> str:
    """A value as part of a sentence."""
    return f'"{quoted(value, 20)[1:-1]}"' if isinstance(value, str) else quoted(str(value), 20)[1:-1]
