"""RES006: tool reported failure."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass

from mcp_tap.diagnosis.context import Answer, SessionContext
from mcp_tap.diagnosis.finding import Hit
from mcp_tap.diagnosis.interest import sees
from mcp_tap.diagnosis.rule import Rule
from mcp_tap.diagnosis.text import as_json, excerpt, key_of, quoted, ticked
from mcp_tap.rules.results._base import first_text, name_of

ARGUMENTS_SHOWN = 80


@dataclass(frozen=True, slots=True)
class Failure:
    """The first failure of a tool, in words: for which arguments, and what the tool said."""

    tool: str
    given: str
    said: str


class ToolFailed(Rule):
    """A tool reported a failure.

    What it means: a result had ``isError: true``, the way in which a tool says that it failed, for
    the model to read. That is no fault of the protocol; it is told once for each tool, with the
    arguments of the first such call and the beginning of what the tool said.

    Why it matters: it is often what a user sees as "the tool does not work".

    Fails:
        → 5 tools/call {"name":"read","arguments":{"path":"/a"}}
        ← 5 result {"content":[{"type":"text","text":"no such file"}],"isError":true}

    Passes:
        → 5 tools/call {"name":"read","arguments":{"path":"/a"}}
        ← 5 result {"content":[{"type":"text","text":"no such file"}],"isError":false}

    What to do: read what the tool says. Good words there are what lets a model correct its call.
    """

    id = "RES006"
    title = "tool reported failure"
    severity = "info"
    culprit = "server"
    next = "read what the tool says; nothing is wrong with the protocol"
    methods = frozenset({"tools/call"})
    spec = "2025-11-25/server/tools#error-handling"

    def __init__(self, context: SessionContext) -> None:
        super().__init__(context)
        self._first: dict[Hashable, Failure] = {}

    @sees(sides="s2c", outcomes="tool-error")
    def answer(self, answer: Answer) -> None:
        exchange, text = answer.exchange, first_text(answer)
        arguments = (exchange.params or {}).get("arguments")
        name = name_of(exchange)
        hit = self.hit(answer, "", key=key_of(name), evidence=text)
        if hit.count == 1:
            said = f": {quoted(excerpt(text), 100)}" if text else ""
            given = excerpt(as_json(arguments)) if isinstance(arguments, dict) else "no arguments"
            given = given if len(given) <= ARGUMENTS_SHOWN else given[: ARGUMENTS_SHOWN - 1] + "…"
            self._first[hit.key] = Failure(name, given, said)

    def sentence(self, hit: Hit) -> str:
        first = self._first[hit.key]
        times = "" if hit.count == 1 else f" {hit.count:,} times, first"
        return f"tool {ticked(first.tool)} reported failure{times} for {first.given}{first.said}"
