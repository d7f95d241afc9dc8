"""PRF004: large tool result."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass
from typing import Any

from mcp_tap.diagnosis.context import Answer, SessionContext
from mcp_tap.diagnosis.finding import Hit
from mcp_tap.diagnosis.interest import sees
from mcp_tap.diagnosis.rule import Rule
from mcp_tap.diagnosis.text import key_of, shown_id, size, ticked
from mcp_tap.rules.performance._base import CHARACTERS_A_TOKEN


@dataclass(frozen=True, slots=True)
class Largest:
    """The largest result of a tool, its id in words."""

    bytes: int
    tool: str | None
    id: str


class LargeResult(Rule):
    """Tool results that are too much for a model.

    What it means: the text of a tool's result is more than 100,000 bytes (``large_result_bytes``),
    about 25,000 tokens. Images and structuredContent are not counted. Told once for each tool, with
    the largest.

    Why it matters: Claude Code refuses results of more than 25,000 tokens by default; other clients
    cut them off, or fill their model's context with them.

    Fails (and PRF010):
        → 5 tools/call {"name":"list_rows","arguments":{}}
        ← 5 result {"content":[{"type":"text","text":"x × 120,000"}]}

    Passes:
        → 5 tools/call {"name":"list_rows","arguments":{}}
        ← 5 result {"content":[{"type":"text","text":"x × 70,000"}]}

    What to do: return it in pages, filter in the server, or return a resource_link.
    """

    id = "PRF004"
    title = "large tool result"
    severity = "warning"
    culprit = "server"
    next = "return it in pages, filter in the server, or return a resource_link"
    methods = frozenset({"tools/call"})

    def __init__(self, context: SessionContext) -> None:
        super().__init__(context)
        self._largest: dict[Hashable, Largest] = {}

    @sees(sides="s2c", large=True)
    def answer(self, answer: Answer) -> None:
        exchange, limit = answer.exchange, self.context.thresholds.large_result_bytes
        if exchange.answer_size <= limit:
            return
        bytes_ = text_size(answer.result.get("content"))
        if bytes_ <= limit:
            return
        hit = self.hit(answer, "", key=key_of(exchange.target))
        largest = self._largest.get(hit.key)
        if largest is None or bytes_ > largest.bytes:
            self._largest[hit.key] = Largest(bytes_, exchange.target, shown_id(exchange.id))

    def sentence(self, hit: Hit) -> str:
        largest = self._largest[hit.key]
        tool, most = ticked(largest.tool), size(largest.bytes)
        tokens = f"about {round(largest.bytes / CHARACTERS_A_TOKEN, -3):,.0f} tokens"
        if hit.count == 1:
            return f"tool {tool} returned {most} of text (id {largest.id}), {tokens}"
        limit = size(self.context.thresholds.large_result_bytes)
        return (
            f"tool {tool} returned more than {limit} of text {hit.count:,} times, "
            f"at most {most} (id {largest.id}), {tokens}"
        )


def text_size(content: Any) -> int:
    """Bytes of the text in content blocks."""
    total = 0
    for block in content if isinstance(content, list) else ():
        if isinstance(block, dict):
            inner = block.get("resource")
            for text in (block.get("text"), inner.get("text") if isinstance(inner, dict) else None):
                total += len(text.encode(errors="replace")) if isinstance(text, str) else 0
    return total
