"""RES009: the same call fails again and again."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, field
from typing import Any

import orjson

from mcp_tap.diagnosis.context import Answer, Occurrence, Request, SessionContext
from mcp_tap.diagnosis.finding import Hit
from mcp_tap.diagnosis.misfit import is_masked
from mcp_tap.diagnosis.rule import Rule
from mcp_tap.diagnosis.text import key_of, ticked
from mcp_tap.model.exchange import Exchange
from mcp_tap.rules.results._base import first_text, name_of

LOOP = 3
"""Calls that are equal and all fail, from which on it is a loop."""

OPEN_KEPT = 256
"""Calls whose arguments are known until they are answered."""

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
        self._open: dict[Exchange, int] = {}
        self._failed: dict[tuple[str, int], Failures] = {}
        """Calls of a tool with equal arguments, since one has succeeded."""

    def request(self, seen: Request) -> None:
        exchange, arguments = seen.exchange, seen.params.get("arguments", {})
        if exchange is None or exchange.side != "c2s" or exchange.target is None or is_masked(arguments):
            return
        if len(self._open) >= OPEN_KEPT:
            del self._open[next(iter(self._open))]
        self._open[exchange] = fingerprint(arguments)

    def answer(self, seen: Answer) -> None:
        exchange = seen.exchange
        asked = None if exchange is None else self._open.pop(exchange, None)
        if exchange is None or exchange.target is None or asked is None:
            return
        call = (exchange.target, asked)
        if exchange.outcome not in ("error", "tool-error"):
            if self._failed.pop(call, None) is not None:
                self.context.count_failing(exchange.target, -1)
            return
        failures = self._failed.get(call)
        if failures is None:
            if len(self._failed) >= FAILING_KEPT:
                return
            failures = self._failed[call] = Failures()
            self.context.count_failing(exchange.target, +1)
        failures.number += 1
        failures.answers.append(seen.seq)
        if failures.number >= LOOP and self.context.whole:
            self._tell(seen, exchange, failures)

    def _tell(self, seen: Occurrence, exchange: Exchange, failures: Failures) -> None:
        name = name_of(exchange)
        records = list(failures.answers) if failures.number == LOOP else [seen.seq]
        hit = self.hit(records, "", key=key_of(name), evidence=first_text(seen))
        hit.facts["name"] = name
        most = hit.facts.get("most", 0)
        hit.facts["most"] = max(failures.number, most if isinstance(most, int) else 0)

    def sentence(self, hit: Hit) -> str:
        name, most = hit.facts["name"], hit.facts["most"]
        return f"client called {ticked(name)} {most:,} times with equal arguments, and each failed"


@dataclass(slots=True, eq=False)
class Failures:
    """Equal calls that have failed one after the other: how many, and the last answers."""

    number: int = 0
    answers: deque[int] = field(default_factory=lambda: deque(maxlen=LOOP))


def fingerprint(arguments: Any) -> int:
    """A number that is equal for equal arguments."""
    try:
        return hash(orjson.dumps(arguments, option=orjson.OPT_SORT_KEYS))
    except orjson.JSONEncodeError:  # nested deeper than can be written
        return 0
