"""RES001: tool result without content."""

from __future__ import annotations

from mcp_tap.diagnosis.context import Answer, since
from mcp_tap.diagnosis.interest import sees
from mcp_tap.diagnosis.rule import Rule
from mcp_tap.diagnosis.text import key_of, shown
from mcp_tap.rules.results._base import name_of, result_of


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

    @sees(sides="s2c", outcomes=("result", "tool-error"), shapes="other")
    def answer(self, answer: Answer) -> None:
        result = answer.message.value["result"]
        if not isinstance(result, dict) or "task" in result:
            return  # no result at all, or a task in its place
        if result.get("resultType", "complete") != "complete" or isinstance(result.get("content"), list):
            return
        what = "has no content"
        if "content" in result:
            what = f"has {shown(result['content'])} for its content, not an array"
        self.hit(answer, f"{result_of(answer.exchange)} {what}", key=key_of(name_of(answer.exchange)))
