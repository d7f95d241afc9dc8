"""Whether a server speaks 2026-07-28: only one that has shown it is held to its rules.

A client that speaks it sends its envelope to any server, and an older server may well answer: it sees a
request with some ``_meta`` that it does not know. So what looks wrong is kept until the server has shown
that it knows what it was asked.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from mcp_tap.model.exchange import Exchange
from mcp_tap.model.message import Message
from mcp_tap.model.methods import MODERN, UNSUPPORTED_VERSION

KEPT = 1000
"""Findings of a session that wait for the proof."""

RESULT_TYPES = frozenset({"complete", "input_required"})
"""The values of ``resultType`` that the specification itself has."""


@dataclass(slots=True, eq=False)
class EraProof:
    """Whether the server of a session has shown that it speaks 2026-07-28, and what waits for that."""

    shown: bool = False
    _waiting: list[Callable[[], object]] = field(default_factory=list)

    def take(self, exchange: Exchange, message: Message) -> None:
        """Look at the server's answer to a request of the modern era."""
        if (exchange.version is None or exchange.version in MODERN) and shows_era(exchange, message):
            self.show()

    def show(self) -> None:
        """The server has shown it: make the findings that have waited."""
        self.shown = True
        for make in self._waiting:
            make()
        self._waiting.clear()

    def when(self, make: Callable[[], object]) -> None:
        """Call ``make`` once it is shown, now or later; never, if it is not."""
        if self.shown:
            make()
        elif len(self._waiting) < KEPT:
            self._waiting.append(make)


def shows_era(exchange: Exchange, message: Message) -> bool:
    """Whether only a server that speaks 2026-07-28 answers like this."""
    if message.kind == "error":
        error = message.value.get("error")
        return isinstance(error, dict) and error.get("code") == UNSUPPORTED_VERSION
    result = message.value.get("result")
    if not isinstance(result, dict):
        return False
    kind = result.get("resultType")
    if isinstance(kind, str) and kind in RESULT_TYPES:
        return True
    return exchange.method == "server/discover" and isinstance(result.get("supportedVersions"), list)
