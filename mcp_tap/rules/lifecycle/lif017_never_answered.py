"""LIF017: request never answered."""

from __future__ import annotations

from mcp_tap.diagnosis.finding import Culprit, Hit, Severity
from mcp_tap.diagnosis.pending import (
    IN_FLIGHT_SECONDS,
    ended_by_client,
    how_it_ended,
    is_all_on_file,
    open_for,
)
from mcp_tap.diagnosis.rule import Rule
from mcp_tap.diagnosis.text import named_with_id, plural, seconds, subject
from mcp_tap.model.exchange import Exchange
from mcp_tap.rules.lifecycle._base import LONG_SECONDS

TOLD_ELSEWHERE = frozenset({"initialize", "server/discover", "ping"})
"""Requests without an answer that have a rule of their own."""

BLOCKS = frozenset({"tasks/result"})
"""Requests whose answer comes when work is done that was begun by another (2025-11-25)."""


class NeverAnswered(Rule):
    """A request got no answer.

    What it means: the session ended, and a request had not been answered, nor cancelled by its
    sender. Its handler may hang, or may have been at work still.

    Why it matters: whoever sent it has waited for nothing, mostly up to a time-out of 60 s. If it
    was open for ten seconds or more this is a warning: against the server if that went on answering
    later requests, else against nobody. If the client left earlier, or there was progress, this is
    information.

    Fails:
        1 → 5 tools/call {"name":"export","arguments":{}}
        2 → 6 ping
        ← 6 result {}
        61 ·· eof stream=c2s
        61.1 ·· exit code=0 first=client-eof

    Passes:
        1 → 5 tools/call {"name":"export","arguments":{}}
        31 → notifications/cancelled {"requestId":5}

    What to do: look at what the handler waits for (a lock, a network call without a time-out, its
    own stdin), and at stderr around the time of the request. Answer with an error when work fails.
    """

    id = "LIF017"
    title = "request never answered"
    severity = "warning"
    culprit = "undecided"
    next = "look at what the handler waits for, and at stderr around that time"
    needs_whole = True
    spec = "2025-11-25/basic#responses"

    def end(self) -> None:
        context = self.context
        if not context.over or not is_all_on_file(context) or not ended_by_client(context):
            return
        left = [each for each in context.session.unanswered() if each.method not in TOLD_ELSEWHERE]
        # The longest first: it is the one that the sentence names.
        for exchange in sorted(left, key=lambda each: each.t):
            if exchange.side == "s2c" and exchange.era != "legacy":
                continue
            self.weigh(exchange, open_for(exchange, context))

    def weigh(self, exchange: Exchange, waited: float) -> None:
        """Say what can be said of a request that was open for so long."""
        if waited < IN_FLIGHT_SECONDS:
            return
        key = f"{'server ' if exchange.side == 's2c' else ''}{subject(exchange)}"
        receiver = "client" if exchange.side == "s2c" else "server"
        message = (
            f"{receiver} had not answered {named_with_id(exchange)} after {seconds(waited)}, "
            f"when {how_it_ended(self.context)}"
        )
        severity, culprit = self.judge(exchange, waited)
        self.hit(exchange.seq, message, key=key, severity=severity, culprit=culprit)

    def judge(self, exchange: Exchange, waited: float) -> tuple[Severity, Culprit]:
        """How bad it is, and who is at fault."""
        at_work = exchange.progress or exchange.asking or exchange.method in BLOCKS
        if exchange.side == "s2c" or waited < LONG_SECONDS or at_work:
            return "info", "undecided"
        went_on = exchange.seq < self.context.answered_up_to
        return "warning", "server" if went_on else "undecided"

    def sentence(self, hit: Hit) -> str:
        if hit.count == 1:
            return hit.message
        what = str(hit.key).removeprefix("server ")
        return f"{plural(hit.count, 'request')} of {what} without an answer: {hit.message}"
