"""CAN001-003: requests that were cancelled, and what came of it (MCP basic/utilities/cancellation)."""

from __future__ import annotations

import re
from collections import OrderedDict
from typing import Any

from mcp_tap.model.exchange import Exchange
from mcp_tap.model.message import id_key
from mcp_tap.model.methods import STAYS_OPEN
from mcp_tap.rules.case import Case, Seen, plural, quoted, seconds
from mcp_tap.rules.facts.asked import (
    HELD_REQUESTS,
    asker_of,
    called,
    explain,
    is_masked,
    key_of,
    named,
    other,
    short,
)
from mcp_tap.rules.rule import Rule, excerpt

CANCELLATION = "2025-11-25/basic/utilities/cancellation"

RACE_SECONDS = 1.0
"""Within which an answer and a cancellation may cross on their way."""

USUAL_LIMIT_SECONDS = 60.0
"""The request timeout of the TypeScript SDK, and so of many clients."""

NEAR_SECONDS = 2.0
"""By which a wait may differ from that limit and still be taken for it."""

TIMED_OUT = re.compile(r"time[ds]?[ _-]?out|deadline", re.IGNORECASE)
"""How clients say that they have waited long enough; the reason is free text."""


CANCELLED_OTHERWISE = STAYS_OPEN | {"initialize", "server/discover"}
"""Requests whose cancellation is their usual end, or is told elsewhere (LIF014, LIF016)."""


def is_id(value: Any) -> bool:
    """Whether ``value`` can name a request; anything else is the matter of RPC024."""
    return isinstance(value, (int, float, str)) and not isinstance(value, bool) and not is_masked(value)


def reason_of(seen: Seen) -> str:
    """Why it was cancelled, as the canceller says."""
    reason = seen.params.get("reason")
    return reason if isinstance(reason, str) and not is_masked(reason) else ""


class UnknownCancelled(Rule):
    """A cancellation of nothing.

    What it means: `notifications/cancelled` names a request that its sender had not open: it was
    answered more than a second before, it was never sent, or it is the other side's.

    Why it matters: what was to be stopped goes on, since nobody knows that it was meant. An id of
    another JSON type (5 for "5") does the same.

    Fails:
        → notifications/cancelled {"requestId":9}

    Fails:
        → 5 prompts/list
        ← 5 result {"prompts":[]}
        4 → notifications/cancelled {"requestId":5}

    Passes:
        → 5 prompts/list
        ← 5 result {"prompts":[]}
        → notifications/cancelled {"requestId":5}

    What to do: cancel by the id of the request as it was sent, and only while there is no answer.
    """

    id = "CAN001"
    title = "cancellation of a request that is not open"
    severity = "warning"
    culprit = "sender"
    next = "cancel only requests of one's own that are still open, by the id as it was sent"
    methods = frozenset({"notifications/cancelled"})
    spec = CANCELLATION + "#behavior-requirements"

    def notification(self, seen: Seen) -> None:
        id = seen.params.get("requestId")
        if seen.item.role == "cancels" or not is_id(id) or not self._is_certain(seen):
            return
        answered = seen.exchange
        if answered is not None:
            late = seen.t - (answered.answer_t if answered.answer_t is not None else seen.t)
            if late > RACE_SECONDS:
                what = f"{seen.sender} cancelled {called(answered)} {seconds(late)} after its answer"
                self.hit((answered.seq, seen.seq), what, key="answered", culprit=asker_of(answered))
            return
        open = self.case.session.pairing.open
        theirs = open.get((other(seen.side), id_key(id)))
        if theirs is not None:
            what = f"{called(theirs)} of the {seen.receiver}: only who has sent a request can cancel it"
            self.hit(seen, f"{seen.sender} cancelled {what}", key="of the other side")
        else:
            what = f"{seen.sender} cancelled request {short(id)}, but had no request with this id open"
            self.hit(seen, what, key="unknown")

    def _is_certain(self, seen: Seen) -> bool:
        """Whether all requests of the canceller are on file, and could be read."""
        return self.case.whole and not self.case.session.foreign[seen.side]


class Cancelled(Rule):
    """A request was cancelled.

    What it means: the side that had sent the request did not want to wait any longer.

    Why it matters: it is no fault. After 60 s it is most likely the default timeout of the TypeScript
    SDK, which most clients use, and not the user.

    Fails:
        → 5 tools/call {"name":"export"}
        4 → notifications/cancelled {"requestId":5,"reason":"user"}

    Passes:
        → 5 tools/call {"name":"export"}
        4 ← 5 result {"content":[]}

    What to do: if it was a timeout, make the call faster, or report progress: clients can extend
    their limit for it. A client can raise the limit.
    """

    id = "CAN002"
    title = "request cancelled"
    severity = "info"
    culprit = "undecided"
    next = "nothing, if the user meant it; else make the call faster or report progress"
    methods = frozenset({"notifications/cancelled"})
    spec = CANCELLATION

    def notification(self, seen: Seen) -> None:
        exchange = seen.exchange
        if seen.item.role != "cancels" or exchange is None or exchange.cancelled_t != seen.t:
            return
        if exchange.method in CANCELLED_OTHERWISE:
            return
        if self.case.closed:
            return  # a server that drops its questions to a client that leaves
        waited, reason = seen.t - exchange.t, reason_of(seen)
        self.hit(
            (exchange.seq, seen.seq),
            f"{seen.sender} cancelled {called(exchange)} after {seconds(waited)}"
            + (f": {quoted(excerpt(reason))}" if reason else ""),
            key=f"{seen.sender} {key_of(exchange)}",
            next=AT_THE_LIMIT if abs(waited - USUAL_LIMIT_SECONDS) < NEAR_SECONDS else None,
        )


