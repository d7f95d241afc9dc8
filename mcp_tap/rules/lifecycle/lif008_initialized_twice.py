"""LIF008: initialize sent twice."""

from __future__ import annotations

from mcp_tap.diagnosis.context import Answer, Request, SessionContext
from mcp_tap.diagnosis.interest import sees
from mcp_tap.diagnosis.pending import explain
from mcp_tap.diagnosis.rule import Rule
from mcp_tap.diagnosis.text import seconds
from mcp_tap.model.exchange import Exchange


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

    def __init__(self, context: SessionContext) -> None:
        super().__init__(context)
        self.first: Exchange | None = None

    @sees(sides="c2s")
    def request(self, request: Request) -> None:
        first = self.first
        # After an error there is no session yet: to try another version is reasonable.
        if first is None or first.outcome == "error":
            self.first = request.exchange
            return
        if self.context.disordered:
            return  # the same one, on file twice
        after = seconds(max(0.0, request.t - first.t))
        message = f"client sent initialize again, {after} after the first"
        self.hit(request, message, explains=[request.seq])

    @sees(sides="s2c")
    def answer(self, answer: Answer) -> None:
        hit = self.hits.get("")
        if hit is not None and answer.exchange is not self.first:
            explain(hit, [answer.seq])
