"""PRV006: argument name that model APIs refuse."""

from __future__ import annotations

from collections.abc import Iterator

from mcp_tap.diagnosis.finding import Hit
from mcp_tap.diagnosis.misfit import is_masked
from mcp_tap.record.patterns import lazy
from mcp_tap.rules.providers._schemas import Listed, SchemaFaults

ACCEPTED = lazy(r"[a-zA-Z0-9_.-]{1,64}")


class ArgumentNames(SchemaFaults):
    """A tool argument with a name that model APIs refuse.

    What it means: a name under ``properties`` of an ``inputSchema`` has characters other than A-Z,
    a-z, 0-9, ``_``, ``.`` and ``-``, or more than 64 of them. JSON Schema and MCP allow any name.

    Why it matters: Anthropic's API answers every request that contains the tool with HTTP 400
    ("Property keys should match pattern"), whichever tool is used.

    Fails:
        → 1 tools/list
        ← 1 result {"tools":[{"name":"query","inputSchema":{"type":"object",
            "properties":{"$filter":{"type":"string"}}}}]}

    Passes:
        → 1 tools/list
        ← 1 result {"tools":[{"name":"query","inputSchema":{"type":"object",
            "properties":{"filter":{"type":"string"},"page.size":{"type":"integer"}}}}]}

    What to do: rename the argument (``filter`` for ``$filter``), and translate it in the tool.
    """

    id = "PRV006"
    title = "argument name that model APIs refuse"
    severity = "warning"
    culprit = "server"
    next = "rename the argument: only A-Z a-z 0-9 _ . -, and at most 64 characters"

    def faults(self, listed: Listed) -> Iterator[tuple[str, str]]:
        properties = listed.schema.get("properties")
        for name in properties if isinstance(properties, dict) else ():
            if not ACCEPTED.fullmatch(name) and not is_masked(name):
                yield "", name or "(empty)"

    def sentence(self, hit: Hit) -> str:
        who = self.tools(hit, "has an argument", "have arguments")
        return f"{who} with a name that Anthropic's API refuses: {self.first(hit)}"
