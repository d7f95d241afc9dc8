"""RPC002-009: the ids of requests and answers (JSON-RPC 2.0; MCP basic#requests, basic#responses)."""

from __future__ import annotations

from dataclasses import replace
from itertools import islice
from typing import Any

from mcp_tap.model.exchange import Exchange
from mcp_tap.model.message import json_type
from mcp_tap.model.pairing import REMEMBERED
from mcp_tap.rules.case import LEGACY_ONLY, MODERN_ONLY, Seen
from mcp_tap.rules.facts.asked import called, explain, key_of, other, short
from mcp_tap.rules.facts.faulty import FaultyMessages
from mcp_tap.rules.finding import Finding, Hit
from mcp_tap.rules.rule import Rule

REQUESTS = "2025-11-25/basic#requests"
RESPONSES = "2025-11-25/basic#responses"


def is_notification(seen: Seen) -> bool:
    """Whether a request is a notification that was given an id: another rule's."""
    return (seen.message.method or "").startswith("notifications/")


class IdNull(FaultyMessages):
    """A request with the id null.

    What it means: a request was sent with "id": null. That is no legal id in MCP, and no notification
    either.

    Why it matters: the official SDKs take it for a notification, or drop it: no answer ever comes.

    Fails:
        → null tools/list

    Passes:
        → 0 tools/list
        ← 0 result {"tools":[]}

    What to do: use a number or a string.
    """

    id = "RPC002"
    title = "request with the id null"
    severity = "error"
    culprit = "sender"
    next = "use a number or a string as the id"
    spec = REQUESTS

    def request(self, seen: Seen) -> None:
        if seen.item.message.id is None and not is_notification(seen) and seen.exchange is not None:
            hit = self.hit(seen, called(seen.exchange), key=seen.side)
            self.hold(seen, hit)

    def sentence(self, hit: Hit) -> str:
        many = f"{hit.count:,} requests with the id null, the first {hit.message}"
        one = f"a request with the id null, {hit.message}"
        return f"{hit.culprit} sent {one if hit.count == 1 else many}: no legal id, and servers ignore it"

    def finding(self, hit: Hit) -> Finding:
        found, held = super().finding(hit), self.held.get(id(hit), ())
        if sum(each.outcome != "open" for each in held) == hit.count:  # by a peer that does not mind
            return replace(found, severity="warning", message=found.message.partition(": no")[0])
        return found


class IllegalId(FaultyMessages):
    """A request whose id is neither a string nor an integer.

    What it means: the id is true, false, a number with a fraction, a list or an object.

    Why it matters: the official SDKs drop such a request, or take it for a notification.

    Fails:
        → true tools/list

    Passes:
        → "true" tools/list
        ← "true" result {"tools":[]}

    What to do: use a string or an integer.
    """

    id = "RPC003"
    title = "id of an illegal type"
    severity = "error"
    culprit = "sender"
    next = "use a string or an integer as the id"
    spec = REQUESTS

    def request(self, seen: Seen) -> None:
        id = seen.item.message.id
        kind = None if type(id) is int or type(id) is str else illegal(id)
        if kind is not None and not is_notification(seen) and seen.exchange is not None:
            told = (
                f"{seen.sender} sent {called(seen.exchange)} with {kind} for an id ({short(seen.message.id)})"
            )
            self.hold(seen, self.hit(seen, told, key=f"{seen.side} {kind}"))


class IdUsedAgain(Rule):
    """An id that was used before.

    What it means: a request has the id of an earlier request of the same side.

    Why it matters: while the earlier one is open, nobody can tell which of them an answer is for. Once it
    is answered, using its id again is forbidden up to 2025-11-25 and harms nobody: that is told as
    information.

    Fails, 2025-06-18:
        → 1 tools/call {"name":"a"}
        → 1 tools/call {"name":"b"}
        ← 1 result {"content":[]}
        ← 1 result {"content":[]}

    Passes:
        → 1 tools/call {"name":"a"}
        → "1" tools/call {"name":"b"}
        ← "1" result {"content":[]}
        ← 1 result {"content":[]}

    What to do: count requests up, over the whole connection.
    """

    id = "RPC005"
    title = "id used again"
    severity = "error"
    culprit = "sender"
    next = "use a new id for each request of a connection"
    spec = REQUESTS
    versions = LEGACY_ONLY

    def request(self, seen: Seen) -> None:
        exchange = seen.item.exchange
        if exchange is None or exchange.reuses is None:
            return
        before = still_open(seen, exchange)
        if before is not None:
            reuse(self, seen, before)
        elif self.case.whole or (exchange.reuses == "answered" and not self.case.disordered):
            self.hit(
                seen,
                f"{seen.sender} used the id {short(exchange.id)} again for {called(exchange)}, "
                "after its first request was settled",
                key=f"{seen.side} settled",
                severity="info",
            )


class IdInFlight(Rule):
    """An id that is still in use.

    What it means: a request has the id of another one of the same side that is not answered yet.

    Why it matters: nobody can tell which of them an answer is for. Afterwards an id may be used again,
    since 2026-07-28.

    Fails, 2026-07-28:
        → 1 tools/call {"name":"a"}
        → 1 tools/call {"name":"b"}
        ← 1 result {"content":[],"resultType":"complete"}
        ← 1 result {"content":[],"resultType":"complete"}

    Passes, 2026-07-28:
        → 1 tools/call {"name":"a"}
        ← 1 result {"content":[],"resultType":"complete"}
        → 1 tools/call {"name":"b"}
        ← 1 result {"content":[],"resultType":"complete"}

    What to do: use an id again only after its answer.
    """

    id = "RPC006"
    title = "id used again while in flight"
    severity = "error"
    culprit = "sender"
    next = "use an id again only after its answer has come"
    spec = "2026-07-28/basic#requests"
    versions = MODERN_ONLY

    def request(self, seen: Seen) -> None:
        exchange = seen.exchange
        before = None if exchange is None or exchange.reuses != "open" else still_open(seen, exchange)
        if before is not None:
            reuse(self, seen, before)


