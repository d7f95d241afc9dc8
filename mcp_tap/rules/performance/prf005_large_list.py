"""PRF005: long list of tools."""

from __future__ import annotations

from mcp_tap.diagnosis.context import Answer, SessionContext
from mcp_tap.diagnosis.interest import sees
from mcp_tap.diagnosis.rule import Rule
from mcp_tap.diagnosis.text import plural, size
from mcp_tap.rules.performance._base import CHARACTERS_A_TOKEN


class LargeList(Rule):
    """A list of tools that takes much of a model's context.

    What it means: the server lists more than 40 tools (``many_tools``), or its list is more than
    50,000 bytes (``large_list_bytes``), all pages together.

    Why it matters: most clients put all names, descriptions and schemas into each conversation.
    With many tools models choose worse, and some clients take no more than a fixed number.

    Fails:
        → 1 tools/list
        ← 1 result {"tools":[{"name":"find","inputSchema":{"type":"object"},"description":"x × 60,000"}]}

    Passes:
        → 1 tools/list
        ← 1 result {"tools":[{"name":"find","inputSchema":{"type":"object"},"description":"x"}]}

    What to do: split the server, let users choose which tools are listed, shorten descriptions and
    schemas.
    """

    id = "PRF005"
    title = "long list of tools"
    severity = "info"
    culprit = "server"
    next = "split the server, make tools optional, shorten descriptions and schemas"
    methods = frozenset({"tools/list"})

    def __init__(self, context: SessionContext) -> None:
        super().__init__(context)
        self._size = 0

    @sees(sides="s2c", outcomes=("result", "tool-error", "input-required"))
    def answer(self, answer: Answer) -> None:
        exchange, thresholds = answer.exchange, self.context.thresholds
        self._size = exchange.answer_size + (self._size if exchange.pages_on else 0)
        listing = self.context.listings.tools
        number = len(listing.items)
        if self.hits or not listing.complete:
            return
        if number > thresholds.many_tools or self._size > thresholds.large_list_bytes:
            tokens = round(self._size / CHARACTERS_A_TOKEN, -3)
            self.hit(
                answer,
                f"tools/list has {plural(number, 'tool')} in {size(self._size)}, about {tokens:,.0f} tokens",
            )
