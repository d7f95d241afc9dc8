"""Ids that are used again, and requests that an answer may be meant for."""

from __future__ import annotations

from itertools import islice

from mcp_tap.diagnosis.asked import explain, other
from mcp_tap.diagnosis.context import Occurrence
from mcp_tap.diagnosis.rule import Rule
from mcp_tap.diagnosis.text import called, short
from mcp_tap.model.exchange import Exchange
from mcp_tap.model.pairing import REMEMBERED


def is_notification(seen: Occurrence) -> bool:
    """Whether a request is a notification that was given an id: another rule's."""
    return (seen.message.method or "").startswith("notifications/")


def alone_waiting(seen: Occurrence) -> Exchange | None:
    """The request that waits for an answer of this side, if there is just one."""
    open_now = islice(seen.context.session.pairing.open.items(), 100)
    waiting = [each for (side, _), each in open_now if side != seen.side]
    return waiting[0] if len(waiting) == 1 else None


def while_waiting(exchange: Exchange | None) -> str:
    """That another request waited meanwhile, as the end of a sentence."""
    return "" if exchange is None else f", while {called(exchange)} (id {short(exchange.id)}) waited"


def all_requests_known(seen: Occurrence) -> bool:
    """Whether every request that ``seen`` may answer is on file, readable, and remembered."""
    context = seen.context
    return context.whole and not context.session.foreign[other(seen.side)] and context.answered <= REMEMBERED


def still_open(seen: Occurrence, exchange: Exchange) -> Exchange | None:
    """The earlier request with this id, if it is proven to be open: not cancelled, no answer unreadable."""
    context = seen.context
    if exchange.reuses != "open" or not context.whole or context.session.foreign[other(seen.side)]:
        return None
    before = context.session.pairing.superseded[-1] if context.session.pairing.superseded else None
    return before if before is not None and before.cancelled_t is None else None


def reuse(rule: Rule, seen: Occurrence, before: Exchange) -> None:
    """Note that an open request's id was used again."""
    hit = rule.hit(
        (before.seq, seen.seq),
        f"{seen.sender} used the id {short(before.id)} again while {called(before)} was unanswered",
        key=f"{seen.side} open",
        culprit="server" if seen.side == "s2c" else "client",
    )
    explain(hit, before.seq, seen.seq)
