"""Requests as rules talk about them: how a sentence names one, and faults that its answer decides."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import Any

from mcp_tap.diagnosis.context import Occurrence, SessionContext
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


def never_answered(context: SessionContext) -> Iterator[Exchange]:
    """Requests that got no answer at all: only where the session is over, and everything is on file."""
    if context.whole and context.over:
        yield from open_requests(context)


class FaultyRequests(Rule):
    """Rules about what a request says: the error that answers it is a consequence."""

    def __init__(self, context: SessionContext) -> None:
        super().__init__(context)
        self.held: dict[Hit, list[Exchange]] = {}
        """The requests that a finding is about."""

    def hold(self, message: Occurrence, hit: Hit) -> None:
        """Let ``hit`` account for the request, if it is one, and for an error that answers it."""
        held = self.held.setdefault(hit, [])
        if message.exchange is not None and message.item.role == "asks" and len(held) < EXPLAINED_KEPT:
            explain(hit, message.seq)
            held.append(message.exchange)

    def finding(self, hit: Hit) -> Finding:
        for exchange in self.held.get(hit, ()):
            if exchange.outcome == "error":
                explain(hit, exchange.answer_seq)
                if exchange.within is not None and exchange.within.outcome == "tool-error":
                    explain(hit, exchange.within.answer_seq)  # the tool that had asked has failed by it
        return super().finding(hit)
