"""PRV011: required argument that is not defined, or an empty choice."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from mcp_tap.diagnosis.finding import Hit
from mcp_tap.diagnosis.misfit import is_masked
from mcp_tap.rules.providers._schemas import Listed, SchemaFaults

DEFINES_MORE = ("$ref", "allOf", "anyOf", "oneOf", "patternProperties")
"""Keywords by which a schema may define members elsewhere."""

WORDS = {
    "required": "in required that is not under properties",
    "enum": "with an empty string in its enum",
}


class RefusedByGoogle(SchemaFaults):
    """A tool schema that requires what it does not define, or offers an empty choice.

    What it means: somewhere in the ``inputSchema``, ``required`` names a member that is not under
    ``properties`` beside it, or an ``enum`` has ``""`` among its values. Both are valid JSON Schema.

    Why it matters: Google's API answers every request that contains the tool with HTTP 400
    ("property is not defined", "enum: cannot be empty"). With other APIs the model is asked for an
    argument of which it knows nothing.

    Fails:
        → 1 tools/list
        ← 1 result {"tools":[{"name":"find","inputSchema":{"type":"object",
            "properties":{"query":{"type":"string"}},"required":["q"]}}]}

    Passes:
        → 1 tools/list
        ← 1 result {"tools":[{"name":"find","inputSchema":{"type":"object",
            "properties":{"query":{"type":"string","enum":["a","b"]}},"required":["query"]}}]}

    What to do: define the argument under properties, or take it out of required. In place of an empty
    choice, make the argument optional.
    """

    id = "PRV011"
    title = "required argument that is not defined, or an empty choice"
    severity = "warning"
    culprit = "server"
    next = "define the argument under properties or take it out of required; have no empty string in an enum"

    def faults(self, listed: Listed) -> Iterator[tuple[str, str]]:
        for path, schema in listed.parts:
            for name in undefined(schema):
                yield "required", f"{path}.{name}" if path else name
            values = schema.get("enum")
            if path and isinstance(values, list) and "" in values:
                yield "enum", path

    def sentence(self, hit: Hit) -> str:
        who = self.tools(hit, "has an argument", "have arguments")
        return f"{who} {WORDS[str(hit.key)]}: {self.first(hit)}; Google's API refuses that"


def undefined(schema: dict[str, Any]) -> list[str]:
    """What a schema requires and does not define; nothing where it may be defined elsewhere."""
    required, properties = schema.get("required"), schema.get("properties")
    if not isinstance(required, list) or not isinstance(properties, dict) or is_masked(list(properties)):
        return []
    if any(keyword in schema for keyword in DEFINES_MORE):
        return []
    return [
        name for name in required if isinstance(name, str) and name not in properties and not is_masked(name)
    ]
