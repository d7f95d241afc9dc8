"""TOL003: inputSchema is not of type object."""

from __future__ import annotations

from typing import Any

from mcp_tap.diagnosis.context import Answer
from mcp_tap.diagnosis.interest import sees
from mcp_tap.diagnosis.misfit import is_masked
from mcp_tap.diagnosis.rule import Rule
from mcp_tap.diagnosis.text import key_of, plural, ticked
from mcp_tap.rules.tools._base import tools_in


class InputSchemaMissing(Rule):
    """A tool without an inputSchema of type object.

    What it means: the tool's ``inputSchema`` is missing, is not an object, or does not have
    ``"type": "object"`` at its top level. The arguments of a call are always an object, and MCP
    requires the schema to say so, even if it consists of ``anyOf`` or ``$ref``.

    Why it matters: the clients of the official SDKs validate the list as a whole, so one such tool
    hides all the others. The server shows up as "connected" with 0 tools, and there is no error
    message anywhere.

    Fails (and PRV001):
        → 1 tools/list
        ← 1 result {"tools":[{"name":"find","inputSchema":{"anyOf":[{"type":"object"}]}}]}

    Passes:
        → 1 tools/list
        ← 1 result {"tools":[{"name":"find","inputSchema":{"type":"object","$ref":"#/$defs/a",
            "$defs":{"a":{"properties":{}}}}}]}

    What to do: put "type": "object" at the top level of the schema. For a tool without arguments,
    use {"type": "object", "additionalProperties": false}.
    """

    id = "TOL003"
    title = "inputSchema is not of type object"
    severity = "error"
    culprit = "server"
    next = 'put "type":"object" at the top; without arguments: {"type":"object","additionalProperties":false}'
    methods = frozenset({"tools/list"})
    spec = "2025-11-25/server/tools#tool"

    @sees(sides="s2c")
    def answer(self, answer: Answer) -> None:
        tools = list(tools_in(answer))
        for tool in tools:
            problem = problem_of(tool)
            if problem:
                name = tool.get("name")
                self.hit(
                    answer,
                    f"tool {ticked(name) if isinstance(name, str) else 'without a name'}: {problem}; "
                    f"clients drop the whole list ({plural(len(tools), 'tool')})",
                    key=key_of(name if isinstance(name, str) else ""),
                )


def problem_of(tool: dict[str, Any]) -> str:
    """What is wrong with the inputSchema, as far as that can be told without JSON Schema; else empty."""
    if tool.get("inputSchema") is None:
        return "inputSchema is null" if "inputSchema" in tool else "no inputSchema"
    schema = tool["inputSchema"]
    if is_masked(schema.get("type") if isinstance(schema, dict) else schema):
        return ""
    if not isinstance(schema, dict):
        return "inputSchema is not an object"
    if "type" not in schema:
        return 'inputSchema has no "type":"object" at its top level'
    return "" if schema["type"] == "object" else 'the "type" of inputSchema is not "object"'
