"""LIF: requests that were not answered, or late, and whose turn it was."""

from __future__ import annotations

from mcp_tap.model.exchange import Exchange
from mcp_tap.rules.case import LEGACY_ONLY, NAME_KEPT, Case, Seen, plural, seconds
from mcp_tap.rules.facts.pending import (
    IN_FLIGHT_SECONDS,
    ended_by_client,
    explain,
    how_it_ended,
    is_all_on_file,
    named,
    open_for,
    subject,
)
from mcp_tap.rules.finding import Culprit, Hit, Severity
from mcp_tap.rules.rule import Rule

LONG_SECONDS = 10.0
"""From which on an open request is more than work in progress; quick methods take milliseconds, and a
client that leaves earlier has hardly given up."""

PING_SECONDS = 5.0
"""After which a ping is late: it has to be answered promptly."""

TOLD_ELSEWHERE = frozenset({"initialize", "server/discover", "ping"})
"""Requests without an answer that have a rule of their own."""

WAITS_FOR_THE_USER = frozenset({"elicitation/create", "sampling/createMessage"})
"""Requests that a client may have to show its user before it answers."""
KEPT = 1000
"""Open requests of the server whose calls are remembered."""

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
    spec = "2025-11-25/basic#responses"

    def __init__(self, case: Case) -> None:
        super().__init__(case)
        self.answered_up_to = -1
        """The record of the latest request of the client that was answered while it was there."""

    def answer(self, seen: Seen) -> None:
        exchange = seen.exchange
        if seen.side == "s2c" and exchange is not None and not self.case.closed:
            self.answered_up_to = max(self.answered_up_to, exchange.seq)

    def end(self) -> None:
        case = self.case
        if not case.over or not is_all_on_file(case) or not ended_by_client(case):
            return
        left = [each for each in case.session.unanswered() if each.method not in TOLD_ELSEWHERE]
        # The longest first: it is the one that the sentence names.
        for exchange in sorted(left, key=lambda each: each.t):
            if exchange.side == "s2c" and exchange.era != "legacy":
                continue
            self.weigh(exchange, open_for(exchange, case))

    def weigh(self, exchange: Exchange, waited: float) -> None:
        """Say what can be said of a request that was open for so long."""
        if waited < IN_FLIGHT_SECONDS:
            return
        key = f"{'server ' if exchange.side == 's2c' else ''}{subject(exchange)}"
        receiver = "client" if exchange.side == "s2c" else "server"
        message = (
            f"{receiver} had not answered {named(exchange)} after {seconds(waited)}, "
            f"when {how_it_ended(self.case)}"
        )
        severity, culprit = self.judge(exchange, waited)
        hit = self.hit(exchange.seq, message, key=key, severity=severity, culprit=culprit)
        hit.facts.setdefault("what", key.removeprefix("server "))

    def judge(self, exchange: Exchange, waited: float) -> tuple[Severity, Culprit]:
        """How bad it is, and who is at fault."""
        at_work = exchange.progress or exchange.asking or exchange.method in BLOCKS
        if exchange.side == "s2c" or waited < LONG_SECONDS or at_work:
            return "info", "undecided"
        went_on = exchange.seq < self.answered_up_to
        return "warning", "server" if went_on else "undecided"

    def sentence(self, hit: Hit) -> str:
        if hit.count == 1:
            return hit.message
        return f"{plural(hit.count, 'request')} of {hit.facts['what']} without an answer: {hit.message}"


class SlowPing(Rule):
    """A ping was answered late or not at all.

    What it means: either side may ask with `ping` whether the other is there, and the answer has to
    come promptly. It took more than five seconds, or did not come.

    Why it matters: whoever gets no answer to a ping takes the connection for dead and closes it.

    Fails:
        1 → 5 ping
        7 ← 5 result {}

    Passes:
        1 → 5 ping
        5.9 ← 5 result {}

    What to do: do not block the read loop: let handlers run beside it, and heavy work in a thread
    or a process of its own.
    """

    id = "LIF018"
    title = "ping not answered promptly"
    severity = "warning"
    culprit = "server"
    next = "do not block the read loop in handlers"
    versions = LEGACY_ONLY
    methods = frozenset({"ping"})
    spec = "2025-11-25/basic/utilities/ping"

    def answer(self, seen: Seen) -> None:
        exchange = seen.exchange
        if exchange is None or exchange.cancelled_t is not None:
            return
        took = seen.t - exchange.t
        # A server that is asked while it starts is told of as starting slowly.
        begun = self.case.session.initialized_t
        if took > PING_SECONDS and begun is not None and begun <= exchange.t:
            self.late(exchange, f"answered a ping after {seconds(took)}", (exchange.seq, seen.seq), took)

    def end(self) -> None:
        case, begun = self.case, self.case.session.initialized_t
        if not case.over or not is_all_on_file(case) or not ended_by_client(case) or begun is None:
            return
        for exchange in case.session.unanswered():
            waited = open_for(exchange, case)
            if exchange.method == "ping" and waited > PING_SECONDS and begun <= exchange.t:
                text = f"had not answered a ping after {seconds(waited)}, when {how_it_ended(case)}"
                self.late(exchange, text, (exchange.seq,), waited)

    def late(self, exchange: Exchange, what: str, records: tuple[int, ...], took: float) -> None:
        """Count one more of the same side; the worst is the one that is told of."""
        who: Culprit = "server" if exchange.side == "c2s" else "client"
        hit = self.hit(records, f"{who} {what}", key=who, culprit=who)
        explain(hit, records)
        worst = hit.facts.get("worst")
        if not isinstance(worst, float) or took > worst:
            hit.facts["worst"], hit.message = took, f"{who} {what}"

    def sentence(self, hit: Hit) -> str:
        many = f"{plural(hit.count, 'ping')} answered late or not at all; the worst: "
        return hit.message if hit.count == 1 else many + hit.message


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
    spec = "2025-11-25/basic#responses"

    def __init__(self, case: Case) -> None:
        super().__init__(case)
        self.asked: dict[int, Exchange] = {}
        """By its record, a request of the server in the course of a call that the client waits for."""

    def request(self, seen: Seen) -> None:
        exchange = seen.exchange
        if seen.side != "s2c" or exchange is None or exchange.within is None:
            return
        if len(self.asked) < KEPT:
            self.asked[seen.seq] = exchange.within

    def answer(self, seen: Seen) -> None:
        if seen.side == "c2s" and seen.exchange is not None:
            self.asked.pop(seen.exchange.seq, None)

    def end(self) -> None:
        case = self.case
        if not case.over or not is_all_on_file(case):
            return
        for exchange in case.session.unanswered():
            if exchange.side == "s2c" and exchange.era == "legacy" and exchange.method != "ping":
                self.weigh(exchange, self.asked.get(exchange.seq))

    def weigh(self, exchange: Exchange, call: Exchange | None) -> None:
        """Tell of a request of the server that got no answer, if it was open for long."""
        waited = open_for(exchange, self.case)
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
            key=exchange.method[:NAME_KEPT],
            severity="info" if user else "error" if call is not None else "warning",
            culprit="undecided" if user else None,
        )
        explain(hit, (exchange.seq, *(() if call is None else (call.seq, call.answer_seq))))


RULES: tuple[type[Rule], ...] = (NeverAnswered, SlowPing, ClientNeverAnswers)
