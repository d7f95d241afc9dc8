"""Requests paired with their answers.

Each side has ids of its own, and an id keeps its JSON type. Pairing needs no more of a
session than its messages in order, and keeps no more than what is open: memory does not grow
with the recording.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Hashable
from dataclasses import dataclass
from typing import Literal

from mcp_tap.model.message import Message, Side, id_key
from mcp_tap.model.methods import ASKS_THE_CLIENT, STAYS_OPEN

Outcome = Literal["open", "result", "error", "tool-error", "input-required"]

REMEMBERED = 4096
"""Answered requests, and chains that wait for their next leg, that are remembered.

Enough to know a second answer for what it is; a peer that answers again after thousands of
requests is told as answering nothing that was asked."""


@dataclass(slots=True, eq=False)
class Exchange:
    """A request and what became of it; filled in as the session goes on.

    Times are seconds of the session; sizes are bytes of the lines. ``waited`` is the time in which
    the one call that was open waited for the client (sampling, elicitation, roots).
    ``previous`` is the leg before this one where a server asked for input and the client tried
    again (2026-07-28, multi-round-trip requests): the legs are one call.
    """

    side: Side
    id: object
    method: str
    target: str | None
    seq: int
    t: float
    size: int
    progress_token: Hashable = None
    outcome: Outcome = "open"
    answer_seq: int | None = None
    answer_t: float | None = None
    answer_size: int = 0
    cancelled_t: float | None = None
    answers: int = 0
    progress: int = 0
    other_type: bool = False
    waited: float = 0.0
    previous: Exchange | None = None

    @property
    def latency(self) -> float | None:
        """Seconds from the request to its answer; None while there is none."""
        return None if self.answer_t is None else self.answer_t - self.t

    @property
    def own_time(self) -> float | None:
        """The answering side's own seconds: without what it waited for the client, over all legs."""
        if self.answer_t is None:
            return None
        earlier = self.previous.own_time if self.previous is not None else None
        return max(0.0, self.answer_t - self.t - self.waited) + (earlier or 0.0)

    @property
    def is_late(self) -> bool:
        """Whether the answer came after the asker had given up."""
        return self.answer_t is not None and self.cancelled_t is not None and self.answer_t > self.cancelled_t

    @property
    def may_stay_open(self) -> bool:
        """Whether no answer is no finding: subscriptions, and what was cancelled."""
        return self.method in STAYS_OPEN or self.cancelled_t is not None


Role = Literal["asks", "answers", "answers-again", "answers-nothing", "cancels", "reports", "tells"]
"""What a message does: opens an exchange, answers one (or one already answered, or none),
cancels one, reports its progress, or stands for itself."""


@dataclass(frozen=True, slots=True)
class Paired:
    """A message, and the exchange that it belongs to."""

    message: Message
    role: Role
    exchange: Exchange | None = None


