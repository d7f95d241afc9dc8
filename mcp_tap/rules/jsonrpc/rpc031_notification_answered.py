"""RPC031: notification answered."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import replace
from itertools import islice
from typing import Any

from mcp_tap.diagnosis.asked import open_requests, other
from mcp_tap.diagnosis.context import Notification, SessionContext, UnmatchedResponse
from mcp_tap.diagnosis.departure import LeavingRule, Place
from mcp_tap.diagnosis.finding import Finding, Hit
from mcp_tap.diagnosis.text import called, named, said
from mcp_tap.model.exchange import Exchange
from mcp_tap.model.message import Message
from mcp_tap.rules.jsonrpc._base import NOTIFICATIONS

PARSE_ERROR = -32700
INVALID_REQUEST = -32600


class NotificationAnswered(LeavingRule):
    """A notification that was answered.

    What it means: right after a notification there is a response without an id, or with the id null.
    Notifications get no reply, whatever is wrong with them.

    Why it matters: strict clients take it for a malformed message and end the connection. It is a
    warning, or an error if the client left within two seconds without having used the server. A parse
    error may have the id null: a reply to a line that could not be read is not meant here.

    Fails:
        ← {"jsonrpc":"2.0","id":null,"error":{"code":-32601,"message":"Method not found"}}
        → 1 tools/list
        ← 1 result {"tools":[]}

    Passes:
        → notifications/roots/list_changed
        → 1 tools/list
        ← 1 result {"tools":[]}

    What to do: do not reply to a message without an id; ignore notifications that you do not know.
    """

    id = "RPC031"
    title = "notification answered"
    severity = "warning"
    culprit = "sender"
    next = "do not reply to a message without an id, known or not"
    spec = NOTIFICATIONS

    def __init__(self, context: SessionContext) -> None:
        super().__init__(context)
        self._last: dict[str, str] = {}
        """By side, the method of its last notification."""
        self._waiting: dict[Hashable, list[Exchange]] = {}
        """By finding, the requests that the first answer may have been for."""

    def notification(self, notification: Notification) -> None:
        self._last[notification.record.dir] = notification.message.method or ""

    def unmatched_response(self, response: UnmatchedResponse) -> None:
        message, asker, error = response.message, other(response.side), response.error
        method, code = self._last.get(asker), error.get("code")
        if message.id is not None or response.item.role != "answers-nothing" or method is None:
            return
        if not self.context.whole or self.context.session.foreign[asker] or code == PARSE_ERROR:
            return  # it may be about something that was not read
        waiting = [each for each in islice(open_requests(self.context), WAITING_KEPT) if each.side == asker]
        if any(each.id is None for each in waiting) or (waiting and code == INVALID_REQUEST):
            return
        how = answer_in_words(message, code)
        told = f"{response.sender} answered the notification {named(method)} with {how}"
        hit = self.hit(response, f"{told}; notifications get no reply", key=f"{response.side} {method}")
        self.places.setdefault(hit.key, Place.of(self.context, response.t, response.side))
        if hit.count == 1 and method not in words(error):
            self._waiting[hit.key] = waiting

    def finding(self, hit: Hit) -> Finding:
        found = super().finding(hit)
        open_ones = [each for each in self._waiting.get(hit.key, ()) if each.outcome == "open"]
        if not open_ones:
            return found
        # A server that loses the ids of its errors looks the same.
        return replace(
            found,
            certainty="heuristic",
            message=f"{found.message} (or it answered {called(open_ones[0])} without its id)",
        )


def answer_in_words(message: Message, code: object) -> str:
    """What was answered, for a sentence."""
    if message.kind != "error":
        return "a result"
    return "an error" if code is None else f"error {code} {said(message)}".rstrip()


WAITING_KEPT = 100
"""Open requests that are looked at."""


def words(error: dict[str, Any]) -> str:
    """The message of an error."""
    return str(error.get("message", ""))
