"""LIF021: client never answered the server's request."""

from __future__ import annotations

from mcp_tap.diagnosis.bounded import First
from mcp_tap.diagnosis.context import LEGACY_ONLY, Answer, Request, SessionContext
from mcp_tap.diagnosis.interest import sees
from mcp_tap.diagnosis.pending import explain, is_all_on_file, open_for
from mcp_tap.diagnosis.rule import Rule
from mcp_tap.diagnosis.text import NAME_SHOWN, seconds, subject
from mcp_tap.model.exchange import Exchange
from mcp_tap.rules.lifecycle._base import LONG_SECONDS

WAITS_FOR_THE_USER = frozenset({"elicitation/create", "sampling/createMessage"})
"""Requests that a client may have to show its user before it answers."""

KEPT = 1000
"""Open requests of the server whose calls are remembered."""


class ClientNeverAnswers(Rule):
    """The client did not answer a request of the server.

    What it means: the server asked the client for something (its roots, mostly) and got no answer
    for ten seconds or more, not even an error.

    Why it matters: the tool call for which the server asked waits as long: such a call takes
    exactly the server's time-out, or hangs both sides. A client has to answer every request; what
    it cannot do with -32601. Sampling and elicitation may be waiting for the user: that is no
    more than information.

    Fails, client {"roots":{}}:
        1 → 5 tools/call {"name":"index","arguments":{}}
        1.5 ← 0 roots/list
        4 → 6 ping
        4.1 ← 6 result {}
        61.5 ← 5 result {"content":[{"type":"text","text":"no roots"}]}

    Passes, client {"roots":{}}:
        1 → 5 tools/call {"name":"index","arguments":{}}
        1.5 ← 0 roots/list
        1.6 → 0 error -32601 "Method not found"
        1.7 ← 5 result {"content":[{"type":"text","text":"no roots"}]}

    What to do: answer requests of the server in the client, with -32601 where the method is not
    supported; do not declare what is not implemented. The ids of the two directions are separate:
    the server's 0 is not the client's.
    """

    id = "LIF021"
    title = "client never answered the server's request"
    severity = "error"
    culprit = "client"
    next = (
        "answer the server's requests in the client, with -32601 where it cannot; the ids of the two sides "
        "are separate"
    )
    versions = LEGACY_ONLY
    needs_whole = True
    spec = "2025-11-25/basic#responses"

    def __init__(self, context: SessionContext) -> None:
        super().__init__(context)
        self.asked: First[int, Exchange] = First(KEPT)
        """By its record, a request of the server in the course of a call that the client waits for."""

    @sees(sides="s2c")
    def request(self, request: Request) -> None:
        call = request.exchange.within
        if call is not None:
            self.asked[request.seq] = call

    @sees(sides="c2s")
    def answer(self, answer: Answer) -> None:
        self.asked.pop(answer.exchange.seq, None)

    def end(self) -> None:
        context = self.context
        if not context.over or not is_all_on_file(context):
            return
        for exchange in context.session.unanswered():
            if exchange.side == "s2c" and exchange.era == "legacy" and exchange.method != "ping":
                self.weigh(exchange, self.asked.get(exchange.seq))

    def weigh(self, exchange: Exchange, call: Exchange | None) -> None:
        """Tell of a request of the server that got no answer, if it was open for long."""
        waited = open_for(exchange, self.context)
        if waited < LONG_SECONDS:
            return
        while_ = ""
        if call is not None:
            until = call.answer_t if call.answer_t is not None else call.cancelled_t
            if until is not None:
                waited = min(waited, max(0.0, until - exchange.t))
            while_ = f" while {subject(call)} waited"
        user = exchange.method in WAITS_FOR_THE_USER
        hit = self.hit(
            exchange.seq if call is None else (call.seq, exchange.seq),
            f"{subject(exchange)} from the server got no reply for {seconds(waited)}{while_}",
            key=exchange.method[:NAME_SHOWN],
            severity="info" if user else "error" if call is not None else "warning",
            culprit="undecided" if user else None,
        )
        explain(hit, (exchange.seq, *(() if call is None else (call.seq, call.answer_seq))))
