"""TOL007: arguments do not match inputSchema."""

from __future__ import annotations

from functools import partial

from mcp_tap.diagnosis.context import Answer, Request, SessionContext
from mcp_tap.diagnosis.finding import Hit
from mcp_tap.diagnosis.interest import sees
from mcp_tap.diagnosis.pending import explain
from mcp_tap.diagnosis.text import as_json, key_of, shown_id, ticked
from mcp_tap.rules.tools._base import KnownTools
from mcp_tap.rules.tools._schemas import SampledSchemas


class ArgumentsDoNotFit(KnownTools):
    """Arguments that do not match the tool's inputSchema.

    What it means: the client (its model, mostly) called a tool with arguments that the tool's own
    ``inputSchema`` does not allow, as it was listed last. Calls are sampled: the first 200 of each
    tool are checked, each with members or types not seen before, and of the others one in 256;
    equal calls are checked once. The number of times is of the calls that were checked. A schema
    with references to elsewhere, or one that takes too long, says nothing.

    Why it matters: strict servers refuse the call, others work with what they did not expect. Where
    the server answered all the same, the schema may be stricter than the tool.

    Fails:
        → 1 tools/list
        ← 1 result {"tools":[{"name":"find","inputSchema":{"type":"object",
            "properties":{"limit":{"type":"integer"}}}}]}
        → 5 tools/call {"name":"find","arguments":{"limit":"ten"}}
        ← 5 result {"content":[]}

    Passes:
        → 1 tools/list
        ← 1 result {"tools":[{"name":"find","inputSchema":{"type":"object",
            "properties":{"limit":{"type":"integer"}}}}]}
        → 5 tools/call {"name":"find","arguments":{"limit":10.0,"page":2}}
        ← 5 result {"content":[]}

    What to do: look whether the tool's description and its schema say the same; a model that is
    told the form of an argument keeps to it. Loosen the schema if the tool takes more than it says.
    """

    id = "TOL007"
    title = "arguments do not match inputSchema"
    severity = "warning"
    culprit = "client"
    next = "compare the arguments with the schema: too strict, or is the description unclear?"
    spec = "2025-11-25/server/tools#security-considerations"

    def __init__(self, context: SessionContext) -> None:
        super().__init__(context)
        self._schemas = SampledSchemas("inputSchema")

    @sees(sides="c2s", methods=("tools/list", "tools/call"))
    def request(self, request: Request) -> None:
        exchange = request.exchange
        if exchange.method == "tools/list":
            super().request(request)
            return
        tool, arguments = self.tool_of(exchange, "inputSchema"), request.params.get("arguments", {})
        if tool is None or not isinstance(arguments, dict):
            return  # arguments of another shape altogether are another finding
        misfit = self._schemas.misfit(exchange.target or "", tool, arguments)
        if misfit is None:
            return
        hit = self.hit(
            request,
            f"arguments of {ticked(exchange.target)} (id {shown_id(exchange.id)}) do not match its "
            f"inputSchema: {misfit}",
            key=key_of(exchange.target, misfit.key),
            evidence=as_json(arguments),
        )
        self.await_answer(exchange, partial(refused, hit))


def refused(hit: Hit, answer: Answer) -> None:
    """A refusal follows from the arguments."""
    if answer.exchange.outcome in ("error", "tool-error"):
        explain(hit, [answer.seq])
