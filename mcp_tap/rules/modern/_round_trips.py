"""A server that asks back by its result, and a client that tries again (MCP 2026-07-28, basic/patterns/mrtr):
what was asked, and which request answers it.
"""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass
from typing import Any, Literal

from mcp_tap.diagnosis.bounded import Latest
from mcp_tap.diagnosis.context import Answer, Occurrence, Request, SessionContext
from mcp_tap.model.exchange import Exchange, Outcome
from mcp_tap.model.message import id_key
from mcp_tap.record.argv_masking import MASK
from mcp_tap.record.reader import Record
from mcp_tap.rules.modern._base import KEPT, result_of

ROUND_TRIPS = "2026-07-28/basic/patterns/mrtr"

MAY_ASK_BACK = frozenset({"tools/call", "prompts/get", "resources/read"})
"""Requests that may be answered by ``input_required``."""

ASKING_BACK: tuple[Outcome, ...] = ("input-required", "tool-error")
"""Outcomes of answers that may ask back: one that has ``isError`` too may."""

ASKED_KEPT = 20
"""Input requests of one result that are looked at."""


def question_of(answer: Answer) -> dict[str, Any] | None:
    """The result, if it has ``"resultType": "input_required"``."""
    result = result_of(answer)
    return result if result is not None and result.get("resultType") == "input_required" else None


def may_come_back(line: bytes) -> bool:
    """Whether a line may be a request that comes back to a question."""
    return b"inputResponses" in line or b"requestState" in line or b"\\u" in line


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
        self._open: Latest[Exchange, Question] = Latest(KEPT)
        self._given: Latest[Hashable, None] = Latest(KEPT)
        self._looked_at: tuple[int, Retry | None] = (-1, None)
        self._searched: tuple[Record | None, bool] = (None, False)

    @property
    def open(self) -> list[Question]:
        """Oldest first."""
        return list(self._open.values())

    def take(self, answer: Answer) -> None:
        """Note an answer, if it is a question."""
        exchange, result = answer.exchange, question_of(answer)
        if result is None or exchange.fingerprint is None or exchange in self._open:
            return
        state = state_of(result)
        kinds = tuple(str(asked.get("method"))[:60] for asked in input_requests(result))
        masked = self._may_be_masked(answer)
        self._open[exchange] = Question(
            exchange, state, masked, tuple(dict.fromkeys(kinds)), answer.seq, answer.t
        )
        self._given[(exchange.fingerprint, state)] = None

    def answered_by(self, request: Request) -> Retry | None:
        """The question that a request comes back to, which is open no more; the same for each that asks."""
        if self._looked_at[0] != request.seq:
            self._looked_at = (request.seq, self._find(request))
        return self._looked_at[1]

    def _find(self, request: Request) -> Retry | None:
        trip, params = request.exchange, request.params
        if trip.fingerprint is None or ("inputResponses" not in params and "requestState" not in params):
            return None  # it begins anew
        if trip.previous is not None:
            question = self._open.pop(trip.previous, None)
            return None if question is None else Retry(question)
        state = state_of(params)
        if (trip.fingerprint, state) in self._given:
            return None  # it was sent before
        question = next((each for each in self.open if each.exchange.fingerprint == trip.fingerprint), None)
        if question is None:
            return None
        del self._open[question.exchange]
        forgot = self._open.forgot or self._given.forgot
        if forgot or question.masked or self._may_be_masked(request):
            return Retry(question)
        if state is None:
            return Retry(question, "missing")
        return Retry(question, "invented" if question.state is None else "other")

    def _may_be_masked(self, occurrence: Occurrence) -> bool:
        """Whether something in a line was taken out, so that others may look like it."""
        record = occurrence.record
        if self._searched[0] is not record:  # once, however many messages the line has
            self._searched = (record, MASK.encode() in record.payload)
        return self._searched[1] or record.dir in occurrence.context.parts


def retry_of(context: SessionContext, request: Request) -> Retry | None:
    """The question that a request comes back to, where all that the server has said is known."""
    retry = context.shared(Questions).answered_by(request)
    return None if context.session.foreign["s2c"] else retry


def state_of(members: dict[str, Any]) -> Hashable:
    """A value that is equal for equal values of requestState, and small; None for none."""
    state = members.get("requestState")
    return None if state is None else hash(id_key(state))
