"""TOL007: arguments do not match inputSchema."""

from __future__ import annotations

from functools import partial
from typing import Any

import orjson

from mcp_tap.diagnosis.context import Answer, Request, SessionContext
from mcp_tap.diagnosis.finding import Hit
from mcp_tap.diagnosis.interest import sees
from mcp_tap.diagnosis.misfit import Misfit, listed
from mcp_tap.diagnosis.pending import explain
from mcp_tap.diagnosis.text import TYPES, as_json, key_of, shown_id, ticked
from mcp_tap.model.exchange import Exchange
from mcp_tap.rules.tools._base import KnownTools
from mcp_tap.rules.tools._schemas import SampledSchemas


class ArgumentsDoNotFit(KnownTools):
    """Arguments that do not match the tool's inputSchema.

    What it means: the client (usually its model) called a tool with arguments that the tool's own
    ``inputSchema`` does not allow, as last listed. Calls are sampled: for each tool, the first 200
    calls are checked, then every call with new members or types, and one in 256 of the others.
    Identical calls are checked once. The count refers to the calls that were checked. A schema with
    external references, or one that takes too long to check, produces no finding. An array or object
    that was sent as JSON text in a string is named as such.

    Why it matters: strict servers reject the call; others process arguments that they did not
    expect. If the server answered anyway, the schema may be stricter than the tool.

    Fails:
        → 1 tools/list
        ← 1 result {"tools":[{"name":"find","inputSchema":{"type":"object",
            "properties":{"limit":{"type":"integer"}}}}]}
        → 5 tools/call {"name":"find","arguments":{"limit":"ten"}}
        ← 5 result {"content":[]}

    Fails:
        → 1 tools/list
        ← 1 result {"tools":[{"name":"add","inputSchema":{"type":"object",
            "properties":{"rows":{"type":"array","items":{"type":"object"}}}}}]}
        → 5 tools/call {"name":"add","arguments":{"rows":"[{\\"a\\": 1}]"}}
        ← 5 result {"content":[]}

    Passes:
        → 1 tools/list
        ← 1 result {"tools":[{"name":"find","inputSchema":{"type":"object",
            "properties":{"limit":{"type":"integer"}}}}]}
        → 5 tools/call {"name":"find","arguments":{"limit":10.0,"page":2}}
        ← 5 result {"content":[]}

    What to do: check whether the tool's description agrees with its schema: a model that is told
    the format of an argument sticks to it. Relax the schema if the tool accepts more than the
    schema says.
    """

    id = "TOL007"
    title = "arguments do not match inputSchema"
    severity = "warning"
    culprit = "client"
    next = "compare the arguments with the schema: is it too strict, or is the description unclear?"
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
        arguments = request.params.get("arguments", {})
        if isinstance(decoded(arguments), dict):
            what = f"arguments of {ticked(exchange.target)} (id {shown_id(exchange.id)}) were encoded twice"
            self._report(request, f"{what}: they are an object as JSON text in a string", "encoded")
            return
        tool = self.tool_of(exchange, "inputSchema")
        if tool is None or not isinstance(arguments, dict):
            return  # arguments of another shape altogether are another finding
        misfits = self._schemas.misfits(exchange.target or "", tool, arguments)
        if not misfits:
            return
        encoded = [each for each in misfits if self._is_encoded_twice(exchange.target or "", arguments, each)]
        if encoded:
            self._report(request, encoded_twice(exchange, encoded), f"{encoded[0].key} encoded")
            return
        call = f"arguments of {ticked(exchange.target)} (id {shown_id(exchange.id)})"
        self._report(request, f"{call} do not match its inputSchema: {misfits[0]}", misfits[0].key)

    def _report(self, request: Request, message: str, key: str) -> None:
        hit = self.hit(
            request,
            message,
            key=key_of(request.exchange.target, key),
            evidence=as_json(request.params.get("arguments")),
            next=NEXT_ENCODED if key.endswith("encoded") else None,
            explains=[request.seq],
        )
        self.await_answer(request.exchange, partial(refused, hit))

    def _is_encoded_twice(self, tool: str, arguments: dict[str, Any], misfit: Misfit) -> bool:
        """Whether a string would fit as the array or object of which it is the JSON."""
        meant = decoded(misfit.value) if misfit.keyword in ("type", "anyOf", "oneOf") else None
        if meant is None or not misfit.path:
            return False
        if misfit.keyword == "type":
            return json_type(meant) in misfit.expected  # one name, or a list of them
        return self._schemas.fits_at(tool, replaced(arguments, misfit.path, meant), misfit.path)


NEXT_ENCODED = "send the array or object itself, not its JSON in a string; a server may accept both"


def encoded_twice(exchange: Exchange, misfits: list[Misfit]) -> str:
    """The sentence about arguments that hold JSON text."""
    where = listed(dict.fromkeys(each.where for each in misfits))
    call = f"{ticked(exchange.target)} (id {shown_id(exchange.id)})"
    if len(misfits) > 1:
        return f"arguments {where} of {call} were encoded twice: they are JSON text in strings"
    kind = TYPES[json_type(decoded(misfits[0].value))]
    return f"argument {where} of {call} was encoded twice: it is {kind} as JSON text in a string"


def decoded(value: Any) -> Any:
    """The array or object of which a string is the JSON; None where it is no such string."""
    if not isinstance(value, str) or value.lstrip()[:1] not in ("[", "{"):
        return None
    try:
        return orjson.loads(value)
    except orjson.JSONDecodeError:
        return None


def json_type(value: Any) -> str:
    """What JSON Schema calls an array or object."""
    return "array" if isinstance(value, list) else "object"


def replaced(value: Any, path: tuple[str | int, ...], part: Any) -> Any:
    """``value`` with ``part`` at ``path``; what was given stays as it is."""
    if not path:
        return part
    copy: Any = value.copy()
    copy[path[0]] = replaced(copy[path[0]], path[1:], part)
    return copy


def refused(hit: Hit, answer: Answer) -> None:
    """A refusal follows from the arguments."""
    if answer.exchange.outcome in ("error", "tool-error"):
        explain(hit, [answer.seq])
