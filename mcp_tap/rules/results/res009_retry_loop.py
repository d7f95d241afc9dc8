"""RES009: the same call fails again and again."""

from __future__ import annotations

from collections import deque
from collections.abc import Hashable
from dataclasses import dataclass, field
from typing import Any

import orjson

from mcp_tap.diagnosis.bounded import First, Latest
from mcp_tap.diagnosis.context import Answer, Request, SessionContext
from mcp_tap.diagnosis.finding import Hit
from mcp_tap.diagnosis.interest import sees
from mcp_tap.diagnosis.misfit import is_masked
from mcp_tap.diagnosis.rule import Rule
from mcp_tap.diagnosis.text import key_of, ticked
from mcp_tap.model.exchange import Exchange
from mcp_tap.rules.results._base import OPEN_KEPT, first_text, name_of

LOOP = 3
"""Calls that are equal and all fail, from which on it is a loop."""

FAILING_KEPT = 1_000
"""Different calls that have failed and are remembered; what comes after is not counted."""


class RetryLoop(Rule):
    """The same call again and again, and each fails.

    What it means: the client (its model, mostly) called a tool three times or more with equal
    arguments, and got a failure each time: ``isError``, or an error.

    Why it matters: the model learns nothing from the answer, and goes on; each turn costs time and
    tokens.

    Fails (and RES006):
        → 5 tools/call {"name":"read","arguments":{"path":"/a"}}
        ← 5 result {"content":[{"type":"text","text":"failed"}],"isError":true}
        → 6 tools/call {"name":"read","arguments":{"path":"/a"}}
        ← 6 result {"content":[{"type":"text","text":"failed"}],"isError":true}
        → 7 tools/call {"name":"read","arguments":{"path":"/a"}}
        ← 7 result {"content":[{"type":"text","text":"failed"}],"isError":true}

    Passes:
        → 5 tools/call {"name":"read","arguments":{"path":"/a"}}
        ← 5 result {"content":[{"type":"text","text":"busy, try again"}],"isError":true}
        → 6 tools/call {"name":"read","arguments":{"path":"/a"}}
        ← 6 result {"content":[{"type":"text","text":"busy, try again"}],"isError":true}
        → 7 tools/call {"name":"read","arguments":{"path":"/a"}}
        ← 7 result {"content":[{"type":"text","text":"# A"}]}
        → 8 tools/call {"name":"read","arguments":{"path":"/a"}}
        ← 8 result {"content":[{"type":"text","text":"busy, try again"}],"isError":true}

    What to do: let the tool's answer say what is wrong and what would be right, so that the model can
    do otherwise.
    """

    id = "RES009"
    title = "the same call fails again and again"
    severity = "warning"
    culprit = "client"
    next = "let the tool's failure say what would be right, so that the model can do otherwise"
    methods = frozenset({"tools/call"})
    spec = "2025-11-25/server/tools#error-handling"

    def __init__(self, context: SessionContext) -> None:
        super().__init__(context)
        self._large: Latest[Exchange, int] = Latest(OPEN_KEPT)
        """Calls whose arguments are not kept, and the fingerprint of these."""
        self._failed: First[tuple[str, int], Failures] = First(FAILING_KEPT)
        """Calls of a tool with equal arguments, since one has succeeded."""
        self._most: dict[Hashable, int] = {}
        """By finding, the longest row of failures."""

    @sees(sides="c2s", large=True)
    def request(self, request: Request) -> None:
        if request.exchange.params is None:
            asked = fingerprint(request.params)
            if asked is not None:
                self._large[request.exchange] = asked

    @sees(sides="s2c")
    def answer(self, answer: Answer) -> None:
        exchange = answer.exchange
        has_failed = exchange.outcome in ("error", "tool-error")
        if has_failed or self._failed:
            asked = self._asked(exchange)
            if asked is not None and exchange.target is not None:
                self._count(answer, (exchange.target, asked), has_failed)
        if self._large:
            self._large.pop(exchange, None)

    def _asked(self, exchange: Exchange) -> int | None:
        """The fingerprint of a call's arguments; None where it is not known."""
        params = exchange.params
        return self._large.get(exchange) if params is None else fingerprint(params)

    def _count(self, answer: Answer, call: tuple[str, int], has_failed: bool) -> None:
        tool, failures = call[0], self._failed.get(call)
        if not has_failed:
            if self._failed.pop(call, None) is not None:
                self.context.count_failing(tool, -1)
            return
        if failures is None:
            failures = self._failed[call] = Failures()
            if call not in self._failed:
                return
            self.context.count_failing(tool, +1)
        failures.number += 1
        failures.answers.append(answer.seq)
        if failures.number >= LOOP and self.context.whole:
            self._report(answer, failures)

    def _report(self, answer: Answer, failures: Failures) -> None:
        records = list(failures.answers) if failures.number == LOOP else [answer.seq]
        name = name_of(answer.exchange)
        hit = self.hit(records, name, key=key_of(name), evidence=first_text(answer))
        self._most[hit.key] = max(failures.number, self._most.get(hit.key, 0))

    def sentence(self, hit: Hit) -> str:
        most = self._most[hit.key]
        return f"client called {ticked(hit.message)} {most:,} times with equal arguments, and each failed"


@dataclass(slots=True, eq=False)
class Failures:
    """Equal calls that have failed one after the other: how many, and the last answers."""

    number: int = 0
    answers: deque[int] = field(default_factory=lambda: deque(maxlen=LOOP))


def fingerprint(params: dict[str, Any]) -> int | None:
    """A number that is equal for equal arguments of a call; None where something in them was masked."""
    arguments = params.get("arguments", {})
    if is_masked(arguments):
        return None
    try:
        return hash(orjson.dumps(arguments, option=orjson.OPT_SORT_KEYS))
    except orjson.JSONEncodeError:  # nested deeper than can be written
        return 0
