"""TOL011: structuredContent is not an object."""

from __future__ import annotations

from mcp_tap.diagnosis.context import Answer
from mcp_tap.diagnosis.interest import sees
from mcp_tap.diagnosis.misfit import is_masked
from mcp_tap.diagnosis.rule import Rule
from mcp_tap.diagnosis.text import key_of, shown, shown_id, ticked
from mcp_tap.rules.tools._schemas import OBJECTS_ONLY


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

    @sees(sides="s2c", shapes="other")
    def answer(self, answer: Answer) -> None:
        exchange, content = answer.exchange, answer.result.get("structuredContent", {})
        if isinstance(content, dict) or is_masked(content):
            return
        self.hit(
            answer,
            f"structuredContent of {ticked(exchange.target)} (id {shown_id(exchange.id)}) is "
            f"{shown(content)}, not an object",
            key=key_of(exchange.target),
        )
