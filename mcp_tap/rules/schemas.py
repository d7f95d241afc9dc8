"""TOL: JSON Schemas of tools, and what is held against them (MCP server/tools#data-types)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from mcp_tap.model.exchange import Exchange
from mcp_tap.rules.case import Case, Seen, since
from mcp_tap.rules.facts.json_schema import SESSION_STEPS, Answer, Schema, is_same, read_schema
from mcp_tap.rules.facts.known_tools import KnownSchemas, KnownTools
from mcp_tap.rules.facts.misfit import as_json, is_masked, shown
from mcp_tap.rules.facts.pending import explain, shown_id
from mcp_tap.rules.facts.sampler import Sampler
from mcp_tap.rules.facts.wording import key_of, ticked
from mcp_tap.rules.finding import Hit
from mcp_tap.rules.rule import Rule

NAMES_A_DEFAULT = since("2025-11-25")
"""Versions in which a schema without ``$schema`` is of 2020-12; before, that was open."""

OPEN_KEPT = 256
"""Calls with a finding that wait for their answer."""


class InvalidSchema(Rule):
    """A tool's schema is not a JSON Schema.

    What it means: ``inputSchema`` or ``outputSchema`` of a tool breaks the rules of its own dialect
    of JSON Schema, or names a dialect that is not known in ``$schema``. Without ``$schema`` the
    dialect is 2020-12, as MCP says since 2025-11-25; in sessions of older versions a schema that is
    good as draft-07 passes too. Nothing is fetched to find out, and a schema that would take too
    long to check is not reported.

    Why it matters: some clients refuse the tool, or all tools, others send arguments unchecked; the
    APIs of models reject a request with such a tool in it.

    Fails:
        → 1 tools/list
        ← 1 result {"tools":[{"name":"find","inputSchema":{"type":"object",
            "properties":{"limit":{"type":"int"}}}}]}

    Passes, 2025-06-18:
        → 1 tools/list
        ← 1 result {"tools":[{"name":"find","inputSchema":{"type":"object",
            "properties":{"range":{"items":[{"type":"integer"},{"type":"integer"}]}}}}]}

    What to do: correct the schema; a JSON Schema validator with the metaschema of the dialect shows
    where. Name the dialect in ``$schema`` if it is not 2020-12.
    """

    id = "TOL004"
    title = "tool schema is not valid JSON Schema"
    severity = "warning"
    culprit = "server"
    next = "correct the schema, or name its dialect in $schema; without one it is 2020-12"
    methods = frozenset({"tools/list"})
    spec = "2025-11-25/basic#json-schema-usage"

    def __init__(self, case: Case) -> None:
        super().__init__(case)
        self._checked: dict[tuple[str, str], Any] = {}
        self._steps = SESSION_STEPS

    def answer(self, seen: Seen) -> None:
        for name, member, schema in schemas_in(seen):
            if self._steps > 0 and not is_same(self._checked.get((name, member)), schema):
                if len(self._checked) >= 2 * OPEN_KEPT:
                    self._checked.clear()
                self._checked[(name, member)] = schema
                self._check(seen, name, member, schema)

    def _check(self, seen: Seen, name: str, member: str, value: Any) -> None:
        schema = read_schema(value)
        if schema.dialect is None and is_masked(schema.named):
            return
        if schema.dialect is None:
            what = f"{member} names a dialect in $schema that is not known: {shown(schema.named)}"
            self.hit(seen, f"tool {ticked(name)}: {what}", key=key_of(name, member))
            return
        valid = schema.valid()
        self._steps -= valid.steps
        if valid.fits is not False or is_masked(value):
            return
        older = schema.is_older
        if older and seen.version not in NAMES_A_DEFAULT:
            return
        why = "it is one of draft-07 but does not say so in $schema" if older else str(valid.misfits[0])
        dialect = schema.dialect.removesuffix("/schema").rpartition("json-schema.org/")[2]
        what = f"{member} is not a valid JSON Schema ({dialect.replace('draft/', '')}): {why}"
        self.hit(seen, f"tool {ticked(name)}: {what}", key=key_of(name, member))


def schemas_in(seen: Seen) -> Iterator[tuple[str, str, Any]]:
    """The schemas of the tools that are listed: the tool's name, the member, the schema.

    An inputSchema that is no object is another finding, and an outputSchema of null is none.
    """
    tools = seen.result.get("tools")
    for tool in tools if seen.side == "s2c" and isinstance(tools, list) else ():
        name = tool.get("name") if isinstance(tool, dict) else None
        if isinstance(name, str):
            if isinstance(tool.get("inputSchema"), dict):
                yield name, "inputSchema", tool["inputSchema"]
            if tool.get("outputSchema") is not None:
                yield name, "outputSchema", tool["outputSchema"]


class Held(KnownSchemas):
    """The base of rules that hold values against a schema: a sample of them, in bounded time."""

    def __init__(self, case: Case) -> None:
        super().__init__(case)
        self.sampler = Sampler()
        self._steps = SESSION_STEPS
        self._refused: Answer | None = None
        """What was said of the value that is shown next, if it was asked about already."""

    def renewed(self, name: str, schema: Schema) -> None:
        self.sampler.forget(name)
        self._steps -= schema.valid().steps

    def has_no_quarrel(self, name: str, tool: dict[str, Any], value: Any) -> bool:
        """Whether there is nothing to tell of a call of ``tool``, as it is listed, that is known to hold.

        It counts as having been asked about; where the answer is no, the sampler is to be told so
        before the rule is shown the call.
        """
        schema = self._asked_of(name, tool)
        if schema is None or not self.sampler.wants(name, value):
            return True
        answer = self._ask(schema, value)
        self._refused = answer if answer.misfits else None
        return self._refused is None

    def judge(self, exchange: Exchange, value: Any) -> Answer | None:
        """Whether ``value`` fits the schema of the tool that is called; None where it is not asked."""
        tool, name = self.tool_of(exchange), exchange.target
        if tool is None or name is None:
            return None
        if self.sampler.verdict and self._refused is not None:
            answer, self._refused = self._refused, None
            return answer
        schema = self._asked_of(name, tool)
        if schema is None or not self.sampler.wants(name, value):
            return None
        return self._ask(schema, value)

    def _asked_of(self, name: str, tool: dict[str, Any]) -> Schema | None:
        """The schema of ``tool``, if there is one that may still be asked."""
        return self.schema_of(name, tool) if self._steps > 0 else None

    def _ask(self, schema: Schema, value: Any) -> Answer:
        answer = schema.fits(value)
        self._steps -= answer.steps
        return replace(answer, misfits=()) if answer.misfits and is_masked(schema.value) else answer


class ArgumentsDoNotFit(Held):
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
    member = "inputSchema"

    def __init__(self, case: Case) -> None:
        super().__init__(case)
        self._open: dict[Exchange, Hit] = {}

    def called(self, seen: Seen, exchange: Exchange) -> None:
        arguments = seen.params.get("arguments", {})
        if not isinstance(arguments, dict):
            return  # of another shape altogether, which is another finding
        answer = self.judge(exchange, arguments)
        if answer is None or not answer.misfits or is_masked(arguments):
            return
        misfit = answer.misfits[0]
        hit = self.hit(
            seen,
            f"arguments of {ticked(exchange.target)} (id {shown_id(exchange.id)}) do not match its "
            f"inputSchema: {misfit}",
            key=key_of(exchange.target, misfit.key),
            evidence=as_json(arguments),
        )
        if len(self._open) < OPEN_KEPT:
            self._open[exchange] = hit

    def returned(self, seen: Seen, exchange: Exchange) -> None:
        """A refusal follows from the arguments."""
        hit = self._open.pop(exchange, None)
        if hit is not None and exchange.outcome in ("error", "tool-error"):
            explain(hit, [seen.seq])


def is_final(exchange: Exchange, result: dict[str, Any]) -> bool:
    """Whether a result is a successful tool's own: no failure, no task, no question back."""
    if exchange.outcome != "result" or "task" in result:
        return False
    return bool(result.get("resultType", "complete") == "complete")


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

    def returned(self, seen: Seen, exchange: Exchange) -> None:
        result = seen.result
        if "structuredContent" in result or not result or not is_final(exchange, result):
            return
        tool = self.tool_of(exchange)
        if tool is not None and isinstance(tool.get("outputSchema"), dict):
            self.hit(
                seen,
                f"tool {ticked(exchange.target)} declares outputSchema but result {shown_id(exchange.id)} "
                "has no structuredContent; the clients of the official SDKs raise an error",
                key=key_of(exchange.target),
            )


