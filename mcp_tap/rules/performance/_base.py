"""Answers that took long, and what text costs a model."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass

from mcp_tap.diagnosis.asked import open_requests
from mcp_tap.diagnosis.context import Answer, Request, SessionContext, kind_of
from mcp_tap.diagnosis.finding import Hit
from mcp_tap.diagnosis.interest import sees
from mcp_tap.diagnosis.rule import Rule
from mcp_tap.diagnosis.text import named_with_id, plural, seconds, shown_id
from mcp_tap.model.exchange import Exchange

TIMED_OTHERWISE = frozenset({"initialize", "server/discover", "subscriptions/listen", "tasks/result"})
"""Requests that are not slow for taking long: the first two tell how a server starts (PRF003), the
others wait by design."""

WITH_USER_KEPT = 1_000
"""Calls that are remembered because the user is somewhere else."""

CHARACTERS_A_TOKEN = 4
"""Of English text, roughly."""


@dataclass(slots=True, eq=False)
class Slow:
    """The slow answers to one kind of request so far; the slowest of them."""

    kind: str
    took: float = -1.0
    named: str = ""
    id: str = ""


class SlowAnswers(Rule):
    """The base of rules about how long the server took; what it waited for the client does not count."""

    def __init__(self, context: SessionContext) -> None:
        super().__init__(context)
        self._with_user: set[Exchange] = set()
        """Calls for which the server has sent the user to a URL: nobody can tell how long that took."""
        self._slowest: dict[Hashable, Slow] = {}

    def limits(self) -> tuple[float, float]:
        """Above which seconds, and up to which, an answer is what the rule is about."""
        raise NotImplementedError

    @sees(sides="s2c", methods="elicitation/create")
    def request(self, request: Request) -> None:
        if request.params.get("mode") == "url":
            self._with_user = {each for each in self._with_user if each.outcome == "open"}
            if len(self._with_user) < WITH_USER_KEPT:
                self._with_user.update(each for each in open_requests(self.context) if each.side == "c2s")

    @sees(sides="s2c", slow=True)
    def answer(self, answer: Answer) -> None:
        exchange = answer.exchange
        if exchange not in self._with_user and exchange.method not in TIMED_OTHERWISE:
            self._time(answer)

    def sentence(self, hit: Hit) -> str:
        slow = self._slowest[hit.key]
        calls = max(hit.count, self.context.answers.get(slow.kind, 0))
        if hit.count == 1:
            others = f"; {plural(calls - 1, 'other call')} did not" if calls > 1 else ""
            return f"{slow.named} took {seconds(slow.took)}{others}"
        return (
            f"{hit.count:,} of {calls:,} answers to {slow.kind} took more than {seconds(self.limits()[0])}, "
            f"the slowest {seconds(slow.took)} (id {slow.id})"
        )

    def _time(self, answer: Answer) -> None:
        exchange, took = answer.exchange, self._own_time(answer.exchange)
        above, up_to = self.limits()
        if not above < took <= up_to or exchange.cancelled_t is not None or not self._is_certain():
            return
        kind = kind_of(exchange.method, exchange.target)
        hit = self.hit([exchange.seq, answer.seq], "", key=kind)
        slow = self._slowest.setdefault(hit.key, Slow(kind))
        if took > slow.took:
            slow.took, slow.named, slow.id = took, named_with_id(exchange), shown_id(exchange.id)

    def _own_time(self, exchange: Exchange) -> float:
        """The seconds that were the server's own, once it had started."""
        first_t = self.context.first_answer_t
        starting = 0.0 if first_t is None else max(0.0, first_t - exchange.t)
        return (exchange.own_time or 0.0) - starting

    def _is_certain(self) -> bool:
        """Whether all that the server may have asked the client meanwhile is on file.

        And the client still waited: what comes when it has left is explained by others.
        """
        context = self.context
        return not (context.cut or context.session.missing or context.unread or context.closed)
