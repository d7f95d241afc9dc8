"""Ids that are used again, and requests that an answer may be meant for."""

from __future__ import annotations

from itertools import islice

from mcp_tap.diagnosis.asked import explain, other
from mcp_tap.diagnosis.case import Seen
from mcp_tap.diagnosis.rule import Rule
from mcp_tap.diagnosis.text import called, short
from mcp_tap.model.exchange import Exchange
from mcp_tap.model.pairing import REMEMBERED


def is_notification(seen: Seen) -> bool:
    """Whether a request is a notification that was given an id: another rule's."""
    return (seen.message.method or "").startswith("notifications/")


def alone_waiting(seen: Seen) -> Exchange | None:
    """The request that waits for an answer of this side, if there is just one."""
    open_now = islice(seen.case.session.pairing.open.items(), 100)
    waiting = [each for (side, _), each in open_now if side != seen.side]
    return waiting[0] if len(waiting) == 1 else None


def while_waiting(exchange: Exchange | None) -> str:
    """That another request waited meanwhile, as the end of a sentence."""
    return "" if exchange is None else f", while {called(exchange)} (id {short(exchange.id)}) waited"


def all_requests_known(seen: Seen) -> bool:
    """Whether every request that ``seen`` may answer is on file, readable, and remembered."""
    case = seen.case
    return case.whole and not case.session.foreign[other(seen.side)] and case.answered <= REMEMBERED


def still_open(seen: Seen, exchange: Exchange) -> Exchange | None:
    """The earlier request with this id, if it is proven to be open: not cancelled, no answer unreadable."""
    case = seen.case
    if exchange.reuses != "open" or not case.whole or case.session.foreign[other(seen.side)]:
        return None
    before = case.session.pairing.superseded[-1] if case.session.pairing.superseded else None
    return before if before is not None and before.cancelled_t is None else None


def reuse(rule: Rule, seen: Seen, before: Exchange) -> None:
    """Note that an open request's id was used again."""
    hit = rule.hit(
        (before.seq, seen.seq),
        f"{seen.sender} used the id {short(before.id)} again while {called(before)} was unanswered",
        key=f"{seen.side} open",
        culprit="server" if seen.side == "s2c" else "client",
    )
    explain(hit, before.seq, seen.seq)
