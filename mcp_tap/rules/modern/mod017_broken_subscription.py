"""MOD017: subscription that does not go by its rules."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass
from typing import Any
from urllib.parse import unquote

from mcp_tap.diagnosis.asked import is_masked
from mcp_tap.diagnosis.bounded import Latest
from mcp_tap.diagnosis.context import EVERY, MODERN_ONLY, Answer, Notification, Request, SessionContext
from mcp_tap.diagnosis.interest import sees
from mcp_tap.model.exchange import Exchange
from mcp_tap.model.message import id_key
from mcp_tap.model.methods import SUBSCRIPTION_KEY
from mcp_tap.model.pairing import twins
from mcp_tap.rules.modern._base import KEPT, OfModernConnection, has_no_handshake, shown

ACKNOWLEDGED = "notifications/subscriptions/acknowledged"

ASKED_BY: dict[str, str] = {
    "notifications/tools/list_changed": "toolsListChanged",
    "notifications/prompts/list_changed": "promptsListChanged",
    "notifications/resources/list_changed": "resourcesListChanged",
    "notifications/resources/updated": "resourceSubscriptions",
}
"""By which member of its ``notifications`` a subscription asks for a notification."""


@dataclass(slots=True, eq=False)
class Stream:
    """An open subscription; ``asked`` is its filter, None where that cannot be read."""

    asked: dict[str, Any] | None
    acknowledged: bool = False

    def wants(self, method: str, uri: Any) -> bool:
        """Whether it asks for what is told; a URI need only resemble one that it names."""
        if self.asked is None:
            return True
        wanted = self.asked.get(ASKED_BY[method])
        if method != "notifications/resources/updated":
            return bool(wanted)
        if not isinstance(wanted, list) or not isinstance(uri, str) or is_masked(uri):
            return wanted is not None and not isinstance(wanted, bool)
        return any(is_like(uri, one) for one in wanted)


def is_like(uri: str, other: Any) -> bool:
    """Whether two URIs may mean the same resource, or one a part of the other."""
    if not isinstance(other, str) or is_masked(other):
        return True
    one, two = (unquote(each).casefold().rstrip("/") for each in (uri, other))
    return one.startswith(two) or two.startswith(one)


class BrokenSubscription(OfModernConnection):
    """A subscription that does not go by its rules.

    What it means: since 2026-07-28 a server tells of changes only on a subscription
    (`subscriptions/listen`), which it acknowledges first. Each notification carries the id of that
    request as `io.modelcontextprotocol/subscriptionId` in `params._meta`, and is of a type that was
    asked for there. One of this was not so.

    Why it matters: all subscriptions share one channel. A client cannot tell what a notification
    belongs to, drops it, and goes on with an old list.

    Fails, 2026-07-28:
        → 5 subscriptions/listen {"notifications":{"toolsListChanged":true}}
        ← notifications/subscriptions/acknowledged {"notifications":{"toolsListChanged":true},
            "_meta":{"io.modelcontextprotocol/subscriptionId":5}}
        ← notifications/tools/list_changed

    Passes, 2026-07-28:
        → 5 subscriptions/listen {"notifications":{"toolsListChanged":true}}
        ← notifications/subscriptions/acknowledged {"notifications":{"toolsListChanged":true},
            "_meta":{"io.modelcontextprotocol/subscriptionId":5}}
        ← notifications/tools/list_changed {"_meta":{"io.modelcontextprotocol/subscriptionId":5}}
        ← 5 result {"resultType":"complete","_meta":{"io.modelcontextprotocol/subscriptionId":5}}

    What to do: acknowledge first, send only what was asked for, and give each notification the id
    of its `subscriptions/listen` request, in its JSON type.
    """

    id = "MOD017"
    title = "subscription that does not go by its rules"
    severity = "error"
    culprit = "server"
    next = "acknowledge first, send what was asked for, and give each notification its subscriptionId"
    methods = frozenset({"subscriptions/listen", ACKNOWLEDGED, *ASKED_BY})
    versions = EVERY  # of which era the connection is, may show only later
    spec = "2026-07-28/basic/patterns/subscriptions"

    def __init__(self, context: SessionContext) -> None:
        super().__init__(context)
        self.streams: Latest[Exchange, Stream] = Latest(KEPT)
        self.ended: Latest[Hashable, bool] = Latest(KEPT)
        """Ids of subscriptions that were answered, and whether the client had given them up before."""

    @sees(sides="c2s")
    def request(self, request: Request) -> None:
        if request.version in MODERN_ONLY:
            asked = request.params.get("notifications")
            self.streams[request.exchange] = Stream(asked if isinstance(asked, dict) else None)

    @sees(sides="s2c")
    def answer(self, answer: Answer) -> None:
        exchange = answer.exchange
        stream = self.streams.pop(exchange, None)
        if stream is None:
            return
        given_up = exchange.cancelled_t is not None or self.context.closed
        self.ended[id_key(exchange.id)] = given_up
        if stream.acknowledged or given_up or answer.message.kind != "response":
            return
        self.tell(
            answer.seq, "server ended a subscription that it had never acknowledged", key="never acknowledged"
        )

    @sees(sides="s2c")
    def notification(self, notification: Notification) -> None:
        method, exchange, proof = notification.message.method or "", notification.exchange, self.context.proof
        if notification.version is None:
            return
        stream = None if exchange is None else self.streams.get(exchange)
        if method == ACKNOWLEDGED and stream is not None and not proof.shown:
            proof.show()
        if has_no_handshake(self.context) and not self.context.session.foreign["c2s"]:
            if stream is None:
                self._without_stream(notification, method)
            elif exchange is not None and exchange.cancelled_t is None:
                self._on_stream(notification, method, stream)

    def _without_stream(self, notification: Notification, method: str) -> None:
        """A notification that belongs to no open subscription."""
        id, seq = notification.message.meta.get(SUBSCRIPTION_KEY), notification.seq
        if id is None:
            self.tell(seq, f"server sent {method} without a subscriptionId", key=f"{method} missing")
            waiting = [stream for stream in self.streams.values() if not stream.acknowledged]
            if method == ACKNOWLEDGED and len(waiting) == 1:
                waiting[0].acknowledged = True  # no other can be meant
        elif not is_masked(id) and not self.streams.forgot and not self.ended.forgot:
            why = self._why_unknown(notification, id)
            if why is not None:
                self.tell(seq, f"server sent {method} for the subscription {shown(id)}, {why}", key=why)

    def _why_unknown(self, notification: Notification, id: Any) -> str | None:
        """Why there is no open subscription with this id; None where that is nobody's fault."""
        if notification.exchange is not None:
            return "which is the id of another request"
        key = id_key(id)
        if key in self.ended:
            return None if self.ended[key] else "which it had ended before"
        like = twins(key)
        if any(id_key(exchange.id) in like for exchange in self.streams):
            return "whose id has another JSON type"
        return "which no request has opened"

    def _on_stream(self, notification: Notification, method: str, stream: Stream) -> None:
        seq = notification.seq
        if method == ACKNOWLEDGED:
            stream.acknowledged = True
            return
        if not stream.acknowledged:
            stream.acknowledged = True  # said once for each
            self.tell(seq, f"server sent {method} before it acknowledged the subscription", key="before")
        if not stream.wants(method, notification.params.get("uri")):
            told = f"server sent {method} on a subscription that did not ask for it"
            self.tell(seq, told, key=f"{method} not asked for")
