"""CAN002: request cancelled."""

from __future__ import annotations

from mcp_tap.diagnosis.context import Notification
from mcp_tap.diagnosis.rule import Rule
from mcp_tap.diagnosis.text import called, excerpt, key_of_request, quoted, seconds
from mcp_tap.model.methods import STAYS_OPEN
from mcp_tap.rules.utilities._cancellation import CANCELLATION, reason_of

USUAL_LIMIT_SECONDS = 60.0
"""The request timeout of the TypeScript SDK, and so of many clients."""

NEAR_SECONDS = 2.0
"""By which a wait may differ from that limit and still be taken for it."""

CANCELLED_OTHERWISE = STAYS_OPEN | {"initialize", "server/discover"}
"""Requests whose cancellation is their usual end, or is told elsewhere (LIF014, LIF016)."""


class Cancelled(Rule):
    """A request that was cancelled.

    What it means: the side that sent the request did not want to wait any longer.

    Why it matters: it is not a fault. After 60 s it is most likely the default timeout of the
    TypeScript SDK, which most clients use, rather than the user.

    Fails:
        → 5 tools/call {"name":"export"}
        4 → notifications/cancelled {"requestId":5,"reason":"user"}

    Passes:
        → 5 tools/call {"name":"export"}
        4 ← 5 result {"content":[]}

    What to do: if it was a timeout, make the call faster or report progress: clients can extend their
    limit for that. The client's limit can also be raised.
    """

    id = "CAN002"
    title = "request cancelled"
    severity = "info"
    culprit = "undecided"
    next = "nothing, if the user meant it; otherwise make the call faster or report progress"
    methods = frozenset({"notifications/cancelled"})
    spec = CANCELLATION

    def notification(self, cancelled: Notification) -> None:
        exchange = cancelled.exchange
        if cancelled.item.role != "cancels" or exchange is None or exchange.cancelled_t != cancelled.t:
            return
        if exchange.method in CANCELLED_OTHERWISE or self.context.closed:
            return  # or a server that drops its questions to a client that leaves
        waited, reason = cancelled.t - exchange.t, reason_of(cancelled)
        self.hit(
            (exchange.seq, cancelled.seq),
            f"{cancelled.sender} cancelled {called(exchange)} after {seconds(waited)}"
            + (f": {quoted(excerpt(reason))}" if reason else ""),
            key=f"{cancelled.sender} {key_of_request(exchange)}",
            next=AT_THE_LIMIT if abs(waited - USUAL_LIMIT_SECONDS) < NEAR_SECONDS else None,
        )


AT_THE_LIMIT = (
    "60 s is the default timeout of the TypeScript SDK: report progress, make the call faster, or raise "
    "the client's limit"
)
