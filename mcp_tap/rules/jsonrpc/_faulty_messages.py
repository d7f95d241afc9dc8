"""Rules about what requests look like: what becomes of such a request follows from it."""

from __future__ import annotations

from mcp_tap.diagnosis.asked import EXPLAINED_KEPT, explain
from mcp_tap.diagnosis.context import Occurrence, SessionContext
from mcp_tap.diagnosis.finding import Finding, Hit
from mcp_tap.diagnosis.rule import Rule
from mcp_tap.model.exchange import Exchange


class FaultyMessages(Rule):
    """The base of rules that are asked about every message: it needs no hook to learn the answers."""

    def __init__(self, context: SessionContext) -> None:
        super().__init__(context)
        self.held: dict[int, list[Exchange]] = {}
        """By hit, the requests that it is about."""

    def hold(self, seen: Occurrence, hit: Hit) -> None:
        """Note that ``hit`` accounts for whatever answers the request, or for its having no answer."""
        exchange, held = seen.exchange, self.held.setdefault(id(hit), [])
        if exchange is not None and seen.item.role == "asks" and len(held) < EXPLAINED_KEPT:
            explain(hit, seen.seq)
            held.append(exchange)

    def finding(self, hit: Hit) -> Finding:
        for exchange in self.held.get(id(hit), ()):
            if exchange.outcome == "error":
                explain(hit, exchange.answer_seq)
        return super().finding(hit)
