"""Requests paired with their answers.

Each side has ids of its own, and an id keeps its JSON type. Pairing needs no more of a
session than its messages in order, and keeps no more than what is open: memory does not grow
with the recording.
"""

from __future__ import annotations

import itertools
from collections import OrderedDict, deque
from collections.abc import Hashable
from typing import Any

import orjson

from mcp_tap.model.exchange import Exchange, Paired, Role, outcome_of
from mcp_tap.model.message import Message, Side, id_key, target_of
from mcp_tap.model.methods import (
    ASKS_THE_CLIENT,
    MAY_ASK,
    MODERN_ONLY,
    STAYS_OPEN,
    SUBSCRIPTION_KEY,
    TARGETS,
    VERSION_KEY,
)

REMEMBERED = 4096
"""Answered requests, and chains that wait for their next round trip, that are remembered.

Enough to know a second answer for what it is; a peer that answers again after thousands of
requests is reported as answering a request that does not exist."""

PARAMS_KEPT_BYTES = 64 * 1024
"""Bytes of a request up to which its parameters are kept until its answer."""

PARAMS_KEPT = 256
"""Open requests of which they are kept."""

ROUND_TRIPS_REMEMBERED = 64
"""Equal calls that wait for their next round trip at the same time."""


Place = tuple[Role, Exchange | None]
"""What a message does, and in which exchange."""


