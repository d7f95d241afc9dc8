"""TOL004: tool schema is not valid JSON Schema."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from mcp_tap.diagnosis.bounded import Latest
from mcp_tap.diagnosis.context import Answer, SessionContext, since
from mcp_tap.diagnosis.interest import sees
from mcp_tap.diagnosis.json_schema import SESSION_STEPS, is_same, read_schema
from mcp_tap.diagnosis.misfit import Misfit, is_masked
from mcp_tap.diagnosis.rule import Rule
from mcp_tap.diagnosis.text import key_of, shown, ticked
from mcp_tap.rules.tools._base import tools_in

CHECKED_KEPT = 512
"""Schemas that are remembered, so that one that is listed again is not checked again."""

NAMES_A_DEFAULT = since("2025-11-25")
"""Versions in which a schema without ``$schema`` is of 2020-12; before, that was open."""

DESCRIBED = since("2024-11-05") - since("2026-07-28")
"""Versions whose own schema says what properties and required of a tool's schema are."""

OUTPUT_DESCRIBED = since("2025-06-18") - since("2026-07-28")


class InvalidSchema(Rule):
    """A tool schema that is not valid JSON Schema.

    What it means: ``inputSchema`` or ``outputSchema`` of a tool breaks the rules of its own JSON
    Schema dialect, or its ``$schema`` names an unknown dialect. Without ``$schema`` the dialect is
    2020-12, as MCP specifies since 2025-11-25; in sessions of older versions, a schema that is
    valid as draft-07 passes too. Nothing is fetched for the check, and a schema that would take too
    long to check is not reported.

    Why it matters: some clients reject the tool, or all tools; others send arguments without
    checking them. Model APIs reject a request that contains such a tool.

    Fails:
        → 1 tools/list
        ← 1 result {"tools":[{"name":"find","inputSchema":{"type":"object",
            "properties":{"limit":{"type":"int"}}}}]}

    Passes, 2025-06-18:
        → 1 tools/list
        ← 1 result {"tools":[{"name":"find","inputSchema":{"type":"object",
            "properties":{"range":{"items":[{"type":"integer"},{"type":"integer"}]}}}}]}

    What to do: correct the schema; a JSON Schema validator with the metaschema of the dialect shows
    where it is wrong. If the dialect is not 2020-12, name it in ``$schema``.
    """

    id = "TOL004"
    title = "tool schema is not valid JSON Schema"
    severity = "warning"
    culprit = "server"
    next = "correct the schema, or name its dialect in $schema (the default is 2020-12)"
    methods = frozenset({"tools/list"})
    spec = "2025-11-25/basic#json-schema-usage"

    def __init__(self, context: SessionContext) -> None:
        super().__init__(context)
        self._checked: Latest[tuple[str, str], Any] = Latest(CHECKED_KEPT)
        self._steps = SESSION_STEPS

    @sees(sides="s2c")
    def answer(self, answer: Answer) -> None:
        for name, member, schema in schemas_in(answer):
            if self._steps > 0 and not is_same(self._checked.get((name, member)), schema):
                self._checked[(name, member)] = schema
                self._check(answer, name, member, schema)

    def _check(self, answer: Answer, name: str, member: str, value: Any) -> None:
        schema = read_schema(value)
        if schema.dialect is None and is_masked(schema.named):
            return
        if schema.dialect is None:
            what = f"{member} names an unknown dialect in $schema: {shown(schema.named)}"
            self.hit(answer, f"tool {ticked(name)}: {what}", key=key_of(name, member))
            return
        valid = schema.valid()
        self._steps -= valid.steps
        if valid.fits is not False or is_masked(value) or self._is_told(answer, member, valid.misfits[0]):
            return
        older = schema.is_older
        if older and answer.version not in NAMES_A_DEFAULT:
            return
        why = "it is valid as draft-07, but does not say so in $schema" if older else str(valid.misfits[0])
        dialect = schema.dialect.removesuffix("/schema").rpartition("json-schema.org/")[2]
        what = f"{member} is not a valid JSON Schema ({dialect.replace('draft/', '')}): {why}"
        self.hit(answer, f"tool {ticked(name)}: {what}", key=key_of(name, member))

    def _is_told(self, answer: Answer, member: str, misfit: Misfit) -> bool:
        """Whether RPC025 tells of it: what the schema of MCP itself demands of this one."""
        if misfit.keyword != "type" or answer.version not in (
            DESCRIBED if member == "inputSchema" else OUTPUT_DESCRIBED
        ):
            return False
        path = misfit.path
        return not path or (len(path) <= 2 and path[0] in ("properties", "required"))


def schemas_in(answer: Answer) -> Iterator[tuple[str, str, Any]]:
    """The schemas of the tools that are listed: the tool's name, the member, the schema.

    An inputSchema that is no object is another finding, and an outputSchema of null is none.
    """
    for tool in tools_in(answer):
        name = tool.get("name")
        if isinstance(name, str):
            if isinstance(tool.get("inputSchema"), dict):
                yield name, "inputSchema", tool["inputSchema"]
            if tool.get("outputSchema") is not None:
                yield name, "outputSchema", tool["outputSchema"]
