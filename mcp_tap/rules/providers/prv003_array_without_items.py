"""PRV003: array parameter without items."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from mcp_tap.diagnosis.finding import Hit
from mcp_tap.rules.providers._schemas import Listed, SchemaFaults

SAYS_MORE = ("items", "prefixItems", "$ref", "allOf", "anyOf", "oneOf")
"""Keywords by which a schema says, here or elsewhere, what its items are."""


class ArrayWithoutItems(SchemaFaults):
    """A tool with an array parameter that does not say what its items are.

    What it means: somewhere in the ``inputSchema`` there is ``"type": "array"`` without ``items``.
    JSON Schema takes that for an array of anything.

    Why it matters: OpenAI (Azure too) and Google answer every request that contains the tool with
    HTTP 400 ("array schema missing items"), and VS Code rejects the tool.

    Fails:
        → 1 tools/list
        ← 1 result {"tools":[{"name":"run","inputSchema":{"type":"object",
            "properties":{"files":{"type":"array"}}}}]}

    Passes:
        → 1 tools/list
        ← 1 result {"tools":[{"name":"run","inputSchema":{"type":"object",
            "properties":{"files":{"type":"array","items":{"type":"string"}},"any":{"type":"array",
            "items":{}}}}}]}

    What to do: add items, the schema of one item; {} if it can be anything.
    """

    id = "PRV003"
    title = "array parameter without items"
    severity = "warning"
    culprit = "server"
    next = 'add items, the schema of one item: {"type":"array","items":{"type":"string"}}'

    def faults(self, listed: Listed) -> Iterator[tuple[str, str]]:
        for path, schema in listed.parts[1:]:
            if is_array(schema.get("type")) and not any(keyword in schema for keyword in SAYS_MORE):
                yield "", path or "array"

    def sentence(self, hit: Hit) -> str:
        who = self.tools(hit, "has an array without items", "have arrays without items")
        return f"{who}: {self.first(hit)}; OpenAI, Google and VS Code refuse that"


def is_array(kind: Any) -> bool:
    """Whether a ``type`` has arrays in it."""
    return kind == "array" or (isinstance(kind, list) and "array" in kind)
