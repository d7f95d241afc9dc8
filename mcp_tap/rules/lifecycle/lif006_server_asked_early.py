"""LIF006: server sent a request before the client was ready."""

from __future__ import annotations

from mcp_tap.diagnosis.context import LEGACY_ONLY, InvalidLine, Notification, Request
from mcp_tap.diagnosis.interest import sees
from mcp_tap.diagnosis.rule import Rule
from mcp_tap.diagnosis.text import NAME_SHOWN, subject
from mcp_tap.rules.lifecycle._base import INITIALIZATION, NO_HANDSHAKE_NEEDED


class ServerAskedEarly(Rule):
    """A request of the server before the client was ready.

    What it means: the server asked the client for something (roots, sampling, elicitation)
    before the client had sent `notifications/initialized`. Until then a server should send nothing
    but pings and log messages.

    Why it matters: a client that is not ready may drop the request or answer with an error, and
    the server waits for ever.

    Fails, from the start, client {"roots":{}}:
        → 0 initialize …
        ← 0 result …
        ← 1 roots/list
        → notifications/initialized
        → 1 result {"roots":[]}

    Passes, client {"roots":{}}:
        ← 1 roots/list
        → 1 result {"roots":[]}

    What to do: ask in the handler of `notifications/initialized`, not in that of `initialize`.
    """

    id = "LIF006"
    title = "server sent a request before the client was ready"
    severity = "warning"
    culprit = "server"
    next = "wait for notifications/initialized before asking the client for anything but ping"
    needs_whole = True
    versions = LEGACY_ONLY
    spec = INITIALIZATION

    @sees(sides="c2s", methods="notifications/initialized")
    def notification(self, notification: Notification) -> None:
        self.retire()

    @sees(sides="c2s")
    def invalid_line(self, line: InvalidLine) -> None:
        self.retire()  # it may have been the notification

    def request(self, request: Request) -> None:
        exchange = request.exchange
        if request.side == "c2s":
            # A client that goes to work unasked is taken to be ready; the fault is its own.
            if exchange.method not in NO_HANDSHAKE_NEEDED:
                self.retire()
        elif exchange.method != "ping":
            message = f"server sent {subject(exchange)} before the client had sent notifications/initialized"
            self.hit(request, message, key=exchange.method[:NAME_SHOWN], explains=[request.seq])
