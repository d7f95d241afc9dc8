"""CAN003: answer after the request was cancelled."""

from __future__ import annotations

import re

from mcp_tap.diagnosis.asked import HELD_REQUESTS, asker_of, explain
from mcp_tap.diagnosis.bounded import Latest
from mcp_tap.diagnosis.context import Answer, Notification, SessionContext
from mcp_tap.diagnosis.interest import sees
from mcp_tap.diagnosis.recognise.irregular import is_irregular
from mcp_tap.diagnosis.rule import Rule
from mcp_tap.diagnosis.text import key_of_request, named, plural, seconds
from mcp_tap.model.exchange import Exchange
from mcp_tap.record.patterns import lazy
from mcp_tap.rules.utilities._cancellation import CANCELLATION, RACE_SECONDS, reason_of

TIMED_OUT = lazy(r"time[ds]?[ _-]?out|deadline", re.IGNORECASE)
"""How clients say that they have waited long enough; the reason is free text."""


class LateAnswer(Rule):
    """An answer that came after the request was cancelled.

    What it means: the work was done, but the result was no longer wanted.

    Why it matters: after a timeout the user sees "Request timed out", although the server has finished,
    and the work is lost: that is a warning. After any other cancellation, an answer within a second is
    an unavoidable race and is not reported; a later one means that the handler did not stop.

    Fails:
        1 → 5 tools/call {"name":"export"}
        61 → notifications/cancelled {"requestId":5,"reason":"timed out"}
        62.4 ← 5 result {"content":[{"type":"text","text":"done"}]}

    Passes:
        1 → 5 tools/call {"name":"export"}
        2 → notifications/cancelled {"requestId":5,"reason":"user"}
        2.2 ← 5 result {"content":[{"type":"text","text":"done"}]}

    What to do: make the call faster, answer at once and let the rest be requested later, or report
    progress if the client sends a progressToken: most clients then extend their limit. Raise the
    client's limit. In the server, stop the work when it is cancelled.
    """

    id = "CAN003"
    title = "answer after the request was cancelled"
    severity = "info"
    culprit = "undecided"
    next = "stop the work when it is cancelled"
    spec = CANCELLATION + "#timing-considerations"

    def __init__(self, context: SessionContext) -> None:
        super().__init__(context)
        self._cancelled: Latest[Exchange, tuple[int, str]] = Latest(HELD_REQUESTS)
        """The record that cancelled a request, and the reason."""

    @sees(methods="notifications/cancelled")
    def notification(self, cancelled: Notification) -> None:
        exchange = cancelled.exchange
        if cancelled.item.role == "cancels" and exchange is not None and exchange not in self._cancelled:
            self._cancelled[exchange] = (cancelled.seq, reason_of(cancelled))

    @sees(sign=is_irregular)
    def answer(self, answer: Answer) -> None:
        exchange = answer.exchange
        if exchange not in self._cancelled:
            return
        seq, reason = self._cancelled.pop(exchange)
        # Some servers confirm by an error ("Request cancelled"): that is no work that was lost.
        if exchange.outcome != "error" and exchange.cancelled_t is not None:
            self._judge(answer, seq, reason, exchange.cancelled_t)

    def _judge(self, answer: Answer, seq: int, reason: str, gave_up_t: float) -> None:
        exchange = answer.exchange
        waited, late = gave_up_t - exchange.t, answer.t - gave_up_t
        timed_out = TIMED_OUT.search(reason) or waited >= self.context.thresholds.near_timeout_seconds
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
                f"{asker} cancelled {what} after {seconds(waited)}; the answer came {seconds(late)} later"
            )
        hit = self.hit(
            (exchange.seq, seq, answer.seq),
            message,
            key=f"{key_of_request(exchange)} {'timed out' if timed_out else 'cancelled'}",
            severity="warning" if timed_out else "info",
            next=None if not timed_out else FASTER if exchange.side == "c2s" else ANSWER_FASTER,
        )
        explain(hit, exchange.seq, seq, answer.seq)


FASTER = "make the call faster or report progress, or raise the client's request timeout"

ANSWER_FASTER = "make the client answer the server's requests at once, or raise the server's limit for them"


def about_progress(exchange: Exchange) -> str:
    """Whether progress could have made the client wait longer."""
    if exchange.progress_token is None:
        return ". No progressToken was sent, so progress cannot extend the limit"
    if not exchange.progress:
        return ". A progressToken was sent, but no progress was reported"
    return f", despite {plural(exchange.progress, 'progress notification')}"
