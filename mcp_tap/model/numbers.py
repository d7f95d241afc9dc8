"""Counts, latencies and sizes of the calls in any number of sessions.

Fed with what the model has paired, one session after another or interleaved. What is kept is a
row for each method and target, and eight bytes for each latency: percentiles are exact (nearest
rank), and a recording of a million records takes a few megabytes.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable
from dataclasses import dataclass, field

from mcp_tap.model.exchange import Exchange, Paired
from mcp_tap.model.message import Side
from mcp_tap.model.session import Session
from mcp_tap.model.step import Step
from mcp_tap.record.reader import Record

BY_TARGET = frozenset(
    {
        "tools/call",
        "prompts/get",
        "resources/read",
        "resources/subscribe",
        "resources/unsubscribe",
        "notifications/resources/updated",
    }
)
"""Methods that are told apart by what they are about. Task ids and log levels are no such thing."""

ROWS_KEPT = 4096
"""Rows that are told apart; what comes after is counted together as ``OTHER``, so that a server with
a URI for each request cannot make the table grow with the recording."""

OTHER = "(other)"

Key = tuple[Side, str, str | None]
"""Who asked, the method, and what it was about."""


@dataclass(slots=True, eq=False)
class CallStats:
    """One method (and target) asked by one side. Sizes are bytes of lines, without what ended them.

    ``latencies`` holds seconds: of each answered call the answering side's own time, whatever the
    answer says. The round trips of a call that was answered by a request for input count once. A
    notification has a ``count`` and ``request_bytes`` only.
    """

    side: Side
    method: str
    target: str | None
    count: int = 0
    errors: int = 0
    tool_errors: int = 0
    cancelled: int = 0
    unanswered: int = 0
    request_bytes: int = 0
    result_bytes: int = 0
    latencies: array[float] = field(default_factory=lambda: array("d"))


@dataclass(frozen=True, slots=True)
class Latency:
    """Seconds; ``total`` is the sum."""

    p50: float
    p95: float
    p99: float
    max: float
    total: float


@dataclass(slots=True, eq=False)
class Totals:
    """Sums over sessions. ``bytes`` count line ends too; ``seconds`` are the sessions' durations.

    ``foreign`` lines are no messages; ``missing`` records are known to be missing from the file.
    """

    sessions: int = 0
    seconds: float = 0.0
    messages: dict[Side, int] = field(default_factory=lambda: {"c2s": 0, "s2c": 0})
    lines: dict[str, int] = field(default_factory=lambda: {"c2s": 0, "s2c": 0, "stderr": 0})
    bytes: dict[str, int] = field(default_factory=lambda: {"c2s": 0, "s2c": 0, "stderr": 0})
    foreign: dict[Side, int] = field(default_factory=lambda: {"c2s": 0, "s2c": 0})
    missing: int = 0

    def add(self, session: Session) -> None:
        """Count ``session``, as far as it has been read."""
        self.sessions += 1
        self.seconds += session.last_t
        self.missing += session.missing
        for side in self.messages:
            self.messages[side] += session.messages[side]
            self.foreign[side] += session.foreign[side]
        for stream in self.lines:
            self.lines[stream] += session.lines[stream]
            self.bytes[stream] += session.bytes[stream]


@dataclass(slots=True, eq=False)
class StartUp:
    """Seconds from the server's start until its first byte, its handshake, its list of tools.

    One value for each session that got that far (and whose start is recorded).
    """

    first_byte: array[float] = field(default_factory=lambda: array("d"))
    initialize: array[float] = field(default_factory=lambda: array("d"))
    tools_list: array[float] = field(default_factory=lambda: array("d"))

    def add(self, session: Session) -> None:
        """Take ``session``'s own."""
        if session.spawned_t is None:
            return
        for values, t in (
            (self.first_byte, session.first_byte_t),
            (self.initialize, session.initialized_t),
            (self.tools_list, session.tools_listed_t),
        ):
            if t is not None:
                values.append(max(0.0, t - session.spawned_t))


