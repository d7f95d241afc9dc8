"""Which records of a session somebody wants to see. No I/O, no clock: a pure question.

Every criterion that is given must hold; of several values of one criterion any will do. What a
filter asks of a request may depend on its answer (``errors``), so that a judgement can be open.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime, time, timedelta
from typing import Literal

from mcp_tap.errors import TapError
from mcp_tap.model.exchange import Paired, spelled
from mcp_tap.model.session import Session
from mcp_tap.model.step import Step
from mcp_tap.record.reader import Record

Judgement = Literal["yes", "no", "open"]
"""``open``: a request that is wanted if its answer, which has not come yet, is an error."""

ALWAYS_TROUBLE = frozenset({"spawn_failed", "broken_pipe", "undelivered", "stall", "gap", "limit"})
"""Tap events that never belong to a session that goes well."""

SERVER_LEFT = frozenset({"server-exit", "server-eof", "spawn-failed"})
"""Values of ``first`` by which the session was not the client's to end."""

FOREIGN = frozenset({"not-json", "not-json-rpc"})
"""Kinds of line that are no part of the protocol."""


StepTest = Callable[[Step], bool]


@dataclass(frozen=True, slots=True)
class Bound:
    """One end of a span of time; one of the three is set.

    ``seconds`` after the session's start; a ``moment`` with its zone; or a ``clock`` time (UTC, as
    recordings are) on the session's first day, or the next where the session began late.
    """

    seconds: float | None = None
    moment: datetime | None = None
    clock: time | None = None

    def passed(self, record: Record, session: Session) -> float | None:
        """Seconds from this to ``record``, negative before it; None where a time cannot be read."""
        if self.seconds is not None:
            return record.t - self.seconds
        here = read_time(record.ts)
        moment = self.moment or self._moment_in(session)
        return None if here is None or moment is None else (here - moment).total_seconds()

    def _moment_in(self, session: Session) -> datetime | None:
        start = read_time(session.ts or "")
        if start is None or self.clock is None:
            return None
        moment = datetime.combine(start.astimezone(UTC).date(), self.clock, UTC)
        # 00:05 of a session that began at 23:50 is after midnight; 09:00 of one from 10:00 is not.
        return moment + timedelta(days=1) if start - moment > timedelta(hours=12) else moment


@dataclass(frozen=True, slots=True)
class Filter:
    """What to show; everything by default. ``ids`` are compared as they are spelled: 7 is "7"."""

    dirs: frozenset[str] = frozenset()
    methods: frozenset[str] = frozenset()
    tools: frozenset[str] = frozenset()
    ids: frozenset[str] = frozenset()
    errors: bool = False
    grep: re.Pattern[str] | None = None
    since: Bound | None = None
    until: Bound | None = None

    @property
    def takes_everything(self) -> bool:
        """Whether nothing is left out."""
        return self == Filter()

    def judge(self, step: Step, session: Session, line: bytes) -> Judgement:
        """Whether ``step`` is wanted. ``line`` is its record as it stands in the file."""
        record = step.record
        if self.dirs and record.dir not in self.dirs:
            return "no"
        if not self._is_in_time(record, session):
            return "no"
        if not all(wanted(step) for wanted in self._of_messages()):
            return "no"
        if self.grep is not None and not self.grep.search(searched_text(record, line)):
            return "no"
        return trouble(step) if self.errors else "yes"

    def _is_in_time(self, record: Record, session: Session) -> bool:
        # What cannot be placed in time is shown rather than lost.
        since = self.since.passed(record, session) if self.since else None
        until = self.until.passed(record, session) if self.until else None
        return not (since is not None and since < 0) and not (until is not None and until > 0)

    def _of_messages(self) -> list[StepTest]:
        wanted: list[StepTest] = []
        if self.ids:
            wanted.append(lambda step: any(self._has_id(item) for item in step.paired))
        if self.methods:
            wanted.append(lambda step: any(self._has_method(item) for item in step.paired))
        if self.tools:
            wanted.append(lambda step: any(self._has_tool(item) for item in step.paired))
        return wanted

    def _has_id(self, item: Paired) -> bool:
        own, of = spelled(item.message.id), spelled(item.exchange.id) if item.exchange else None
        return own in self.ids or of in self.ids

    def _has_method(self, item: Paired) -> bool:
        if item.message.method is not None:
            return item.message.method in self.methods
        return item.exchange is not None and item.exchange.method in self.methods

    def _has_tool(self, item: Paired) -> bool:
        exchange = item.exchange
        return exchange is not None and exchange.method == "tools/call" and exchange.target in self.tools


