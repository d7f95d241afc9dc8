"""LIF018: ping not answered promptly."""

from __future__ import annotations

from collections.abc import Hashable

from mcp_tap.diagnosis.context import LEGACY_ONLY, Answer, SessionContext
from mcp_tap.diagnosis.finding import Culprit, Hit
from mcp_tap.diagnosis.interest import sees
from mcp_tap.diagnosis.pending import ended_by_client, explain, how_it_ended, is_all_on_file, open_for
from mcp_tap.diagnosis.rule import Rule
from mcp_tap.diagnosis.text import plural, seconds
from mcp_tap.model.exchange import Exchange

PING_SECONDS = 5.0
"""After which a ping is late: it has to be answered promptly."""


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

    def __init__(self, context: SessionContext) -> None:
        super().__init__(context)
        self._worst: dict[Hashable, float] = {}
        """By the key of a finding, the longest time."""

    @sees(slow=True)
    def answer(self, answer: Answer) -> None:
        exchange = answer.exchange
        if exchange.cancelled_t is not None:
            return
        took = answer.t - exchange.t
        # A server that is asked while it starts is told of as starting slowly.
        begun = self.context.session.initialized_t
        if took > PING_SECONDS and begun is not None and begun <= exchange.t:
            self.late(exchange, f"answered a ping after {seconds(took)}", (exchange.seq, answer.seq), took)

    def end(self) -> None:
        context, begun = self.context, self.context.session.initialized_t
        if not context.over or not is_all_on_file(context) or not ended_by_client(context) or begun is None:
            return
        for exchange in context.session.unanswered():
            waited = open_for(exchange, context)
            if exchange.method == "ping" and waited > PING_SECONDS and begun <= exchange.t:
                text = f"had not answered a ping after {seconds(waited)}, when {how_it_ended(context)}"
                self.late(exchange, text, (exchange.seq,), waited)

    def late(self, exchange: Exchange, what: str, records: tuple[int, ...], took: float) -> None:
        """Count one more of the same side; the worst is the one that is told of."""
        who: Culprit = "server" if exchange.side == "c2s" else "client"
        hit = self.hit(records, f"{who} {what}", key=who, culprit=who)
        explain(hit, records)
        if took > self._worst.get(hit.key, 0.0):
            self._worst[hit.key], hit.message = took, f"{who} {what}"

    def sentence(self, hit: Hit) -> str:
        many = f"{plural(hit.count, 'ping')} answered late or not at all; the worst: "
        return hit.message if hit.count == 1 else many + hit.message
