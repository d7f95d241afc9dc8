"""TOL009: structuredContent does not match outputSchema."""

from __future__ import annotations

from mcp_tap.diagnosis.context import Answer, SessionContext, since
from mcp_tap.diagnosis.interest import sees
from mcp_tap.diagnosis.text import as_json, key_of, shown_id, ticked
from mcp_tap.rules.tools._base import KnownTools
from mcp_tap.rules.tools._schemas import OBJECTS_ONLY, SampledSchemas, is_final


class OutputDoesNotFit(KnownTools):
    """structuredContent that does not match the tool's outputSchema.

    What it means: the ``structuredContent`` of a result is not what the tool's own ``outputSchema``
    promises. Results are sampled: the first 200 of each tool are checked, each with members or
    types not seen before, and of the others one in 256. Results with ``isError`` are exempt.

    Why it matters: the clients of the official SDKs check it too, and raise an error: the call has
    failed for the user, although the server is content with it.

    Fails:
        → 1 tools/list
        ← 1 result {"tools":[{"name":"price","inputSchema":{"type":"object"},
            "outputSchema":{"type":"object","properties":{"eur":{"type":"number"}}}}]}
        → 5 tools/call {"name":"price","arguments":{}}
        ← 5 result {"content":[{"type":"text","text":"12"}],"structuredContent":{"eur":"12"}}

    Passes:
        → 1 tools/list
        ← 1 result {"tools":[{"name":"price","inputSchema":{"type":"object"},
            "outputSchema":{"type":"object","properties":{"eur":{"type":"number"}}}}]}
        → 5 tools/call {"name":"price","arguments":{}}
        ← 5 result {"content":[{"type":"text","text":"12"}],"structuredContent":{"eur":12}}

    What to do: make schema and result agree; null and left-out members are the usual causes.
    """

    id = "TOL009"
    title = "structuredContent does not match outputSchema"
    severity = "error"
    culprit = "server"
    next = "make outputSchema and structuredContent agree; look for null and for members that are left out"
    versions = since("2025-06-18")
    spec = "2025-11-25/server/tools#output-schema"

    def __init__(self, context: SessionContext) -> None:
        super().__init__(context)
        self._schemas = SampledSchemas("outputSchema")

    @sees(sides="s2c", methods="tools/call", outcomes="result", shapes=("structured", "other"))
    def answer(self, answer: Answer) -> None:
        exchange, result = answer.exchange, answer.result
        if "structuredContent" not in result or not is_final(result):
            return
        content = result["structuredContent"]
        if not isinstance(content, dict) and answer.version in OBJECTS_ONLY:
            return  # TOL011
        tool, name = self.tool_of(exchange, "outputSchema"), exchange.target
        misfit = None if tool is None else self._schemas.misfit(name or "", tool, content)
        if misfit is None:
            return
        self.hit(
            answer,
            f"structuredContent of {ticked(name)} (id {shown_id(exchange.id)}) does not match its "
            f"outputSchema: {misfit}; the clients of the official SDKs raise an error",
            key=key_of(name, misfit.key),
            evidence=as_json(content),
        )