AT_THE_LIMIT = (
    "60 s is the default timeout of the TypeScript SDK: report progress, make the call faster, or raise "
    "the client's limit"
)


class LateAnswer(Rule):
    """An answer that came after the request was cancelled.

    What it means: the work was done, and nobody wanted the result any more.

    Why it matters: after a timeout the user sees "Request timed out", although the server has
    finished, and the work is lost: a warning. After any other cancellation, an answer within a second
    is a race that cannot be avoided and is not told; a later one says that the handler did not stop.

    Fails:
        1 → 5 tools/call {"name":"export"}
        61 → notifications/cancelled {"requestId":5,"reason":"timed out"}
        62.4 ← 5 result {"content":[{"type":"text","text":"done"}]}

    Passes:
        1 → 5 tools/call {"name":"export"}
        2 → notifications/cancelled {"requestId":5,"reason":"user"}
        2.2 ← 5 result {"content":[{"type":"text","text":"done"}]}

    What to do: make the call faster, answer at once and let the rest be asked for later, or report
    progress if the client sends a progressToken: most clients extend their limit for it. Raise the
    client's limit. In the server, stop the work when it is cancelled.
    """

    id = "CAN003"
    title = "answer after the request was cancelled"
    severity = "info"
    culprit = "undecided"
    next = "stop the work when it is cancelled"
    spec = CANCELLATION + "#timing-considerations"

    def __init__(self, case: Case) -> None:
        super().__init__(case)
        self._cancelled: OrderedDict[Exchange, tuple[int, str]] = OrderedDict()
        """The record that cancelled a request, and the reason."""

    def notification(self, seen: Seen) -> None:
        if seen.item.role != "cancels" or seen.exchange is None or seen.exchange in self._cancelled:
            return
        self._cancelled[seen.exchange] = (seen.seq, reason_of(seen))
        if len(self._cancelled) > HELD_REQUESTS:
            self._cancelled.popitem(last=False)

    def answer(self, seen: Seen) -> None:
        exchange = seen.exchange
        if exchange is None or not self._cancelled or exchange not in self._cancelled:
            return
        seq, reason = self._cancelled.pop(exchange)
        # Some servers confirm by an error ("Request cancelled"): that is no work that was lost.
        if seen.message.kind != "error" and exchange.cancelled_t is not None:
            self._judge(seen, exchange, seq, reason, exchange.cancelled_t)

    def _judge(self, seen: Seen, exchange: Exchange, seq: int, reason: str, gave_up_t: float) -> None:
        waited, late = gave_up_t - exchange.t, seen.t - gave_up_t
        timed_out = TIMED_OUT.search(reason) or waited >= self.case.thresholds.near_timeout_seconds
        if not timed_out and late <= RACE_SECONDS:
            return
        asker = asker_of(exchange)
        what = named(exchange.target) if exchange.target is not None else exchange.method
        if timed_out:
            message = (
                f"{asker} gave up on {what} after {seconds(waited)}; the answer came {seconds(late)} later"
            )
            message += about_progress(exchange) if exchange.side == "c2s" else ""
        else:
            message = (
                f"{asker} cancelled {what} after {seconds(waited)}, the answer came {seconds(late)} later"
            )
        hit = self.hit(
            (exchange.seq, seq, seen.seq),
            message,
            key=f"{key_of(exchange)} {'timed out' if timed_out else 'cancelled'}",
            severity="warning" if timed_out else "info",
            next=None if not timed_out else FASTER if exchange.side == "c2s" else ANSWER_FASTER,
        )
        explain(hit, exchange.seq, seq, seen.seq)


FASTER = "make the call faster or report progress, or raise the client's request timeout"

ANSWER_FASTER = "let the client answer the server's requests at once, or raise the server's limit for them"


def about_progress(exchange: Exchange) -> str:
    """Whether progress could have made the client wait longer."""
    if exchange.progress_token is None:
        return ". No progressToken was sent, so progress cannot extend the limit"
    if not exchange.progress:
        return ". A progressToken was sent, but no progress was reported"
    return f", in spite of {plural(exchange.progress, 'progress notification')}"


RULES: tuple[type[Rule], ...] = (UnknownCancelled, Cancelled, LateAnswer)
