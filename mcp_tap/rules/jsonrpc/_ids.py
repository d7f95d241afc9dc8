"""Ids that are used again, and requests that an answer may be meant for."""

from __future__ import annotations

from itertools import islice

from mcp_tap.diagnosis.asked import explain, other
from mcp_tap.diagnosis.context import Request, UnmatchedResponse
from mcp_tap.diagnosis.rule import Rule, sender_of
from mcp_tap.diagnosis.text import called, short
from mcp_tap.model.exchange import Exchange
from mcp_tap.model.pairing import REMEMBERED

OPEN_LOOKED_AT = 100
"""Open requests that are looked through for the one that a stray answer may be meant for."""


def is_notification(request: Request) -> bool:
    """Whether a request is a notification that was given an id: another rule's."""
    return request.exchange.method.startswith("notifications/")


def alone_waiting(response: UnmatchedResponse) -> Exchange | None:
    """The request that waits for an answer of this side, if there is just one."""
    open_now = islice(response.context.session.pairing.open.items(), OPEN_LOOKED_AT)
    waiting = [each for (side, _), each in open_now if side != response.side]
    return waiting[0] if len(waiting) == 1 else None


def while_waiting(exchange: Exchange | None) -> str:
    """That another request waited meanwhile, as the end of a sentence."""
    return "" if exchange is None else f", while {called(exchange)} (id {short(exchange.id)}) was waiting"


def all_requests_known(response: UnmatchedResponse) -> bool:
    """Whether every request that ``response`` may answer is on file, readable, and remembered."""
    context = response.context
    unreadable = context.session.foreign[other(response.side)]
    return context.whole and not unreadable and context.answered <= REMEMBERED


OPEN_LOOKED_AT = 100
"""Open requests that are looked through for the one that a stray answer may be meant for."""


def still_open(request: Request) -> Exchange | None:
    """The earlier request with this id, if it is proven to be open: not cancelled, no answer unreadable."""
    session = request.context.session
    unreadable = session.foreign[other(request.side)]
    if request.exchange.reuses != "open" or not request.context.whole or unreadable:
        return None
    before = session.pairing.superseded[-1] if session.pairing.superseded else None
    return before if before is not None and before.cancelled_t is None else None


def reuse(rule: Rule, request: Request, before: Exchange) -> None:
    """Note that an open request's id was used again."""
    hit = rule.hit(
        (before.seq, request.seq),
        f"{request.sender} reused the id {short(before.id)} while {called(before)} was unanswered",
        key=f"{request.side} open",
        culprit=sender_of(request),
    )
    explain(hit, before.seq, request.seq)