class Numbers:
    """The rows, the totals and the start-up times. See the module."""

    def __init__(self) -> None:
        self.rows: dict[Key, CallStats] = {}
        self.totals = Totals()
        self.start_up = StartUp()
        self._between_round_trips: dict[Exchange, None] = {}

    def take(self, step: Step) -> None:
        """Count what a record has answered or told. Its session is to be given to ``finish``."""
        role = step.role
        if role == "asks":
            return
        if role == "answers" and step.exchange is not None:
            self.add(step.exchange)
        elif step.parts is None:
            self._tell(step, step.record, 1)
        else:
            for part in step.parts:
                if part.role == "answers" and part.exchange is not None:
                    self.add(part.exchange)
                else:
                    self._tell(part, step.record, len(step.parts))

    def _tell(self, item: Paired, record: Record, parts: int) -> None:
        message = item.message
        if message.kind == "notification" and message.method is not None:
            side: Side = "s2c" if record.dir == "s2c" else "c2s"
            target = message.target if message.method in BY_TARGET else None
            # The parts of a batch have no sizes of their own: each gets an equal share.
            self.notify(side, message.method, target, len(record.payload) // parts)

    def add(self, exchange: Exchange) -> None:
        """Count a request and its answer; once, when it is answered or nothing more can come."""
        side, method, target = exchange.side, exchange.method, exchange.target
        row = self.rows.get((side, method, target)) or self.row(side, method, target)
        row.request_bytes += exchange.size
        row.result_bytes += exchange.answer_size
        if exchange.cancelled_t is not None:
            row.cancelled += 1
        if exchange.previous is None:
            row.count += 1
        else:
            self._between_round_trips.pop(exchange.previous, None)
        outcome = exchange.outcome
        if outcome == "result" and exchange.answer_t is not None:
            # As ``own_time`` has it; nearly all that is counted comes this way.
            own = exchange.answer_t - exchange.t - exchange.waited
            row.latencies.append((own if own > 0.0 else 0.0) + exchange.earlier_time)
            return
        if outcome == "open":
            row.unanswered += not exchange.may_stay_open
            return
        if outcome == "input-required":
            self._between_round_trips[exchange] = None
            return
        if outcome == "error":
            row.errors += 1
        elif outcome == "tool-error":
            row.tool_errors += 1
        own_time = exchange.own_time
        if own_time is not None:
            row.latencies.append(own_time)

    def notify(self, side: Side, method: str, target: str | None, size: int) -> None:
        """Count a notification."""
        row = self.row(side, method, target)
        row.count += 1
        row.request_bytes += size

    def row(self, side: Side, method: str, target: str | None) -> CallStats:
        """The row to count in."""
        key: Key = (side, method, target if method in BY_TARGET else None)
        row = self.rows.get(key)
        if row is None:
            if len(self.rows) >= ROWS_KEPT:
                key = (side, OTHER, None)
            row = self.rows.setdefault(key, CallStats(*key))
        return row

    def finish(self, session: Session) -> None:
        """Count what the whole of ``session`` says, and its requests that were not answered."""
        self.totals.add(session)
        self.start_up.add(session)
        for exchange in (*session.pairing.superseded, *session.pairing.open.values()):
            if exchange.outcome == "open":
                self.add(exchange)

    def close(self) -> None:
        """After the last session: a call whose next round trip never came has ended with its last one."""
        for exchange in self._between_round_trips:
            own_time = exchange.own_time
            if own_time is not None:
                self.row(exchange.side, exchange.method, exchange.target).latencies.append(own_time)
        self._between_round_trips.clear()


def latency_of(seconds: Iterable[float]) -> Latency | None:
    """Percentiles by nearest rank: each is one of the values. None where there is none."""
    ordered = sorted(seconds)
    if not ordered:
        return None
    return Latency(
        p50=nearest_rank(ordered, 50),
        p95=nearest_rank(ordered, 95),
        p99=nearest_rank(ordered, 99),
        max=ordered[-1],
        total=sum(ordered),
    )


def nearest_rank(ordered: list[float], percent: int) -> float:
    """The smallest of ``ordered`` (not empty) that at least ``percent`` in a hundred do not exceed."""
    return ordered[max(0, -(-percent * len(ordered) // 100) - 1)]


def median(seconds: Iterable[float]) -> float | None:
    """The value in the middle, the lower of two."""
    ordered = sorted(seconds)
    return nearest_rank(ordered, 50) if ordered else None


def in_order(rows: Iterable[CallStats]) -> list[CallStats]:
    """Requests before notifications, the client's before the server's, then by frequency and name."""

    def place(row: CallStats) -> tuple[bool, bool, int, str, str]:
        return (is_notification(row), row.side == "s2c", -row.count, row.method, row.target or "")

    return sorted(rows, key=place)


def is_notification(row: CallStats) -> bool:
    """Whether nothing in the row was, or waits to be, answered."""
    return row.method.startswith("notifications/")
