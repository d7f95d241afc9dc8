"""Which version is agreed on, and the question by which modern clients find out the era."""

from __future__ import annotations

from typing import Any

from mcp_tap.diagnosis.context import Answer, Occurrence, Request, SessionContext
from mcp_tap.diagnosis.rule import Rule
from mcp_tap.model.exchange import Exchange
from mcp_tap.record.argv_masking import MASK

NEGOTIATION = "2025-11-25/basic/lifecycle#version-negotiation"

INITIALIZE = frozenset({"initialize"})

GAVE_UP_SECONDS = 2.0
"""Within which a client that leaves after an answer is taken to leave because of it; and how long a
client must have waited before its leaving says anything about the server."""

VERSION_KEPT = 30
"""Characters of a version in a sentence."""


def version_of(value: Any) -> str | None:
    """``value`` if it is a version that can be talked about: a string, and not masked."""
    return value if isinstance(value, str) and MASK not in value else None


class Negotiation(Rule):
    """Compares the version that is offered with the one that is answered; the base of several rules."""

    methods = INITIALIZE
    spec = NEGOTIATION

    def __init__(self, context: SessionContext) -> None:
        super().__init__(context)
        self.offered: str | None = None

    def request(self, seen: Request) -> None:
        if seen.side == "c2s" and seen.message.method == "initialize":
            self.offered = version_of(seen.params.get("protocolVersion"))

    def answer(self, seen: Answer) -> None:
        exchange = seen.exchange
        if seen.side != "s2c" or exchange is None or exchange.method != "initialize":
            return
        offered, chosen = self.offered, version_of(seen.result.get("protocolVersion"))
        if offered is not None and chosen is not None and offered != chosen:
            self.differ(seen, offered, chosen)

    def differ(self, seen: Occurrence, offered: str, chosen: str) -> None:
        """The two are not the same."""


class Probes(Rule):
    """Follows ``server/discover`` up to the handshake; the base of two rules."""

    methods = frozenset({"server/discover", "initialize"})

    def __init__(self, context: SessionContext) -> None:
        super().__init__(context)
        self.probe: Exchange | None = None
        self.refusal: tuple[int, object] | None = None
        """The record of the error that answered the probe, and its code."""
        self.fell_back: int | None = None
        """The record of the initialize after it."""

    def request(self, seen: Request) -> None:
        exchange = seen.exchange
        if seen.side != "c2s" or exchange is None:
            return
        if exchange.method == "server/discover":
            if self.probe is None and self.fell_back is None:
                self.probe = exchange
        elif self.probe is not None and self.fell_back is None:
            self.fell_back = exchange.seq
            self.falls_back(seen, self.probe)

    def answer(self, seen: Answer) -> None:
        if seen.exchange is self.probe and seen.exchange is not None and seen.exchange.outcome == "error":
            self.refusal = (seen.seq, seen.error.get("code"))

    def falls_back(self, seen: Occurrence, probe: Exchange) -> None:
        """The client has sent initialize after all."""
