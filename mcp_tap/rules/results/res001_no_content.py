"""RES001: tool result without content."""

from __future__ import annotations

from mcp_tap.diagnosis.context import Answer, Occurrence, since
from mcp_tap.diagnosis.rule import Rule
from mcp_tap.diagnosis.text import key_of, shown
from mcp_tap.model.exchange import Exchange
from mcp_tap.rules.results._base import name_of, result_of


def is_tool_result(seen: Occurrence, exchange: Exchange) -> bool:
    """Whether this is what a tool returned: no error, no task in its place, no question back."""
    result = seen.result
    if exchange.side != "c2s" or exchange.outcome not in ("result", "tool-error"):
        return False
    if not isinstance(seen.message.value.get("result"), dict):
        return False
    return "task" not in result and result.get("resultType", "complete") == "complete"


class NoContent(Rule):
    """A tool's result without content.

    What it means: ``content`` is missing from a tool's result, or is no array. It is required,
    even beside ``structuredContent``, and for a failure (``isError``) too; an empty array will do.

    Why it matters: clients check the result as a whole and raise an error; the call has failed.

    Fails:
        → 5 tools/call {"name":"find","arguments":{}}
        ← 5 result {"structuredContent":{"found":[]}}

    Passes:
        → 5 tools/call {"name":"find","arguments":{}}
        ← 5 result {"content":[],"structuredContent":{"found":[]}}

    What to do: return content, an array of blocks; for plain text [{"type": "text", "text": …}].
    """

    id = "RES001"
    title = "tool result without content"
    severity = "error"
    culprit = "server"
    next = "return content, an array of blocks; it is required beside structuredContent too"
    versions = since("2024-11-05")
    methods = frozenset({"tools/call"})
    spec = "2025-11-25/server/tools#tool-result"

    def answer(self, seen: Answer) -> None:
        exchange = seen.exchange
        if exchange is None or not is_tool_result(seen, exchange):
            return
        content = seen.result.get("content")
        if not isinstance(content, list):
            what = "has no content"
            if "content" in seen.result:
                what = f"has {shown(content)} for its content, not an array"
            self.hit(seen, f"{result_of(exchange)} {what}", key=key_of(name_of(exchange)))