class Pairing:
    """Pairs the messages of one session, fed in order."""

    def __init__(self) -> None:
        self.open: dict[tuple[Side, Hashable], Exchange] = {}
        self.superseded: list[Exchange] = []
        """Requests that were still open when their id was used again; some may be answered since."""
        self.version: str | None = None
        """The version that a handshake has agreed on: that of the requests that name none."""
        self._older: dict[tuple[Side, Hashable], deque[Exchange]] = {}
        """Open requests whose id has been used again; these are answered first."""
        self._nulls: dict[Side, deque[tuple[Side, Hashable]]] = {"c2s": deque(), "s2c": deque()}
        """Keys of the open requests that have null for an id, oldest first."""
        self._numbers = itertools.count()
        self._answered: dict[tuple[Side, Hashable], Exchange] = {}
        """Answered requests, the last of each id."""
        self._in_turn: deque[tuple[tuple[Side, Hashable], Exchange]] = deque()
        """The same, the oldest first; with the dict this costs half of what an ordered dict does."""
        self._last: Exchange | None = None
        """The request that was answered last."""
        self._tokens: dict[tuple[Side, Hashable], Exchange] = {}
        self._chains: OrderedDict[Hashable, deque[Exchange]] = OrderedDict()

    def feed(self, side: Side, message: Message, seq: int, t: float, size: int) -> tuple[Paired, ...]:
        """What ``message`` does; one item, or one for each part of a batch."""
        parts = message.parts if message.kind == "batch" else (message,)
        share = size // max(1, len(parts))
        return tuple(Paired(part, *self.pair(side, part, seq, t, share)) for part in parts)

    def pair(self, side: Side, message: Message, seq: int, t: float, size: int) -> Place:
        """What ``message``, which is no batch, does, and to which exchange it belongs."""
        kind = message.kind
        if kind == "request":
            return "asks", self._ask(side, message, seq, t, size)
        if kind == "response" or kind == "error":
            return self._answer(side, message, seq, t, size)
        if kind == "notification":
            return self._notify(side, message, t)
        return "tells", self._meant_for(side, message.meant)

    def unanswered(self) -> list[Exchange]:
        """Requests that are still open and should not be, oldest first."""
        left = [*(each for each in self.superseded if each.outcome == "open"), *self.open.values()]
        return sorted((each for each in left if not each.may_stay_open), key=lambda each: each.seq)

    def forget(self) -> None:
        """Let go of what only a later message could need: the session is over."""
        self._answered.clear()
        self._in_turn.clear()
        self._tokens.clear()
        self._chains.clear()

    def _ask(self, side: Side, message: Message, seq: int, t: float, size: int) -> Exchange:
        method, id, params = message.method, message.id, message.value.get("params")
        assert method is not None
        if type(params) is not dict:
            params = {}
        target = target_of(method, params) if method in TARGETS else None
        made = Exchange(side, id, method, target, seq, t, size, self.version)
        key = (side, message.key) if id is not None else self._null_key(side)
        if size <= PARAMS_KEPT_BYTES and len(self.open) < PARAMS_KEPT:
            made.params = params
        if key in self.open:
            self._supersede(key, made)
        elif key in self._answered:
            made.reuses = "answered"
        self.open[key] = made
        if "_meta" in params:
            self._read_meta(made, params["_meta"])
        if method in MODERN_ONLY:
            made.era = "modern"
        if "cursor" in params:
            made.pages_on = True
        if side == "s2c":
            self._ask_within(made)
        elif made.era == "modern" and method in MAY_ASK:
            self._link_round_trip(made, params)
        return made

    def _null_key(self, side: Side) -> tuple[Side, Hashable]:
        """A key of its own: two requests with the id null are no reuse of an id."""
        key: tuple[Side, Hashable] = (side, ("null", next(self._numbers)))
        self._nulls[side].append(key)
        return key

    def _ask_within(self, made: Exchange) -> None:
        """Note for which call the server asks the client, where that is sure."""
        if made.method in ASKS_THE_CLIENT:
            made.within = self._only_call()
            if made.within is not None:
                made.within.asks(made.t)

    def _supersede(self, key: tuple[Side, Hashable], made: Exchange) -> None:
        made.reuses = "open"
        old = self.open.pop(key)
        self.superseded.append(old)
        self._older.setdefault(key, deque()).append(old)

    def _read_meta(self, made: Exchange, meta: object) -> None:
        if not isinstance(meta, dict):
            return
        token, version = meta.get("progressToken"), meta.get(VERSION_KEY)
        if token is not None:
            made.progress_token = key = id_key(token)
            self._tokens[(made.side, key)] = made
        if type(version) is str and made.side == "c2s" and made.method != "initialize":
            made.era = "modern"
            made.version = version

    def _link_round_trip(self, trip: Exchange, params: dict[str, Any]) -> None:
        """Find the call that ``trip`` goes on with: the same question, and the server's own words."""
        trip.asked = params
        if "inputResponses" not in params and "requestState" not in params:
            return
        trip.fingerprint = (trip.method, trip.target, question(params))
        chain = (trip.fingerprint, id_key(params.get("requestState")))
        waiting = self._chains.get(chain)
        if waiting is None:
            return
        trip.previous = waiting.popleft()
        trip.earlier_time = trip.previous.own_time or 0.0
        if not waiting:
            del self._chains[chain]

    def _answer(self, side: Side, message: Message, seq: int, t: float, size: int) -> Place:
        asker: Side = "s2c" if side == "c2s" else "c2s"
        key = (asker, message.key)
        exchange = self._take(key) if self._older else self.open.pop(key, None)
        if exchange is None:
            again = self._answered_before(key)
            if again is not None:
                again.answers += 1
                return "answers-again", again
            exchange = self._asked_otherwise(asker, message)
            if exchange is None:
                return "answers-nothing", None
            key = (asker, id_key(exchange.id))
        if self._last is not None:
            self._last.params = None
        self._last = exchange
        exchange.answers += 1
        exchange.answer_seq = seq
        exchange.answer_t = t
        exchange.answer_size = size
        exchange.outcome = outcome = "error" if message.kind == "error" else outcome_of(message)
        if exchange.id is not None:  # what is said about null later is about anything
            self._remember(key, exchange)
        if exchange.asked is not None:
            if outcome == "input-required":
                self._await_round_trip(exchange, exchange.asked, message.value["result"].get("requestState"))
            exchange.asked = None
        if exchange.within is not None:
            exchange.within.is_answered(t)
        if exchange.asking:
            exchange.is_answered(t, exchange.asking)
        return "answers", exchange

    def _take(self, key: tuple[Side, Hashable]) -> Exchange | None:
        """The oldest open request with this id, which is open no more."""
        older = self._older.get(key)
        if older is None:
            return self.open.pop(key, None)
        exchange = older.popleft()
        if not older:
            del self._older[key]
        return exchange

    def _answered_before(self, key: tuple[Side, Hashable]) -> Exchange | None:
        """The answered request of this id; of another type's only if none of those is open."""
        exchange = self._answered.get(key)
        if exchange is None:
            others = [(key[0], other) for other in twins(key[1])]
            if not any(other in self.open for other in others):
                return next((self._answered[other] for other in others if other in self._answered), None)
        return exchange

    def _asked_otherwise(self, asker: Side, message: Message) -> Exchange | None:
        """The open request whose id reads the same but has another JSON type (7, 7.0, "7").

        Null answers the oldest request that had null itself.
        """
        if message.id is None:
            sent = message.key is not None and self._nulls[asker]
            return self.open.pop(self._nulls[asker].popleft()) if sent else None
        for other in twins(message.key):
            exchange = self._take((asker, other))
            if exchange is not None:
                exchange.other_type = True
                return exchange
        return None

    def _meant_for(self, side: Side, meant: Message | None) -> Exchange | None:
        """The open request that a line was meant to answer, had it been JSON."""
        if meant is None or meant.kind not in ("response", "error"):
            return None
        return self.open.get(("s2c" if side == "c2s" else "c2s", meant.key))

    def _remember(self, key: tuple[Side, Hashable], exchange: Exchange) -> None:
        answered = self._answered
        if key in answered:
            self._forget_token(answered[key])
        answered[key] = exchange
        self._in_turn.append((key, exchange))
        if len(self._in_turn) > REMEMBERED:
            key, exchange = self._in_turn.popleft()
            if answered.get(key) is exchange:
                del answered[key]
                self._forget_token(exchange)

    def _forget_token(self, exchange: Exchange) -> None:
        if exchange.progress_token is not None:
            key = (exchange.side, exchange.progress_token)
            if self._tokens.get(key) is exchange:
                del self._tokens[key]

    def _await_round_trip(self, exchange: Exchange, asked: dict[str, Any], state: object) -> None:
        exchange.fingerprint = (exchange.method, exchange.target, question(asked))
        chain = (exchange.fingerprint, id_key(state))
        self._chains.setdefault(chain, deque(maxlen=ROUND_TRIPS_REMEMBERED)).append(exchange)
        self._chains.move_to_end(chain)
        if len(self._chains) > REMEMBERED:
            self._chains.popitem(last=False)

    def _only_call(self) -> Exchange | None:
        """The one call that a server can be at work on; None if there are several, or none."""
        only = None
        for exchange in self.open.values():
            if exchange.method in MAY_ASK and exchange.side == "c2s" and exchange.cancelled_t is None:
                if only is not None:
                    return None
                only = exchange
        return only

    def _notify(self, side: Side, message: Message, t: float) -> Place:
        if message.method == "notifications/cancelled":
            return self._cancel(side, message, t)
        asker: Side = "s2c" if side == "c2s" else "c2s"
        if message.method == "notifications/progress":
            token = message.params.get("progressToken")
            key = token if type(token) is int or type(token) is str else id_key(token)
            exchange = self._tokens.get((asker, key))
            if exchange is not None:
                exchange.progress += 1
                return "reports", exchange
        elif side == "s2c":
            return "tells", self._reported_for(message)
        return "tells", None

    def _cancel(self, side: Side, message: Message, t: float) -> Place:
        wanted = id_key(message.params.get("requestId"))
        exchange = self.open.get((side, wanted))
        if exchange is None and side == "s2c":  # a server ends a subscription (2026-07-28)
            listening = self.open.get(("c2s", wanted))
            exchange = listening if listening is not None and listening.method in STAYS_OPEN else None
        if exchange is None:
            return "tells", self._answered.get((side, wanted))
        if exchange.cancelled_t is None:
            exchange.cancelled_t = t
            if exchange.within is not None:
                exchange.within.is_answered(t)
                exchange.within = None  # an answer that comes all the same settles nothing
        return "cancels", exchange

    def _reported_for(self, message: Message) -> Exchange | None:
        """The subscription or the call that a server's notification was sent for, where that is sure."""
        if "_meta" in message.params:
            subscription = message.meta.get(SUBSCRIPTION_KEY)
            if subscription is not None:
                return self.open.get(("c2s", id_key(subscription)))
        if message.method != "notifications/message":
            return None
        call = self._only_call()
        if call is not None:
            call.logs += 1
        return call


