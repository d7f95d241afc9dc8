"""What a server of 2026-07-28 has asked back for, and which request of the client answers it
(MCP basic/patterns/mrtr).
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Hashable
from dataclasses import dataclass
from typing import Any, Literal

from mcp_tap.diagnosis.context import Occurrence
from mcp_tap.model.exchange import Exchange
from mcp_tap.model.message import id_key
from mcp_tap.record.argv_masking import MASK
from mcp_tap.rules.modern._proof import KEPT, result_of

ASKED_KEPT = 20
"""Input requests of one result that are looked at."""


def input_requests(result: dict[str, Any]) -> list[dict[str, Any]]:
    """The first questions of an ``input_required``."""
    asked = result.get("inputRequests")
    each = list(asked.values())[:ASKED_KEPT] if isinstance(asked, dict) else []
    return [one for one in each if isinstance(one, dict)]


StateFault = Literal["missing", "other", "invented"]


@dataclass(frozen=True, slots=True)
class Question:
    """An ``input_required`` that the client has not come back to.

    ``state`` is equal for equal values of requestState; None where none was given.
    """

    exchange: Exchange
    state: Hashable
    masked: bool
    kinds: tuple[str, ...]
    seq: int
    t: float


@dataclass(frozen=True, slots=True)
class Retry:
    """A request that answers a question; ``fault`` is what is wrong with its requestState."""

    question: Question
    fault: StateFault | None = None


class Questions:
    """The questions of the server in one session that are still without an answer."""

    def __init__(self) -> None:
        self._open: OrderedDict[Exchange, Question] = OrderedDict()
        self._given: OrderedDict[Hashable, None] = OrderedDict()
        self._forgot = False
        self._looked_at: tuple[int, Retry | None] = (-1, None)

    @property
    def open(self) -> list[Question]:
        """Oldest first."""
        return list(self._open.values())

    def take(self, seen: Occurrence) -> None:
        """Note an answer, if it is a question."""
        exchange, result = seen.exchange, result_of(seen)
        if exchange is None or result is None or result.get("resultType") != "input_required":
            return
        if exchange.fingerprint is None or exchange in self._open:
            return
        state = state_of(result)
        kinds = tuple(str(asked.get("method"))[:60] for asked in input_requests(result))
        masked = may_be_masked(seen)
        self._open[exchange] = Question(
            exchange, state, masked, tuple(dict.fromkeys(kinds)), seen.seq, seen.t
        )
        self._given[(exchange.fingerprint, state)] = None
        for kept in (self._open, self._given):
            if len(kept) > KEPT:
                kept.popitem(last=False)
                self._forgot = True

    def answered_by(self, seen: Occurrence) -> Retry | None:
        """The question that a request comes back to, which is open no more; the same for each that asks."""
        if self._looked_at[0] != seen.seq:
            self._looked_at = (seen.seq, self._find(seen))
        return self._looked_at[1]

    def _find(self, seen: Occurrence) -> Retry | None:
        leg, params = seen.exchange, seen.params
        if leg is None or leg.fingerprint is None:
            return None
        if "inputResponses" not in params and "requestState" not in params:
            return None  # it begins anew
        if leg.previous is not None:
            question = self._open.pop(leg.previous, None)
            return None if question is None else Retry(question)
        state = state_of(params)
        if (leg.fingerprint, state) in self._given:
            return None  # it was sent before
        question = next((each for each in self.open if each.exchange.fingerprint == leg.fingerprint), None)
        if question is None:
            return None
        del self._open[question.exchange]
        if self._forgot or question.masked or may_be_masked(seen):
            return Retry(question)
        if state is None:
            return Retry(question, "missing")
        return Retry(question, "invented" if question.state is None else "other")


def state_of(members: dict[str, Any]) -> Hashable:
    """A value that is equal for equal values of requestState, and small; None for none."""
    state = members.get("requestState")
    return None if state is None else hash(id_key(state))


def may_be_masked(seen: Occurrence) -> bool:
    """Whether something in a message was taken out, so that others may look like it."""
    return MASK.encode() in seen.record.payload or seen.record.dir in seen.context.parts
