"""TOL008: structuredContent missing although outputSchema is declared."""

from __future__ import annotations

from mcp_tap.diagnosis.context import Answer, since
from mcp_tap.diagnosis.interest import sees
from mcp_tap.diagnosis.text import key_of, shown_id, ticked
from mcp_tap.rules.tools._base import KnownTools
from mcp_tap.rules.tools._schemas import is_final


class NoStructuredContent(KnownTools):
    """A tool declares outputSchema, and its result has no structuredContent.

    What it means: the tool was listed with an ``outputSchema``, by which each successful result has
    to carry ``structuredContent``; this one has none. Results with ``isError`` are exempt.

    Why it matters: the clients of the official SDKs raise an error although the result on the wire
    looks good, so that the call fails for the user.

    Fails, listed [{"name":"price","inputSchema":{"type":"object"},"outputSchema":{"type":"object"}}]:
        → 5 tools/call {"name":"price","arguments":{}}
        ← 5 result {"content":[{"type":"text","text":"12"}]}

    Passes, listed [{"name":"price","inputSchema":{"type":"object"},"outputSchema":{"type":"object"}}]:
        → 5 tools/call {"name":"price","arguments":{}}
        ← 5 result {"content":[{"type":"text","text":"not found"}],"isError":true}

    What to do: return structuredContent beside the text, or list the tool without outputSchema.
    """

    id = "TOL008"
    title = "structuredContent missing although outputSchema is declared"
    severity = "error"
    culprit = "server"
    next = "return structuredContent beside the text, or drop outputSchema"
    versions = since("2025-06-18")
    spec = "2025-11-25/server/tools#output-schema"

    @sees(sides="s2c", methods="tools/call", outcomes="result", shapes=("text", "other"))
    def answer(self, answer: Answer) -> None:
        exchange = answer.exchange
        if self.tool_of(exchange, "outputSchema") is None:
            return
        result = answer.result
        if result and "structuredContent" not in result and is_final(result):
            self.hit(
                answer,
                f"tool {ticked(exchange.target)} declares outputSchema but result {shown_id(exchange.id)} "
                "has no structuredContent; the clients of the official SDKs raise an error",
                key=key_of(exchange.target),
            )
