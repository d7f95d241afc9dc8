"""A request and what became of it."""

from __future__ import annotations

from collections.abc import Hashable
from typing import Any, Literal

from mcp_tap.model.message import Message, Side
from mcp_tap.model.methods import STAYS_OPEN, Era

Outcome = Literal["open", "result", "error", "tool-error", "input-required"]


class Exchange:
    """A request and what became of it; filled in as the session goes on.

    Times are seconds of the session; sizes are bytes of the lines. ``waited`` is the time in which
    the one call that was open waited for the client (sampling, elicitation, roots); ``within`` is
    that call, in the server's request. ``previous`` is the round trip before this one where a server
    asked for input and the client tried again (2026-07-28, multi-round-trip requests): the round trips
    are one call, and ``earlier_time`` is what the server has spent on those before. ``era`` and
    ``version`` are the request's own, not the session's: a server may serve both eras at once
    (``initialize`` has the version that it offers, and once answered the one agreed on). ``reuses``
    says whether the id was in use before, by a request that is still open or one that is answered.
    ``pages_on`` is whether a further page of a list is asked for. ``logs`` counts the log messages
    that can have been sent for this call alone. ``asking`` counts the requests of the server, made
    for this call, that the client has not answered. ``params`` are its parameters while
    it is open and at its answer, where they are not large; ``asked`` are those that its next round trip
    must repeat, kept while it is open; ``fingerprint`` is equal for round trips that do.
    """

    # What few requests have is a default of the class: making one of these is what a reader does most.
    progress_token: Hashable = None
    outcome: Outcome = "open"
    answer_seq: int | None = None
    answer_t: float | None = None
    answer_size: int = 0
    cancelled_t: float | None = None
    answers: int = 0
    progress: int = 0
    other_type: bool = False
    waited: float = 0.0
    previous: Exchange | None = None
    era: Era = "legacy"
    reuses: Literal["open", "answered"] | None = None
    within: Exchange | None = None
    pages_on: bool = False
    logs: int = 0
    earlier_time: float = 0.0
    asking: int = 0
    asking_since: float = 0.0
    params: dict[str, Any] | None = None
    asked: dict[str, Any] | None = None
    fingerprint: Hashable = None

    def __init__(
        self,
        side: Side,
        id: object,
        method: str,
        target: str | None,
        seq: int,
        t: float,
        size: int,
        version: str | None = None,
    ) -> None:
        self.side: Side = side
        self.id = id
        self.method = method
        self.target = target
        self.seq = seq
        self.t = t
        self.size = size
        self.version = version

    @property
    def latency(self) -> float | None:
        """Seconds from the request to its answer; None while there is none."""
        return None if self.answer_t is None else self.answer_t - self.t

    @property
    def own_time(self) -> float | None:
        """The answering side's own seconds: without what it waited for the client, over all round trips."""
        if self.answer_t is None:
            return None
        return max(0.0, self.answer_t - self.t - self.waited) + self.earlier_time

    @property
    def is_late(self) -> bool:
        """Whether the answer came after the asker had given up."""
        return self.answer_t is not None and self.cancelled_t is not None  # nothing answered is cancelled

    @property
    def may_stay_open(self) -> bool:
        """Whether no answer is no finding: subscriptions, and what was cancelled."""
        return self.method in STAYS_OPEN or self.cancelled_t is not None

    def asks(self, t: float) -> None:
        """Note that the server has asked the client something for this call."""
        if self.asking == 0:
            self.asking_since = t
        self.asking += 1

    def is_answered(self, t: float, answers: int = 1) -> None:
        """Note that so many of those questions are settled; time is counted once for all of them."""
        if self.asking:
            self.asking -= answers
            if self.asking == 0:
                self.waited += max(0.0, t - self.asking_since)


Role = Literal["asks", "answers", "answers-again", "answers-nothing", "cancels", "reports", "tells"]
"""What a message does: opens an exchange, answers one (or one already answered, or none),
cancels one, reports its progress, or stands for itself."""


class Paired:
    """A message, and the exchange that it belongs to; not to be changed.

    What only ``tells`` has one too where it is known: a log message's call, a notification's
    subscription, the answered request that is cancelled too late, the open one that was to be
    answered by a line that is not JSON.
    """

    __slots__ = ("exchange", "message", "role")

    def __init__(self, message: Message, role: Role, exchange: Exchange | None = None) -> None:
        self.message = message
        self.role: Role = role
        self.exchange = exchange

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Paired) and self._all() == other._all()

    __hash__ = None  # type: ignore[assignment]  # as that of any value that holds JSON

    def _all(self) -> tuple[Message, Role, Exchange | None]:
        return (self.message, self.role, self.exchange)


def outcome_of(message: Message) -> Outcome:
    """What an answer says."""
    if message.kind == "error":
        return "error"
    result = message.value["result"]
    if type(result) is dict:
        if "isError" in result and result["isError"] is True:
            return "tool-error"
        if "resultType" in result and result["resultType"] == "input_required":
            return "input-required"
    return "result"


def spelled(value: object) -> str | None:
    """An id without its JSON type; None for what cannot be an id in any."""
    if isinstance(value, bool) or not isinstance(value, (int, float, str)):
        return None
    return str(int(value)) if isinstance(value, float) and value.is_integer() else str(value)
