"""PRV005: schema keyword that not every model API supports."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from mcp_tap.diagnosis.finding import Hit
from mcp_tap.diagnosis.text import ticked
from mcp_tap.rules.providers._schemas import Listed, SchemaFaults

NOT_EVERYWHERE = (
    *("$ref", "oneOf", "allOf", "not", "const", "if", "prefixItems", "contains", "uniqueItems"),
    *("exclusiveMinimum", "exclusiveMaximum", "multipleOf"),
    *("patternProperties", "propertyNames", "dependentSchemas", "dependentRequired"),
    *("unevaluatedProperties", "unevaluatedItems"),
)
"""Keywords that the function declarations of Google's API do not have, but for those that clients take
out as a rule: ``$schema``, ``additionalProperties``, ``title``."""

FORMATS = frozenset({"date-time", "enum", "int32", "int64", "float", "double"})
"""Values of ``format`` that Google's API takes."""

KEYWORDS_SHOWN = 4


class KeywordNotEverywhere(SchemaFaults):
    """A tool schema with keywords that not every model API supports.

    What it means: an ``inputSchema`` uses keywords of JSON Schema (``$ref``, ``oneOf``, ``const``,
    ``exclusiveMinimum``, ``patternProperties``, a list of types, most values of ``format`` …) that
    Google's function declarations do not have, and OpenAI's strict mode has in part. Many clients
    translate or remove them. This is information: the schema is valid.

    Why it matters: with a client that hands the schema on as it is, the API refuses the request; with
    one that removes the keyword, the model does not learn of the restriction.

    Fails:
        → 1 tools/list
        ← 1 result {"tools":[{"name":"find","inputSchema":{"type":"object",
            "properties":{"limit":{"type":"integer","exclusiveMinimum":0}}}}]}

    Passes:
        → 1 tools/list
        ← 1 result {"tools":[{"name":"find","inputSchema":{"type":"object",
            "properties":{"limit":{"type":"integer","minimum":1}}}}]}

    What to do: nothing, if your clients cope with it. Otherwise use type, properties, required, items,
    enum, anyOf, minimum and maximum, put the rest into the description, and check it in the tool.
    """

    id = "PRV005"
    title = "schema keyword that not every model API supports"
    severity = "info"
    culprit = "server"
    next = "nothing, if your clients cope with it; otherwise use simpler keywords and say the rest in words"

    def faults(self, listed: Listed) -> Iterator[tuple[str, str]]:
        used = dict.fromkeys(
            word for part in listed.parts for word in unusual(part.schema, is_root=part is listed.parts[0])
        )
        if used:
            yield "", " ".join(used)

    def sentence(self, hit: Hit) -> str:
        used = dict.fromkeys(word for words in self.told[""].values() for word in words.split())
        shown = list(used)[:KEYWORDS_SHOWN]
        more = f" and {len(used) - len(shown):,} more" if len(used) > len(shown) else ""
        what = f"{', '.join(map(ticked, shown))}{more}"
        return f"{self.tools(hit, 'uses', 'use')} {what} in inputSchema, which Google's API does not support"


def unusual(schema: dict[str, Any], *, is_root: bool) -> Iterator[str]:
    """The keywords of one schema that are meant; what is refused at the root is another finding."""
    for keyword in NOT_EVERYWHERE:
        if keyword in schema and not (is_root and keyword in ("oneOf", "allOf", "not")):
            yield keyword
    if isinstance(schema.get("type"), list):
        yield "type:[]"
    kind = schema.get("format")
    if isinstance(kind, str) and kind not in FORMATS and kind.replace("-", "").isalnum():
        yield f"format:{kind[:20]}"
