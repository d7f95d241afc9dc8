"""Whether a client left because of something: what was seen of it, not what it may have thought."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass, replace

from mcp_tap.diagnosis.context import SessionContext
from mcp_tap.diagnosis.finding import Finding, Hit
from mcp_tap.diagnosis.rule import Rule
from mcp_tap.diagnosis.text import called, seconds
from mcp_tap.model.message import Side
from mcp_tap.record.reader import Record

LEFT_SOON_SECONDS = 2.0
"""Within which a client that leaves after something odd may have left because of it: strict hosts end the
connection as soon as they read it."""

SENT_UNREAD = frozenset({"initialize", "server/discover", "notifications/cancelled"})
"""What a client says that need not have read anything before: its first words, and its last."""

OPENING = frozenset({"initialize", "server/discover", "ping"})
"""Requests whose answer is of no use by itself."""

READY = "notifications/initialized"


@dataclass(frozen=True, slots=True)
class Place:
    """A moment of the session: how many messages the client had sent, which of those that prove nothing.

    ``early`` is whether that side had not said any message before, ``late`` whether the client had closed.
    """

    t: float
    sent: int
    unread: frozenset[str]
    early: bool
    late: bool

    @classmethod
    def of(cls, context: SessionContext, t: float, side: Side) -> Place:
        """Now."""
        session = context.session
        early = context.whole and not session.messages[side] and session.era != "modern"
        late = context.client_closed_t is not None and t >= context.client_closed_t
        return cls(t, session.messages["c2s"], SENT_UNREAD & session.methods, early, late)


class Closing:
    """How things stood when the client closed the connection, if it has."""

    def __init__(self) -> None:
        self.at: Place | None = None
        self.how = ""
        self.waiting_for: str | None = None

    def look(self, context: SessionContext) -> None:
        """Note how things stand if the client closes just now, of its own accord."""
        t = context.client_closed_t
        if self.at is not None or t is None:
            return
        self.at = Place.of(context, t, "c2s")
        if server_is_gone(context):
            return
        self.how = {"eof": "closed stdin", "broken pipe": "stopped reading"}.get(
            context.client_closed_by or "", f"sent {context.client_closed_by}"
        )
        self.waiting_for = unfinished(context)

    def after(self, place: Place) -> str | None:
        """What the client did after ``place``, if it left soon, said nothing more, and was not done.

        The end of a sentence: ``; the client closed stdin 0.20 s later, with initialize unanswered``.
        """
        at = self.at
        if (
            at is None
            or self.waiting_for is None
            or place.late
            or not 0 <= at.t - place.t < LEFT_SOON_SECONDS
        ):
            return None
        if at.sent - place.sent > len(at.unread - place.unread):
            return None  # it went on after it had read that
        return f"; the client {self.how} {seconds(at.t - place.t)} later, {self.waiting_for}"


class LeavingRule(Rule):
    """A rule whose findings are errors where the client left right after the first of them.

    ``places`` are those of the first of each, by its key.
    """

    def __init__(self, context: SessionContext) -> None:
        super().__init__(context)
        self.places: dict[Hashable, Place] = {}

    def event(self, record: Record) -> None:
        self.context.shared(Closing).look(self.context)

    def finding(self, hit: Hit) -> Finding:
        found, place = super().finding(hit), self.places.get(hit.key)
        left = None if place is None else self.context.shared(Closing).after(place)
        return found if left is None else replace(found, severity="error", message=found.message + left)


def server_is_gone(context: SessionContext) -> bool:
    """Whether the server's end came first."""
    life = context.life
    return "s2c" in life.ends or "c2s" in life.breaks or life.exit is not None


def unfinished(context: SessionContext) -> str | None:
    """What a client that leaves now has not got: the end of a sentence; None where it may be content."""
    session = context.session
    if not context.whole:
        return None
    waiting = next(
        (each for each in session.pairing.open.values() if each.side == "c2s" and not each.may_stay_open),
        None,
    )
    if waiting is not None:
        return f"with {called(waiting)} unanswered"
    if "initialize" in session.methods and READY not in session.methods:
        return "before the handshake was complete"
    asked = OPENING & session.methods
    if asked <= {"server/discover"} or context.answered > len(asked):
        return None  # a probe, or a client that has got something
    return "before it had got anything but the handshake"
