"""MOD012: cacheable result without caching hints."""

from __future__ import annotations

from typing import Any

from mcp_tap.diagnosis.asked import is_masked
from mcp_tap.diagnosis.context import MODERN_ONLY, Answer
from mcp_tap.diagnosis.interest import sees
from mcp_tap.diagnosis.rule import Rule
from mcp_tap.diagnosis.text import called
from mcp_tap.model.methods import CATALOGUE
from mcp_tap.rules.modern._base import FINAL, result_of, shown

CACHEABLE = frozenset({"server/discover", *CATALOGUE, "resources/read"})
"""Requests whose complete results say for how long they hold (2026-07-28, server/utilities/caching)."""

SCOPES = ("public", "private")


class NoCachingHints(Rule):
    """A cacheable result without caching hints.

    What it means: complete results of `server/discover`, `resources/read` and the methods that list
    must say for how long they hold (`ttlMs`, 0 or more) and for whom (`cacheScope`, public or
    private). This one does not, or not with a value that there is.

    Why it matters: clients that check results against the schema refuse the whole list, and show a
    server without tools.

    Fails, 2026-07-28:
        → 5 prompts/list
        ← 5 result {"resultType":"complete","prompts":[]}

    Passes, 2026-07-28:
        → 5 prompts/list
        ← 5 result {"resultType":"complete","prompts":[],"ttlMs":0,"cacheScope":"private"}
        → 6 prompts/get {"name":"greet"}
        ← 6 result {"resultType":"complete","messages":[]}

    What to do: add both. `"ttlMs": 0, "cacheScope": "private"` is always right.
    """

    id = "MOD012"
    title = "cacheable result without caching hints"
    severity = "error"
    culprit = "server"
    next = 'add both to the result; "ttlMs": 0, "cacheScope": "private" is always right'
    versions = MODERN_ONLY
    methods = CACHEABLE
    spec = "2026-07-28/server/utilities/caching"

    @sees(sides="s2c", outcomes=FINAL, era="modern")
    def answer(self, answer: Answer) -> None:
        exchange, result = answer.exchange, result_of(answer)
        if result is None or result.get("resultType") != "complete":
            return
        faults = caching_faults(result)
        if faults:
            message = f"server answered {called(exchange)} with {' and '.join(faults.values())}"
            self.hit((exchange.seq, answer.seq), message, key=" ".join((exchange.method, *faults)))


def caching_faults(result: dict[str, Any]) -> dict[str, str]:
    """What is wrong with the caching hints of a result, by member."""
    found: dict[str, str] = {}
    for name, is_right in (("ttlMs", is_duration), ("cacheScope", is_scope)):
        if name not in result:
            found[name] = f"no {name}"
        elif not is_right(result[name]) and not is_masked(result[name]):
            found[name] = f"{name} {shown(result[name])}"
    return found


def is_duration(value: Any) -> bool:
    """Whether ``value`` is a number that is not negative."""
    return isinstance(value, (int, float)) and not isinstance(value, bool) and value >= 0


def is_scope(value: Any) -> bool:
    """Whether ``value`` says for whom a result holds."""
    return value in SCOPES
