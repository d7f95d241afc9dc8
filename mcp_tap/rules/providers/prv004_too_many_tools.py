"""PRV004: more tools than model APIs accept."""

from __future__ import annotations

from mcp_tap.diagnosis.context import Answer, SessionContext
from mcp_tap.diagnosis.finding import Hit
from mcp_tap.diagnosis.interest import sees
from mcp_tap.diagnosis.rule import Rule

TOOLS_ACCEPTED = 128
"""Tools in one request to OpenAI, and in one of VS Code."""


class TooManyTools(Rule):
    """A server that lists more than 128 tools.

    What it means: the list, over all its pages, has more tools than OpenAI's API (Azure too) and VS
    Code accept in one request: 128, of all servers together. Other clients have lower limits.

    Why it matters: the API answers HTTP 400, or the client leaves tools out, of this server or of
    another. A model that has to choose from so many also chooses worse.

    Fails (and PRF005):
        → 1 tools/list
        ← 1 result {"tools":[{"name":"tool_#","inputSchema":{"type":"object"}} × 130]}

    Passes:
        → 1 tools/list
        ← 1 result {"tools":[{"name":"find","inputSchema":{"type":"object"}}]}

    What to do: merge tools that differ by one argument, leave out those that are rarely used, or let
    the user choose groups of tools when the server is started.
    """

    id = "PRV004"
    title = "more tools than model APIs accept"
    severity = "warning"
    culprit = "server"
    next = "list fewer tools: merge similar ones, or let the user choose groups of them"
    methods = frozenset({"tools/list"})

    def __init__(self, context: SessionContext) -> None:
        super().__init__(context)
        self._most = 0

    @sees(sides="s2c", outcomes="result")
    def answer(self, answer: Answer) -> None:
        number = len(self.context.listings.tools.items)
        if number > TOOLS_ACCEPTED:
            if not self.hits:
                self.hit(answer, "")
            self._most = max(self._most, number)

    def sentence(self, hit: Hit) -> str:
        return (
            f"server lists {self._most:,} tools; OpenAI and VS Code accept {TOOLS_ACCEPTED} in one request, "
            "of all servers together"
        )