class OutputDoesNotFit(Held):
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
    member = "outputSchema"

    def returned(self, seen: Seen, exchange: Exchange) -> None:
        result = seen.result
        if "structuredContent" not in result or not is_final(exchange, result):
            return
        content = result["structuredContent"]
        if not isinstance(content, dict) and seen.version in OBJECTS_ONLY:
            return  # TOL011
        answer = self.judge(exchange, content)
        if answer is None or not answer.misfits or is_masked(content):
            return
        misfit = answer.misfits[0]
        self.hit(
            seen,
            f"structuredContent of {ticked(exchange.target)} (id {shown_id(exchange.id)}) does not match its "
            f"outputSchema: {misfit}; the clients of the official SDKs raise an error",
            key=key_of(exchange.target, misfit.key),
            evidence=as_json(content),
        )


OBJECTS_ONLY = since("2025-06-18") - since("2026-07-28")
"""Versions in which structuredContent is an object."""


class StructuredContentIsNoObject(Rule):
    """structuredContent is not an object.

    What it means: ``structuredContent`` of a tool's result is an array, a string, a number or null.
    Before 2026-07-28 it has to be an object.

    Why it matters: clients validate the result as a whole and drop it, so that the call fails.

    Fails:
        → 5 tools/call {"name":"list_rows","arguments":{}}
        ← 5 result {"content":[{"type":"text","text":"[1]"}],"structuredContent":[1]}

    Passes:
        → 5 tools/call {"name":"list_rows","arguments":{}}
        ← 5 result {"content":[{"type":"text","text":"[1]"}],"structuredContent":{"result":[1]}}

    What to do: wrap it in an object, {"result": …}.
    """

    id = "TOL011"
    title = "structuredContent is not an object"
    severity = "error"
    culprit = "server"
    next = 'wrap it: {"result": …}; any JSON value is allowed from 2026-07-28 on'
    versions = OBJECTS_ONLY
    methods = frozenset({"tools/call"})
    spec = "2025-11-25/server/tools#structured-content"

    def answer(self, seen: Seen) -> None:
        result, exchange = seen.result, seen.exchange
        assert exchange is not None
        if seen.side != "s2c" or "structuredContent" not in result:
            return
        content = result["structuredContent"]
        if isinstance(content, dict) or is_masked(content):
            return
        self.hit(
            seen,
            f"structuredContent of {ticked(exchange.target)} (id {shown_id(exchange.id)}) is "
            f"{shown(content)}, not an object",
            key=key_of(exchange.target),
        )


RULES: tuple[type[Rule], ...] = (
    InvalidSchema,
    ArgumentsDoNotFit,
    NoStructuredContent,
    OutputDoesNotFit,
    StructuredContentIsNoObject,
)
