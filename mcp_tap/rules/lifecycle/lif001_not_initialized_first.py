"""LIF001: session does not start with initialize."""

from __future__ import annotations

from mcp_tap.diagnosis.context import InvalidLine, Request, SessionContext
from mcp_tap.diagnosis.finding import Hit
from mcp_tap.diagnosis.text import NAME_SHOWN
from mcp_tap.rules.lifecycle._early import EARLY_KEPT, INITIALIZATION, NO_HANDSHAKE_NEEDED, EarlyRequests


class NotInitializedFirst(EarlyRequests):
    """A session that does not start with initialize.

    What it means: the client's first request was not `initialize`. Until 2025-11-25 a session
    begins with this handshake; only `ping`, and `server/discover` as a question what the server
    speaks, may come before. (From 2026-07-28 on there is no handshake: each request says in
    `_meta` what it speaks.)

    Why it matters: strict servers answer such a request with -32602 "Invalid request parameters",
    or not at all.

    Fails, from the start:
        → 1 tools/list
        ← 1 result {"tools":[]}

    Passes, from the start:
        → 9 ping
        ← 9 result {}
        → 0 initialize …
        ← 0 result …
        → notifications/initialized
        → 1 tools/list
        ← 1 result {"tools":[]}

    What to do: send `initialize` first, wait for its result, send `notifications/initialized`, and
    only then anything else. A test by `echo … | server` needs these lines too.
    """

    id = "LIF001"
    title = "session does not start with initialize"
    severity = "error"
    culprit = "client"
    next = "send initialize first, wait for its result, then send notifications/initialized"
    spec = INITIALIZATION
    when = "before initialize"

    def __init__(self, context: SessionContext) -> None:
        super().__init__(context)
        self.settled = False
        self.key = ""
        """The method of the first."""

    def invalid_line(self, seen: InvalidLine) -> None:
        # What cannot be read may have been the initialize that is missed.
        if seen.side == "c2s" and not self.early:
            self.settled = True

    def request(self, seen: Request) -> None:
        exchange = seen.exchange
        if self.settled or seen.side != "c2s" or exchange is None:
            return
        asks_without = exchange.era == "modern" and exchange.method != "server/discover"
        if exchange.method == "initialize" or asks_without:
            self.settled = True
            if self.early:
                self.hits[self.key].facts["initialize"] = exchange.method == "initialize"
            return
        if exchange.method in NO_HANDSHAKE_NEEDED:
            return
        if not self.early and (not self.context.whole or self.context.session.era == "modern"):
            self.settled = True
            return
        self.note(exchange)
        if self.count == 1:
            self.key = exchange.method[:NAME_SHOWN]
        if self.count <= EARLY_KEPT:
            self.hit(seen, "", key=self.key)

    def end(self) -> None:
        for hit in self.hits.values():
            self.grade(hit)

    def sentence(self, hit: Hit) -> str:
        told = super().sentence(hit)
        return told if hit.facts.get("initialize") else told.replace(self.when, "and no initialize", 1)
