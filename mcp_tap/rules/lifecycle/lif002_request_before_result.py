"""LIF002: request before the result of initialize."""

from __future__ import annotations

from mcp_tap.diagnosis.context import LEGACY_ONLY, Request, SessionContext
from mcp_tap.diagnosis.interest import sees
from mcp_tap.model.exchange import Exchange
from mcp_tap.rules.lifecycle._base import EARLY_KEPT, INITIALIZATION, NO_HANDSHAKE_NEEDED, EarlyRequests


class RequestBeforeResult(EarlyRequests):
    """A request before the result of initialize.

    What it means: the client sent `initialize` and, without waiting for the result, more
    requests. Until it has the result a client should send nothing but pings: it does not know yet
    which version is spoken and what the server offers.

    Why it matters: some servers answer all the same, others refuse the request with -32602, or
    drop it. It is an error where that happened, else a warning.

    Fails, from the start:
        → 0 initialize …
        → 1 tools/list
        ← 0 result …
        → notifications/initialized
        ← 1 result {"tools":[]}

    Passes, from the start:
        → 0 initialize …
        → 1 ping
        ← 0 result …
        ← 1 result {}
        → notifications/initialized

    What to do: wait for the answer to `initialize` before anything else is sent.
    """

    id = "LIF002"
    title = "request before the result of initialize"
    severity = "warning"
    culprit = "client"
    next = "wait for the answer to initialize before sending anything but ping"
    versions = LEGACY_ONLY
    spec = INITIALIZATION
    when = "before the server had answered initialize"

    def __init__(self, context: SessionContext) -> None:
        super().__init__(context)
        self.asked: Exchange | None = None

    @sees(sides="c2s", era="legacy")
    def request(self, request: Request) -> None:
        exchange, asked = request.exchange, self.asked
        if asked is None:
            self.asked = exchange if exchange.method == "initialize" else None
        elif asked.outcome != "open" or asked.cancelled_t is not None:
            self.no_more_come()
        elif exchange.method not in NO_HANDSHAKE_NEEDED and self.context.whole:
            self.note(exchange)
            if self.count <= EARLY_KEPT:
                self.hit(request, "")

    def end(self) -> None:
        # Where initialize was never answered, that is why nothing else was.
        if self.asked is not None and self.asked.outcome != "open":
            self.grade()
