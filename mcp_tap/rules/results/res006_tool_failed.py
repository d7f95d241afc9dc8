"""RES006: tool reported failure."""

from __future__ import annotations

from typing import Any

from mcp_tap.diagnosis.context import Answer, Request, SessionContext
from mcp_tap.diagnosis.finding import Hit
from mcp_tap.diagnosis.rule import Rule
from mcp_tap.diagnosis.text import as_json, excerpt, key_of, quoted, ticked
from mcp_tap.model.exchange import Exchange
from mcp_tap.rules.results._base import first_text, name_of

OPEN_KEPT = 256
"""Calls whose arguments are kept until they are answered."""

ARGUMENTS_LIMIT = 64 * 1024
"""Bytes of a request whose arguments are kept."""

ARGUMENTS_SHOWN = 80


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
        self._open: dict[Exchange, Any] = {}

    def request(self, seen: Request) -> None:
        exchange = seen.exchange
        if exchange is not None and exchange.side == "c2s" and exchange.size <= ARGUMENTS_LIMIT:
            if len(self._open) >= OPEN_KEPT:
                del self._open[next(iter(self._open))]
            self._open[exchange] = seen.params.get("arguments")

    def answer(self, seen: Answer) -> None:
        exchange = seen.exchange
        if exchange is None or exchange.side != "c2s":
            return
        arguments = self._open.pop(exchange, None)
        if exchange.outcome != "tool-error":
            return
        name, text = name_of(exchange), first_text(seen)
        said = f": {quoted(excerpt(text), 100)}" if text else ""
        given = excerpt(as_json(arguments)) if isinstance(arguments, dict) else "no arguments"
        given = given if len(given) <= ARGUMENTS_SHOWN else given[: ARGUMENTS_SHOWN - 1] + "…"
        hit = self.hit(seen, "", key=key_of(name), evidence=text)
        if hit.count == 1:
            hit.facts.update(name=name, given=given, said=said)

    def sentence(self, hit: Hit) -> str:
        facts = hit.facts
        times = "" if hit.count == 1 else f" {hit.count:,} times, first"
        return f"tool {ticked(facts['name'])} reported failure{times} for {facts['given']}{facts['said']}"
