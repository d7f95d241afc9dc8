"""PRV001: inputSchema with anyOf, oneOf or the like at its top level."""

from __future__ import annotations

from collections.abc import Iterator

from mcp_tap.diagnosis.finding import Hit
from mcp_tap.diagnosis.text import ticked
from mcp_tap.rules.providers._schemas import Listed, SchemaFaults

REFUSED_BY = {
    "anyOf": "Anthropic, OpenAI and Google",
    "oneOf": "Anthropic, OpenAI and Google",
    "allOf": "Anthropic, OpenAI and Google",
    "not": "OpenAI",
    "enum": "OpenAI",
}
"""Keywords that must not stand at the top level, and who refuses them there."""


class CompositionAtRoot(SchemaFaults):
    """A tool whose inputSchema has anyOf, oneOf, allOf, not or enum at its top level.

    What it means: next to ``"type": "object"``, the schema has ``anyOf``, ``oneOf`` or ``allOf``,
    which the APIs of Anthropic, OpenAI (Azure too) and Google refuse at the top level, or ``not``
    or ``enum``, which OpenAI refuses there. It is valid JSON Schema and valid MCP. Inside a
    property, the same keywords are accepted.

    Why it matters: clients hand the schema on to the model's API, which then answers every request
    of the conversation with HTTP 400, whichever tool is used, until the server is switched off.

    Fails:
        → 1 tools/list
        ← 1 result {"tools":[{"name":"refund","inputSchema":{"type":"object","properties":
            {"order":{"type":"string"},"invoice":{"type":"string"}},
            "anyOf":[{"required":["order"]},{"required":["invoice"]}]}}]}

    Passes:
        → 1 tools/list
        ← 1 result {"tools":[{"name":"refund","inputSchema":{"type":"object","properties":
            {"target":{"anyOf":[{"type":"string"},{"type":"integer"}]}},"required":["target"]}}]}

    What to do: list all arguments under properties, move the alternatives into a property, and say in
    the description which arguments belong together; let the tool check them. Or make two tools.
    """

    id = "PRV001"
    title = "inputSchema with anyOf, oneOf or the like at its top level"
    severity = "warning"
    culprit = "server"
    next = "move it into a property, or list plain properties, and have the tool check the combination"

    def faults(self, listed: Listed) -> Iterator[tuple[str, str]]:
        found = [keyword for keyword in REFUSED_BY if keyword in listed.schema]
        if found:
            yield "", " ".join(found)

    def sentence(self, hit: Hit) -> str:
        used = {keyword for words in self.told[""].values() for keyword in words.split()}
        keywords = [keyword for keyword in REFUSED_BY if keyword in used]
        who = REFUSED_BY[keywords[0]]
        refuse = f"the APIs of {who} refuse" if " " in who else f"the API of {who} refuses"
        what = " and ".join(map(ticked, keywords))
        has, have = (f"{verb} {what} at the top level of" for verb in ("has", "have"))
        return f"{self.tools(hit, f'{has} its inputSchema', f'{have} their inputSchema')}; {refuse} that"