def searched_text(record: Record, line: bytes) -> str:
    """What ``grep`` looks at: a line's own text; the whole record of a tap event."""
    data = line.strip() if record.dir == "tap" else record.payload
    return data.decode("utf-8", "backslashreplace")


def trouble(step: Step) -> Judgement:
    """Whether a record is, or led to, an error."""
    if step.record.dir == "tap":
        return "yes" if is_trouble(step.record) else "no"
    judgements = {trouble_of(item) for item in step.paired}
    return "yes" if "yes" in judgements else "open" if "open" in judgements else "no"


def trouble_of(item: Paired) -> Judgement:
    """Whether a message is an error, a foreign line, or the request of an error."""
    message, exchange = item.message, item.exchange
    if message.kind in FOREIGN or message.kind == "error" or message.is_tool_error:
        return "yes"
    if item.role != "asks" or exchange is None:
        return "no"
    if exchange.outcome in ("error", "tool-error"):
        return "yes"
    return "open" if exchange.outcome == "open" else "no"


def is_trouble(event: Record) -> bool:
    """Whether a tap event says that something went wrong."""
    if event.event != "exit":
        return event.event in ALWAYS_TROUBLE
    first, code, signal = (event.fields.get(key) for key in ("first", "code", "signal"))
    if first in tuple(SERVER_LEFT):
        return True
    # A server that dies of the signal that its client has sent does what was asked.
    return first != "client-signal" and (signal is not None or code not in (0, None))


_OFFSET = re.compile(r"(\d+(?:\.\d*)?|\.\d+)\s*(ms|s|m|h)?", re.ASCII)
_CLOCK = re.compile(r"\d\d:\d\d(?::\d\d(?:\.\d{1,6})?)?", re.ASCII)
_SECONDS = {None: 1.0, "ms": 0.001, "s": 1.0, "m": 60.0, "h": 3600.0}


def read_bound(text: str, option: str) -> Bound:
    """``1.5``, ``1.5s``, ``2m``, ``18:37``, ``18:37:40`` or an RFC 3339 time (UTC where it has no zone).

    Raises :class:`TapError` with a sentence that names ``option``.
    """
    if found := _OFFSET.fullmatch(text.strip()):
        return Bound(seconds=float(found[1]) * _SECONDS[found[2]])
    try:
        if _CLOCK.fullmatch(text.strip()):
            return Bound(clock=time.fromisoformat(text.strip()))
        moment = datetime.fromisoformat(text.strip())
    except ValueError:
        raise TapError(
            f"{option} takes seconds from the start (1.5, 2m), a time of day in UTC (18:37:40) "
            f"or an RFC 3339 time, not {text!r}"
        ) from None
    return Bound(moment=moment if moment.tzinfo else moment.replace(tzinfo=UTC))


def read_pattern(text: str) -> re.Pattern[str]:
    """A regular expression. Raises :class:`TapError` with a sentence where it is none."""
    try:
        return re.compile(text)
    except re.error as error:
        raise TapError(f"--grep takes a regular expression, not {text!r}: {error}") from None


def read_time(ts: str) -> datetime | None:
    """A record's time; None where it is none, or has no zone."""
    try:
        moment = datetime.fromisoformat(ts)
    except ValueError:
        return None
    return moment if moment.tzinfo else None
