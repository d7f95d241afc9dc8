"""LIF: who may say what when a session begins (MCP basic/lifecycle, up to 2025-11-25)."""

from __future__ import annotations

from mcp_tap.model.exchange import Exchange
from mcp_tap.rules.case import LEGACY_ONLY, NAME_KEPT, Case, Seen, seconds
from mcp_tap.rules.early import INITIALIZATION, NO_HANDSHAKE_NEEDED
from mcp_tap.rules.facts.pending import explain, subject
from mcp_tap.rules.rule import Rule


class ServerInitialized(Rule):
    """notifications/initialized from the server.

    What it means: the server sent `notifications/initialized`. Only the client sends it, once it
    has the result of `initialize`.

    Why it matters: clients have no use for it, some report a protocol error. A widespread tutorial
    has it the wrong way round.

    Fails, from the start:
        → 0 initialize …
        ← 0 result …
        ← notifications/initialized
        → notifications/initialized

    Passes:
        ← notifications/tools/list_changed

    What to do: remove it from the server; wait for the client's.
    """

    id = "LIF005"
    title = "server sent notifications/initialized"
    severity = "error"
    culprit = "server"
    next = "remove it from the server: only the client sends notifications/initialized"
    versions = LEGACY_ONLY
    methods = frozenset({"notifications/initialized"})
    spec = INITIALIZATION

    def notification(self, seen: Seen) -> None:
        if seen.side == "s2c":
            message = "server sent notifications/initialized, which only the client sends"
            self.hit(seen, message, explains=[seen.seq])


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
    versions = LEGACY_ONLY
    spec = INITIALIZATION

    def __init__(self, case: Case) -> None:
        super().__init__(case)
        self.ready = False

    def notification(self, seen: Seen) -> None:
        if seen.side == "c2s" and seen.message.method == "notifications/initialized":
            self.ready = True

    def foreign(self, seen: Seen) -> None:
        if seen.side == "c2s":  # it may have been the notification
            self.ready = True

    def request(self, seen: Seen) -> None:
        exchange = seen.exchange
        if self.ready or exchange is None:
            return
        if seen.side == "c2s":
            # A client that goes to work unasked is taken to be ready; the fault is its own.
            self.ready = exchange.method not in NO_HANDSHAKE_NEEDED
        elif exchange.method != "ping" and self.case.whole:
            message = f"server sent {subject(exchange)} before the client had sent notifications/initialized"
            self.hit(seen, message, key=exchange.method[:NAME_KEPT], explains=[seen.seq])


class InitializedTwice(Rule):
    """A second initialize.

    What it means: the client sent `initialize` again on a connection where the server had answered
    it, or was still to answer it.

    Why it matters: a connection is initialized once; servers refuse the second, or throw away
    what they know of the session.

    Fails:
        → 7 initialize …
        ← 7 error -32600 "already initialized"

    Passes, from the start (and LIF009):
        → 0 initialize …
        ← 0 error -32602 "unsupported protocol version"
        → 1 initialize …
        ← 1 result …
        → notifications/initialized

    What to do: open a new connection (start a new process) instead.
    """

    id = "LIF008"
    title = "initialize sent twice"
    severity = "error"
    culprit = "client"
    next = "open a new connection instead of sending initialize again"
    methods = frozenset({"initialize"})
    spec = "2025-11-25/basic/lifecycle"

    def __init__(self, case: Case) -> None:
        super().__init__(case)
        self.first: Exchange | None = None

    def request(self, seen: Seen) -> None:
        exchange = seen.exchange
        if seen.side != "c2s" or exchange is None:
            return
        first = self.first
        # After an error there is no session yet: to try another version is reasonable.
        if first is None or first.outcome == "error":
            self.first = exchange
            return
        if self.case.disordered:
            return  # the same one, on file twice
        after = seconds(max(0.0, seen.t - first.t))
        self.hit(seen, f"client sent initialize again, {after} after the first", explains=[seen.seq])

    def answer(self, seen: Seen) -> None:
        hit, exchange = self.hits.get(""), seen.exchange
        if hit is not None and exchange is not None and exchange is not self.first:
            explain(hit, [seen.seq])


class InitializeCancelled(Rule):
    """A cancelled initialize.

    What it means: the client sent `notifications/cancelled` for its `initialize` request, which a
    client must not do.

    Why it matters: the server may be left half initialized. A client that has waited too long
    closes the connection instead.

    Fails, from the start:
        → 0 initialize …
        4 → notifications/cancelled {"requestId":0,"reason":"timeout"}
        4.1 ← 0 result …

    Passes:
        1 → 5 tools/call {"name":"export","arguments":{}}
        2 → notifications/cancelled {"requestId":5}

    What to do: let the client close the connection when it gives up on `initialize`.
    """

    id = "LIF014"
    title = "initialize was cancelled"
    severity = "error"
    culprit = "client"
    next = "close the connection instead of cancelling initialize"
    methods = frozenset({"notifications/cancelled"})
    spec = "2025-11-25/basic/utilities/cancellation#behavior-requirements"

    def notification(self, seen: Seen) -> None:
        exchange = seen.exchange
        if seen.item.role == "cancels" and exchange is not None and exchange.method == "initialize":
            after = seconds(max(0.0, seen.t - exchange.t))
            self.hit(seen, f"client cancelled initialize after {after}", explains=[seen.seq])


RULES: tuple[type[Rule], ...] = (ServerInitialized, ServerAskedEarly, InitializedTwice, InitializeCancelled)
