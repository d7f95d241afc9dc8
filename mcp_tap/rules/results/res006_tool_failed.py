"""RES006: tool reported failure."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass

from mcp_tap.diagnosis.context import Answer, SessionContext
from mcp_tap.diagnosis.finding import Hit
from mcp_tap.diagnosis.interest import sees
from mcp_tap.diagnosis.rule import Rule
from mcp_tap.diagnosis.text import as_json, excerpt, key_of, ticked
from mcp_tap.rules.results._base import first_text, name_of, said

ARGUMENTS_SHOWN = 80

SAID_SHOWN = 100
"""Characters of what a tool said, in the sentence; the evidence has more of it."""


@dataclass(frozen=True, slots=True)
class Failure:
    """The first failure of a tool, in words: for which arguments, and what the tool said."""

    tool: str
    given: str
    words: str


class ToolFailed(Rule):
    """A tool reported a failure.

    What it means: a result had ``isError: true``, which is how a tool tells the model that it
    failed. This does not violate the protocol. It is reported once per tool, with the arguments of
    the first such call and the beginning of the tool's message.

    Why it matters: this is often what a user experiences as "the tool does not work".

    Fails:
        → 5 tools/call {"name":"read","arguments":{"path":"/a"}}
        ← 5 result {"content":[{"type":"text","text":"no such file"}],"isError":true}

    Passes:
        → 5 tools/call {"name":"read","arguments":{"path":"/a"}}
        ← 5 result {"content":[{"type":"text","text":"no such file"}],"isError":false}

    What to do: read the tool's message. A clear message is what allows a model to correct its call.
    """

    id = "RES006"
    title = "tool reported failure"
    severity = "info"
    culprit = "server"
    next = "read the tool's message; this is not a protocol error"
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
        is_told = text is None or (key_of(name) not in self.hits and len(text) <= SAID_SHOWN)
        hit = self.hit(answer, "", key=key_of(name), evidence=None if is_told else text)
        if hit.count == 1:
            words = f": {said(text, SAID_SHOWN)}" if text else ""
            given = excerpt(as_json(arguments)) if isinstance(arguments, dict) else "no arguments"
            given = given if len(given) <= ARGUMENTS_SHOWN else given[: ARGUMENTS_SHOWN - 1] + "…"
            self._first[hit.key] = Failure(name, given, words)

    def sentence(self, hit: Hit) -> str:
        first = self._first[hit.key]
        failure = "a failure" if hit.count == 1 else f"failure {hit.count:,} times, first"
        return f"tool {ticked(first.tool)} reported {failure} for {first.given}{first.words}"
