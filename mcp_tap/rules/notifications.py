"""RPC015, 016, 031: messages that lack an id, or have one too many (MCP basic#notifications)."""

from __future__ import annotations

from dataclasses import replace
from itertools import islice
from typing import Any

from mcp_tap.model.methods import METHODS
from mcp_tap.rules.case import Case, Seen, quoted
from mcp_tap.rules.facts.asked import called, named, open_requests, other
from mcp_tap.rules.facts.departure import LeavingRule, Place
from mcp_tap.rules.facts.faulty import FaultyMessages
from mcp_tap.rules.finding import Finding, Hit
from mcp_tap.rules.rule import Rule, excerpt

REQUESTS = "2025-11-25/basic#requests"
NOTIFICATIONS = "2025-11-25/basic#notifications"

PARSE_ERROR = -32700
INVALID_REQUEST = -32600


class NotificationWithId(FaultyMessages):
    """A notification with an id.

    What it means: a message whose method begins with notifications/ has an id, which makes it a request.

    Why it matters: the peer does not know such a request, and answers it with an error, or not at all. A
    notification that arrives as a request has no effect.

    Fails, from the start:
        → 0 initialize …
        ← 0 result …
        → 1 notifications/initialized
        ← 1 error -32601 "Method not found"

    Passes:
        → 1 tools/call {"name":"x"}
        → notifications/cancelled {"requestId":1}

    What to do: leave the id out.
    """

    id = "RPC015"
    title = "notification with an id"
    severity = "error"
    culprit = "sender"
    next = "leave the id out"
    spec = NOTIFICATIONS

    def request(self, seen: Seen) -> None:
        method = seen.item.message.method
        if method is not None and method.startswith("notifications/"):
            hit = self.hit(
                seen,
                f"{seen.sender} sent {named(method)} with an id, as a request",
                key=f"{seen.side} {method}",
            )
            self.hold(seen, hit)


class RequestWithoutId(Rule):
    """A request without an id.

    What it means: a method that asks for an answer was sent without an id, as a notification.

    Why it matters: nobody answers a notification. Whoever sent it waits for ever, or never gets what it
    asked for.

    Fails:
        → tools/list

    Passes:
        → 1 tools/list
        ← 1 result {"tools":[]}

    What to do: give it an id, a number or a string that was not used before.
    """

    id = "RPC016"
    title = "request without an id"
    severity = "error"
    culprit = "sender"
    next = "give it an id: a number or a string that was not used before"
    spec = REQUESTS

    def notification(self, seen: Seen) -> None:
        method = METHODS.get(seen.message.method or "")
        if method is not None and method.kind == "request":
            told = (
                f"{seen.sender} sent {named(seen.message.method or '')} without an id: it cannot be answered"
            )
            self.hit(seen, told, key=f"{seen.side} {method}")


class NotificationAnswered(LeavingRule):
    """A notification was answered.

    What it means: right after a notification there is a response without an id, or with the id null.
    Notifications get no reply, whatever is wrong with them.

    Why it matters: strict clients take it for a broken message and end the connection. It is a warning,
    and an error where the client left within two seconds and had not used the server. A parse
    error may have the id null: what follows a line that could not be read is not meant here.

    Fails:
        ← {"jsonrpc":"2.0","id":null,"error":{"code":-32601,"message":"Method not found"}}
        → 1 tools/list
        ← 1 result {"tools":[]}

    Passes:
        → notifications/roots/list_changed
        → 1 tools/list
        ← 1 result {"tools":[]}

    What to do: say nothing to a message that has no id; an unknown notification is ignored.
    """

    id = "RPC031"
    title = "notification answered"
    severity = "warning"
    culprit = "sender"
    next = "send no reply to a message without an id, known or not"
    spec = NOTIFICATIONS

    def __init__(self, case: Case) -> None:
        super().__init__(case)
        self._last: dict[str, str] = {}
        """By side, the method of its last notification."""

    def notification(self, seen: Seen) -> None:
        self._last[seen.record.dir] = seen.item.message.method or ""

    def astray(self, seen: Seen) -> None:
        message, asker = seen.message, other(seen.side)
        method, code = self._last.get(asker), seen.error.get("code")
        if message.id is not None or seen.item.role != "answers-nothing" or method is None:
            return
        if not self.case.whole or self.case.session.foreign[asker] or code == PARSE_ERROR:
            return  # it may be about something that was not read
        waiting = [each for each in islice(open_requests(self.case), WAITING_KEPT) if each.side == asker]
        if any(each.id is None for each in waiting) or (waiting and code == INVALID_REQUEST):
            return
        how = f"error {code} {quoted(excerpt(words(seen.error)))}" if message.kind == "error" else "a result"
        hit = self.hit(
            seen,
            f"{seen.sender} answered the notification {named(method)} with {how}; notifications get no reply",
            key=f"{seen.side} {method}",
        )
        hit.facts.setdefault("place", Place.of(self.case, seen.t, seen.side))
        if hit.count == 1 and method not in words(seen.error):
            hit.facts["waiting"] = waiting

    def finding(self, hit: Hit) -> Finding:
        found, waiting = super().finding(hit), hit.facts.get("waiting")
        open_ones = [each for each in waiting if each.outcome == "open"] if isinstance(waiting, list) else []
        if not open_ones:
            return found
        # A server that loses the ids of its errors looks the same.
        return replace(
            found,
            certainty="heuristic",
            message=f"{found.message} (or it answered {called(open_ones[0])} without its id)",
        )


WAITING_KEPT = 100
"""Open requests that are looked at."""


def words(error: dict[str, Any]) -> str:
    """The message of an error."""
    return str(error.get("message", ""))


RULES: tuple[type[Rule], ...] = (NotificationWithId, RequestWithoutId, NotificationAnswered)
