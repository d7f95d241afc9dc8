"""PRV002: a $ref in a tool's schema points to nothing."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any
from urllib.parse import unquote

from mcp_tap.diagnosis.finding import Hit
from mcp_tap.diagnosis.misfit import is_masked
from mcp_tap.rules.providers._schemas import Listed, SchemaFaults

METASCHEMAS = ("http://json-schema.org/", "https://json-schema.org/")
"""What every validator knows without fetching it."""


class ReferenceToNothing(SchemaFaults):
    """A $ref in a tool's schema that points to nothing.

    What it means: a ``$ref`` in ``inputSchema`` or ``outputSchema`` names a part that the schema does
    not have (often because ``$defs`` or the components of an OpenAPI document were left out), or it
    points outside of the schema, from where nobody fetches anything. A schema whose parts have an
    ``$id`` of their own is not looked at.

    Why it matters: model APIs refuse every request that contains such a tool, and clients that
    compile the schemas (those of the TypeScript SDK compile ``outputSchema``) lose the whole list.

    Fails (and PRV005):
        → 1 tools/list
        ← 1 result {"tools":[{"name":"draw","inputSchema":{"type":"object","properties":
            {"at":{"$ref":"#/components/schemas/Point"}}}}]}

    Passes:
        → 1 tools/list
        ← 1 result {"tools":[{"name":"draw","inputSchema":{"type":"object","properties":
            {"at":{"$ref":"#/$defs/Point"}},"$defs":{"Point":{"type":"object"}}}}]}

    What to do: put the definition under $defs of the same schema, or write it in place of the $ref.
    """

    id = "PRV002"
    title = "a $ref in a tool's schema points to nothing"
    severity = "warning"
    culprit = "server"
    next = "put the definition under $defs of the same schema, or write it in place of the $ref"
    members = ("inputSchema", "outputSchema")

    def faults(self, listed: Listed) -> Iterator[tuple[str, str]]:
        if any(isinstance(part.schema.get("$id"), str) for part in listed.parts[1:]):
            return  # what a reference is relative to changes within
        own = listed.schema.get("$id")
        for part in listed.parts:
            reference = part.schema.get("$ref")
            if isinstance(reference, str) and not is_masked(reference):
                inner = reference.removeprefix(own.rstrip("#")) if isinstance(own, str) else reference
                if inner and not inner.startswith("#"):
                    if not inner.startswith(METASCHEMAS):
                        yield f"{listed.member} outside", reference
                elif not is_there(listed, unquote(inner[1:])):
                    yield f"{listed.member} missing", reference

    def sentence(self, hit: Hit) -> str:
        member, kind = str(hit.key).split()
        who = self.tools(hit, "refers", "refer")
        if kind == "outside":
            return (
                f"{who} to {self.first(hit)} in {member}, which is outside of the schema: nobody fetches it"
            )
        return f"{who} to {self.first(hit)} in {member}, which the schema does not contain"


def is_there(listed: Listed, fragment: str) -> bool:
    """Whether a schema has what a fragment (a JSON pointer, or the name of an anchor) names."""
    if fragment and not fragment.startswith("/"):
        named = ("$anchor", "$dynamicAnchor")
        return any(part.schema.get(key) == fragment for part in listed.parts for key in named)
    at: Any = listed.schema
    for step in fragment.split("/")[1:]:
        name = step.replace("~1", "/").replace("~0", "~")
        if isinstance(at, list):
            at = at[int(name)] if name.isdecimal() and int(name) < len(at) else None
        elif isinstance(at, dict) and name in at:
            at = at[name]
        else:
            return False
    return isinstance(at, (dict, bool))