class AnswersNothing(Rule):
    """An answer to a request that nobody sent.

    What it means: no request of the other side has this id.

    Why it matters: the answer is lost, and if a request was meant, it waits. Some clients end the
    connection on it.

    Fails:
        → "a1" ping
        ← 99 result {}

    Passes:
        → 1 tools/call {"name":"a"}
        → notifications/cancelled {"requestId":1}
        ← 1 result {"content":[]}

    What to do: return the id of the request as it came, in value and type; look for a second process that
    writes to the same stdout.
    """

    id = "RPC007"
    title = "answer to an unknown id"
    severity = "error"
    culprit = "sender"
    next = "return the request's id as it came; look for a second process that writes to the same stdout"
    spec = RESPONSES

    def astray(self, seen: Seen) -> None:
        if seen.item.role != "answers-nothing" or seen.message.id is None or not all_requests_known(seen):
            return
        if seen.side == "c2s" and seen.version in MODERN_ONLY:
            return  # a server of that era asks nothing, which is told as such (MOD015)
        waiting = alone_waiting(seen)
        told = f"{seen.sender} answered the id {short(seen.message.id)}, which no request has"
        hit = self.hit(seen, told + while_waiting(waiting), key=seen.side)
        if waiting is not None:
            explain(hit, waiting.seq)


class OtherType(Rule):
    """An answer whose id has another JSON type.

    What it means: the request's id came back as a string instead of a number, or the other way round.

    Why it matters: the official SDKs let it pass, strict clients wait for ever. It is a warning, and an
    error where the client cancelled the request afterwards.

    Fails:
        → "7" tools/list
        ← 7 result {"tools":[]}

    Passes:
        → "7" tools/list
        → 7 ping
        ← 7 result {}
        ← "7" result {"tools":[]}

    What to do: keep the id as raw JSON and return it unchanged.
    """

    id = "RPC008"
    title = "id comes back with another type"
    severity = "warning"
    culprit = "sender"
    next = "keep the id as it came, and return it unchanged"
    spec = RESPONSES

    def answer(self, seen: Seen) -> None:
        exchange = seen.item.exchange
        if exchange is None or not exchange.other_type:
            return
        asked, came = exchange.id, seen.message.id
        self.hit(
            (exchange.seq, seen.seq),
            f"{seen.sender} answered {called(exchange)}, id {short(asked)}, with the id {short(came)}: "
            "same value, other JSON type; strict clients wait for ever",
            key=change(seen, exchange, came),
            culprit="server" if seen.side == "s2c" else "client",
        )

    def notification(self, seen: Seen) -> None:
        exchange = seen.exchange
        if (
            exchange is None
            or not exchange.other_type
            or seen.message.method != "notifications/cancelled"
            or seen.side != exchange.side
        ):
            return
        for hit in self.hits.values():
            if exchange.answer_seq in hit.records:
                hit.severity = "error"
                hit.message = hit.message.partition("; strict")[0] + f"; the {seen.sender} then cancelled it"


class AnsweredTwice(Rule):
    """A request that was answered twice.

    What it means: there are two responses for one id.

    Why it matters: the second one is ignored, or taken for the answer to something else; some clients end
    the connection on it.

    Fails:
        → 1 tools/list
        ← 1 result {"tools":[]}
        ← 1 result {"tools":[]}

    Passes:
        → 1 tools/list
        ← 1 result {"tools":[]}
        → 2 tools/list
        ← 2 result {"tools":[]}

    What to do: answer once; look for an error path that goes on to the normal one.
    """

    id = "RPC009"
    title = "two answers to one request"
    severity = "error"
    culprit = "sender"
    next = "answer exactly once; look for an error path that goes on to the normal one"
    spec = RESPONSES

    def astray(self, seen: Seen) -> None:
        exchange = seen.exchange
        if seen.item.role != "answers-again" or exchange is None or not all_requests_known(seen):
            return
        first = () if exchange.answer_seq is None else (exchange.answer_seq,)
        waiting = alone_waiting(seen)
        told = f"{seen.sender} answered {called(exchange)} (id {short(exchange.id)}) a second time"
        hit = self.hit(
            (*first, seen.seq),
            told + while_waiting(waiting),
            key=f"{seen.side} {key_of(exchange)}",
            culprit="server" if seen.side == "s2c" else "client",
        )
        if waiting is not None:  # it may be the one that was meant
            explain(hit, waiting.seq)


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


def illegal(id: Any) -> str | None:
    """What an id is that is neither a string nor an integer (nor null); None where it is one."""
    if isinstance(id, bool):
        return "a boolean"
    if isinstance(id, float) and not id.is_integer():
        return "a number with a fraction"
    return {"array": "an array", "object": "an object"}.get(json_type(id))


def change(seen: Seen, exchange: Exchange, came: Any) -> str:
    """Which type has become which."""
    return f"{seen.side} {type_of(exchange.id)} as {type_of(came)}"


def type_of(id: Any) -> str:
    """string, integer, or number for what has a point."""
    return {str: "string", int: "integer", float: "number"}.get(type(id), "other")


RULES: tuple[type[Rule], ...] = (
    IdNull,
    IllegalId,
    IdUsedAgain,
    IdInFlight,
    AnswersNothing,
    OtherType,
    AnsweredTwice,
)