def question(params: dict[str, Any]) -> int | None:
    """A number that is equal for calls that ask the same; None where that cannot be told."""
    asked = {key: value for key, value in params.items() if key not in NOT_ASKED}
    try:
        return hash(orjson.dumps(asked, option=orjson.OPT_SORT_KEYS))
    except orjson.JSONEncodeError:  # nested deeper than can be written
        return None


NOT_ASKED = frozenset({"_meta", "inputResponses", "requestState"})
"""Parameters in which the round trips of one call differ."""


def twins(key: Hashable) -> list[Hashable]:
    """The keys of the ids that read like the one with this key, and have another JSON type."""
    if isinstance(key, str):
        if len(key.removeprefix("-")) > DIGITS or not is_integer(key):
            return []
        return [int(key), ("float", float(key))]
    if isinstance(key, int):
        return [str(key), ("float", float(key))] if abs(key) < 10**DIGITS else []
    value = key[1] if isinstance(key, tuple) and key[0] == "float" else None
    if isinstance(value, float) and abs(value) < 10**DIGITS and value.is_integer():
        return [int(value), str(int(value))]
    return []


DIGITS = 20
"""Digits of the longest number that anybody counts requests by."""


def is_integer(text: str) -> bool:
    """Whether ``text`` is how an integer is written in JSON."""
    digits = text.removeprefix("-")
    return digits.isascii() and digits.isdigit() and (digits[0] != "0" or text == "0")
