"""LIF001: session does not start with initialize."""

from __future__ import annotations

from mcp_tap.diagnosis.context import InvalidLine, Request, SessionContext
from mcp_tap.diagnosis.finding import Hit
from mcp_tap.diagnosis.interest import sees
from mcp_tap.diagnosis.text import NAME_SHOWN
from mcp_tap.rules.lifecycle._base import EARLY_KEPT, INITIALIZATION, NO_HANDSHAKE_NEEDED, EarlyRequests


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
        self.initialized = False
        """Whether initialize came after all."""

    @sees(sides="c2s")
    def invalid_line(self, line: InvalidLine) -> None:
        # What cannot be read may have been the initialize that is missed.
        self.no_more_come()

    @sees(sides="c2s")
    def request(self, request: Request) -> None:
        exchange = request.exchange
        if self.settled:
            return
        asks_without = exchange.era == "modern" and exchange.method != "server/discover"
        if exchange.method == "initialize" or asks_without:
            self.settled, self.initialized = True, exchange.method == "initialize"
            self.no_more_come()
            return
        if exchange.method in NO_HANDSHAKE_NEEDED:
            return
        if not self.early and (not self.context.whole or self.context.session.era == "modern"):
            self.retire()
            return
        self.note(exchange)
        if self.count <= EARLY_KEPT:
            self.hit(request, "", key=self.early[0].method[:NAME_SHOWN])

    def end(self) -> None:
        self.grade()

    def sentence(self, hit: Hit) -> str:
        said = super().sentence(hit)
        return said if self.initialized else said.replace(self.when, "and no initialize", 1)