class Pairing:
    """Pairs the messages of one session, fed in order."""

    def __init__(self) -> None:
        self.open: dict[tuple[Side, Hashable], Exchange] = {}
        self.superseded: list[Exchange] = []
        """Requests that were still open when their id was used again."""
        self._answered: OrderedDict[tuple[Side, Hashable], Exchange] = OrderedDict()
        self._tokens: dict[tuple[Side, Hashable], Exchange] = {}
        self._chains: OrderedDict[tuple[str, str | None], list[Exchange]] = OrderedDict()

    def feed(self, side: Side, message: Message, seq: int, t: float, size: int) -> list[Paired]:
        """What ``message`` does; one item, or one for each part of a batch."""
        if message.kind == "batch":
            share = size // max(1, len(message.parts))
            return [item for part in message.parts for item in self.feed(side, part, seq, t, share)]
        if message.kind == "request":
            return [Paired(message, "asks", self._ask(side, message, seq, t, size))]
        if message.kind in ("response", "error"):
            return [self._answer(side, message, seq, t, size)]
        if message.kind == "notification":
            return [self._notify(side, message, t)]
        return [Paired(message, "tells")]

    def unanswered(self) -> list[Exchange]:
        """Requests that are still open and should not be, oldest first."""
        left = [*self.superseded, *self.open.values()]
        return sorted((each for each in left if not each.may_stay_open), key=lambda each: each.seq)

    def _ask(self, side: Side, message: Message, seq: int, t: float, size: int) -> Exchange:
        assert message.method is not None
        token = message.meta.get("progressToken")
        made = Exchange(side, message.id, message.method, message.target, seq, t, size)
        key = (side, message.key)
        if key in self.open:
            self.superseded.append(self.open.pop(key))
        self.open[key] = made
        if token is not None:
            made.progress_token = id_key(token)
            self._tokens[(side, made.progress_token)] = made
        if "inputResponses" in message.params or "requestState" in message.params:
            made.previous = self._leg_before(made)
        return made

    def _leg_before(self, leg: Exchange) -> Exchange | None:
        legs = self._chains.get((leg.method, leg.target))
        return legs.pop(0) if legs else None

    def _answer(self, side: Side, message: Message, seq: int, t: float, size: int) -> Paired:
        asker: Side = "s2c" if side == "c2s" else "c2s"
        key = (asker, message.key)
        exchange = self.open.pop(key, None)
        if exchange is None and key in self._answered:
            exchange = self._answered[key]
            exchange.answers += 1
            return Paired(message, "answers-again", exchange)
        if exchange is None:
            exchange = self._of_another_type(asker, message)
        if exchange is None:
            return Paired(message, "answers-nothing")
        exchange.answers += 1
        exchange.answer_seq, exchange.answer_t, exchange.answer_size = seq, t, size
        exchange.outcome = outcome_of(message)
        self._remember(key, exchange)
        if exchange.method in ASKS_THE_CLIENT and asker == "s2c":
            self._count_waiting(exchange)
        return Paired(message, "answers", exchange)

    def _of_another_type(self, asker: Side, message: Message) -> Exchange | None:
        """The open request whose id reads the same but has another JSON type (7, 7.0, "7")."""
        wanted = spelled(message.id)
        for key, exchange in self.open.items():
            if key[0] == asker and spelled(exchange.id) == wanted and wanted is not None:
                exchange.other_type = True
                return self.open.pop(key)
        return None

    def _remember(self, key: tuple[Side, Hashable], exchange: Exchange) -> None:
        self._answered[key] = exchange
        if len(self._answered) > REMEMBERED:
            _, old = self._answered.popitem(last=False)
            if old.progress_token is not None:
                self._tokens.pop((old.side, old.progress_token), None)
        if exchange.outcome == "input-required":
            legs = self._chains.setdefault((exchange.method, exchange.target), [])
            legs.append(exchange)
            self._chains.move_to_end((exchange.method, exchange.target))
            if len(self._chains) > REMEMBERED:
                self._chains.popitem(last=False)

    def _count_waiting(self, asked: Exchange) -> None:
        """A call waits for the client while it is the only one that can have asked."""
        calls = [each for (side, _), each in self.open.items() if side == "c2s" and not each.may_stay_open]
        if len(calls) == 1 and asked.answer_t is not None and calls[0].t <= asked.t:
            calls[0].waited += asked.answer_t - asked.t

    def _notify(self, side: Side, message: Message, t: float) -> Paired:
        if message.method == "notifications/cancelled":
            exchange = self.open.get((side, id_key(message.params.get("requestId"))))
            if exchange is None:
                return Paired(message, "tells")
            exchange.cancelled_t = t
            return Paired(message, "cancels", exchange)
        if message.method == "notifications/progress":
            asker: Side = "s2c" if side == "c2s" else "c2s"
            exchange = self._tokens.get((asker, id_key(message.params.get("progressToken"))))
            if exchange is not None:
                exchange.progress += 1
                return Paired(message, "reports", exchange)
        return Paired(message, "tells")


def outcome_of(message: Message) -> Outcome:
    """What an answer says."""
    if message.kind == "error":
        return "error"
    if message.is_tool_error:
        return "tool-error"
    result = message.value.get("result")
    if isinstance(result, dict) and result.get("resultType") == "input_required":
        return "input-required"
    return "result"


def spelled(value: object) -> str | None:
    """An id without its JSON type; None for what cannot be an id in any."""
    if isinstance(value, bool) or not isinstance(value, (int, float, str)):
        return None
    return str(int(value)) if isinstance(value, float) and value.is_integer() else str(value)
