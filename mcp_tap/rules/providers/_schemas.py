"""The schemas of tools, part by part, and findings that name all tools of one fault together."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

from mcp_tap.diagnosis.bounded import Latest
from mcp_tap.diagnosis.content import tools_in
from mcp_tap.diagnosis.context import Answer, SessionContext
from mcp_tap.diagnosis.finding import Hit
from mcp_tap.diagnosis.interest import sees
from mcp_tap.diagnosis.json_schema import is_same
from mcp_tap.diagnosis.misfit import is_masked
from mcp_tap.diagnosis.rule import Rule
from mcp_tap.diagnosis.text import NAME_SHOWN, NAMES_SHOWN, ticked
from mcp_tap.model.exchange import Paired

PARTS_LOOKED_AT = 2_000
"""Subschemas of one schema."""

SESSION_PARTS = 400_000
"""Subschemas of all schemas of a session: a server that changes its tools all the time has no end of them."""

SCHEMAS_KEPT = 2_000
"""Schemas that are remembered, so that one that is listed again is not looked at again."""

NAMES_KEPT = 1_000
"""Tools whose faults are remembered."""

IN_MEMBERS = ("properties", "patternProperties", "$defs", "definitions", "dependentSchemas")
IN_LISTS = ("anyOf", "oneOf", "allOf", "prefixItems", "items")
IN_ITSELF = (
    *("items", "additionalItems", "unevaluatedItems", "contains"),
    *("additionalProperties", "unevaluatedProperties", "propertyNames"),
    *("not", "if", "then", "else"),
)
"""Where a schema has schemas. What else it has (``default``, ``enum``, ``examples``) is data."""


class Part(NamedTuple):
    """A schema within a schema; ``path`` is the argument that it is of (``rows[].name``), or empty."""

    path: str
    schema: dict[str, Any]


class Listed(NamedTuple):
    """A schema of a tool as it was listed: of ``member`` (inputSchema, outputSchema)."""

    tool: str
    member: str
    schema: dict[str, Any]
    parts: tuple[Part, ...]


def parts_of(schema: dict[str, Any], limit: int) -> Iterator[Part]:
    """``schema`` and what is within it, the outer before the inner, at most ``limit``."""
    left = [Part("", schema)]
    for _ in range(limit):
        if not left:
            return
        part = left.pop()
        yield part
        left.extend(reversed(list(within(part))))


def within(part: Part) -> Iterator[Part]:
    """The schemas that a schema has."""
    path, schema = part
    for keyword in IN_MEMBERS:
        members = schema.get(keyword)
        for name, value in members.items() if isinstance(members, dict) else ():
            if isinstance(value, dict):
                yield Part(joined(path, name if keyword == "properties" else f"{keyword}.{name}"), value)
    for keyword in IN_LISTS:
        values = schema.get(keyword)
        for value in values if isinstance(values, list) else ():
            if isinstance(value, dict):
                yield Part(f"{path}[]" if keyword.lower().endswith("items") else path, value)
    for keyword in IN_ITSELF:
        value = schema.get(keyword)
        if isinstance(value, dict):
            yield Part(f"{path}[]" if keyword == "items" else path, value)


def joined(path: str, name: str) -> str:
    """The path of a member; of a long one the end is left out."""
    return (f"{path}.{name}" if path else name)[: 2 * NAME_SHOWN]


class ListedSchemas:
    """The schemas that a page of the list has anew; one for a session, for all rules that ask."""

    def __init__(self) -> None:
        self._seen: Latest[tuple[str, str], Any] = Latest(SCHEMAS_KEPT)
        self._left = SESSION_PARTS
        self._item: Paired | None = None
        self._page: list[Listed] = []

    def new_in(self, answer: Answer) -> list[Listed]:
        """Those of ``answer`` that were not listed before, or otherwise."""
        if self._item is not answer.item:
            self._item, self._page = answer.item, list(self._read(answer))
        return self._page

    def _read(self, answer: Answer) -> Iterator[Listed]:
        for tool in tools_in(answer):
            name = tool.get("name")
            for member in ("inputSchema", "outputSchema") if isinstance(name, str) else ():
                schema = tool.get(member)
                key = (str(name), member)
                if not isinstance(schema, dict) or is_same(self._seen.get(key), schema):
                    continue
                self._seen[key] = schema
                if self._left > 0:
                    parts = tuple(parts_of(schema, PARTS_LOOKED_AT))
                    self._left -= len(parts)
                    yield Listed(str(name), member, schema, parts)


class SchemaFaults(Rule):
    """The base of rules about schemas: all tools that have the same fault are one finding."""

    methods = frozenset({"tools/list"})
    members: tuple[str, ...] = ("inputSchema",)
    """The schemas that are looked at; a model's API sees nothing but the inputSchema."""

    def __init__(self, context: SessionContext) -> None:
        super().__init__(context)
        self._schemas = context.shared(ListedSchemas)
        self.told: dict[str, dict[str, str]] = {}
        """By the key of the finding, the tools that have the fault, and where or what it is in each."""

    def faults(self, listed: Listed) -> Iterable[tuple[str, str]]:
        """The faults of a schema: the key of the finding, and where or what it is."""
        raise NotImplementedError

    @sees(sides="s2c", outcomes="result")
    def answer(self, answer: Answer) -> None:
        for listed in self._schemas.new_in(answer):
            if listed.member in self.members and not is_masked(listed.tool):
                for key, what in self.faults(listed):
                    tools = self.told.setdefault(key, {})
                    if listed.tool not in tools and len(tools) < NAMES_KEPT:
                        tools[listed.tool] = what
                        self.hit(answer, "", key=key)

    def tools(self, hit: Hit, one: str, many: str) -> str:
        """The beginning of a sentence: ``tool `find` has``, ``3 tools (`find`, …) have``, with the verb."""
        names = list(self.told[str(hit.key)])
        if len(names) == 1:
            return f"tool {ticked(names[0])} {one}"
        more = f" and {len(names) - NAMES_SHOWN:,} more" if len(names) > NAMES_SHOWN else ""
        return f"{len(names):,} tools ({', '.join(map(ticked, names[:NAMES_SHOWN]))}{more}) {many}"

    def first(self, hit: Hit) -> str:
        """What or where the fault is in the first tool, and how many others there are."""
        every = list(dict.fromkeys(self.told[str(hit.key)].values()))
        more = f" and {len(every) - 1:,} more" if len(every) > 1 else ""
        return ticked(every[0]) + more
