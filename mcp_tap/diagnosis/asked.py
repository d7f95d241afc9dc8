"""Requests as rules talk about them: how a sentence names one, and faults that its answer decides."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import Any

from mcp_tap.diagnosis.bounded import Latest
from mcp_tap.diagnosis.context import Answer, Occurrence, SessionContext
from mcp_tap.diagnosis.finding import Culprit, Finding, Hit
from mcp_tap.diagnosis.rule import Rule
from mcp_tap.model.exchange import Exchange
from mcp_tap.model.message import Message, Side
from mcp_tap.record.argv_masking import MASK

EXPLAINED_KEPT = 1000
"""Consequences that one finding remembers; a finding names a hundred records at most."""

HELD_REQUESTS = 1000
"""Requests whose answer a rule waits for."""

OPEN_LOOKED_AT = 1000
"""Open requests that are looked through for one message."""


def asker_of(exchange: Exchange) -> Culprit:
    """Who has sent the request."""
    return "client" if exchange.side == "c2s" else "server"


def other(side: Side) -> Side:
    """The other direction."""
    return "s2c" if side == "c2s" else "c2s"


def is_masked(value: Any) -> bool:
    """Whether a secret-looking value was taken out, and with it what it was."""
    return isinstance(value, str) and MASK in value


def code_of(message: Message) -> int | None:
    """The code of an error, if it is one."""
    error = message.value.get("error") if message.kind == "error" else None
    code = error.get("code") if isinstance(error, dict) else None
    return code if type(code) is int else None


def open_requests(context: SessionContext) -> Iterator[Exchange]:
    """Requests without an answer, as far as one looks."""
    pairing = context.session.pairing
    for exchange in islice(pairing.superseded, OPEN_LOOKED_AT):
        if exchange.outcome == "open":
            yield exchange
    yield from islice(pairing.open.values(), OPEN_LOOKED_AT)


def offers(context: SessionContext, side: Side, *path: str) -> bool | None:
    """Whether one side has declared a capability; None where it is not known what it has declared.

    The last part of a longer path is a flag, and has to be true: ``tools``, ``listChanged``.
    """
    found = context.session.capabilities.get(side)
    if not isinstance(found, dict):
        return None
    if len(path) == 1:
        return found.get(path[0]) is not None
    inner = found.get(path[0])
    return isinstance(inner, dict) and inner.get(path[1]) is True


def explain(hit: Hit, *records: int | None) -> None:
    """Let ``hit`` account for what other rules find at these records."""
    if hit.explains is not None and len(hit.explains) < EXPLAINED_KEPT:
        hit.explains.update(record for record in records if record is not None)


class FaultyRequests(Rule):
    """Rules about what a request says: the error that answers it is a consequence."""

    def __init__(self, context: SessionContext) -> None:
        super().__init__(context)
        self._held: Latest[Exchange, Hit] = Latest(HELD_REQUESTS)

    def hold(self, seen: Occurrence, hit: Hit) -> None:
        """Await the answer to the request that ``hit`` is about."""
        if seen.exchange is None or seen.item.role != "asks":
            return
        explain(hit, seen.seq)
        if len(self._held) >= HELD_REQUESTS:
            self._settle()
        self._held[seen.exchange] = hit

    def findings(self) -> list[tuple[Finding, Hit]]:
        self._settle()
        return super().findings()

    def _settle(self) -> None:
        """Let go of those that are answered: of an error it is now known what it follows from."""
        for exchange, hit in list(self._held.items()):
            if exchange.outcome == "error":
                explain(hit, exchange.answer_seq)
            if exchange.outcome != "open":
                del self._held[exchange]


class DecidedByAnswer(Rule):
    """Rules about requests that should not have been sent: how bad it is, the answer tells.

    ``concerns`` says whether a request is one, ``judge`` is called once for each: with its answer,
    or with None where the session has ended without one, and the recording is complete.
    """

    def concerns(self, exchange: Exchange) -> bool:
        raise NotImplementedError

    def judge(self, exchange: Exchange, seen: Occurrence | None) -> None:
        raise NotImplementedError

    def answer(self, seen: Answer) -> None:
        if seen.exchange is not None and self.concerns(seen.exchange):
            self.judge(seen.exchange, seen)

    def end(self) -> None:
        if self.context.whole and self.context.over:
            for exchange in open_requests(self.context):
                if self.concerns(exchange):
                    self.judge(exchange, None)
