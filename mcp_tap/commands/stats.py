"""``mcp-tap stats``: count, latency and size by method and tool."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from mcp_tap.commands.reading import BUFFER, Reading, places_of
from mcp_tap.errors import ExitStatus, TapError
from mcp_tap.model.numbers import CallStats, Numbers, in_order, latency_of, median
from mcp_tap.model.sessions import Sessions
from mcp_tap.record.find import RecordingLocation, find_recordings


@dataclass(frozen=True, slots=True)
class RowFilter:
    """Which rows to show: those that fit every criterion that is given. Totals are of everything."""

    sides: frozenset[str] = frozenset()
    methods: frozenset[str] = frozenset()
    tools: frozenset[str] = frozenset()

    def __call__(self, row: CallStats) -> bool:
        return (
            (not self.sides or row.side in self.sides)
            and (not self.methods or row.method in self.methods)
            and (not self.tools or (row.method == "tools/call" and row.target in self.tools))
        )


@dataclass(frozen=True, slots=True)
class Window:
    """A span of wall clock time, as recordings write it; None is no bound. ``until`` is excluded."""

    since: bytes | None = None
    until: bytes | None = None

    def __bool__(self) -> bool:
        return self.since is not None or self.until is not None

    def lines(self, lines: Iterable[bytes]) -> Iterator[bytes]:
        """The records in the span, told from the time that each begins with; and the start records."""
        since, until = self.since or b"", self.until or b"\xff"
        for line in lines:
            if since <= line[_TS] < until or not line.startswith(_TS_KEY) or _START in line[:_START_WITHIN]:
                yield line


_TS_KEY = b'{"ts":"'
_TS = slice(len(_TS_KEY), len(_TS_KEY) + len("2026-11-29T18:37:40.123456Z"))
_START = b'"event":"start"'
_START_WITHIN = 160
"""Bytes of a start record within which it says so."""


MICROSECONDS = 6
"""Digits of a time."""


def stats(
    paths: list[str],
    *,
    wanted: RowFilter | None = None,
    window: Window | None = None,
    as_json: bool = False,
    log_dir: str | None = None,
) -> int:
    """Print the numbers of all sessions in ``paths`` (default: the newest session).

    Returns 2 if a file could not be read, with a sentence for each on stderr; the others count.
    Raises :class:`TapError` where nothing is meant.
    """
    places = places_of(paths, log_dir) if paths else find_recordings(None, log_dir)
    wanted, window = wanted or RowFilter(), window or Window()
    reading, numbers = Reading(), Numbers()
    for place in places:
        with reading.guard(place.path):
            read_place(place, numbers, window, reading)
    numbers.close()
    rows = in_order(row for row in numbers.rows.values() if wanted(row))
    if as_json:
        from mcp_tap.views.payload import json_text

        sys.stdout.write(json_text(to_json(numbers, rows, bool(window)), indent=2) + "\n")
    else:
        from mcp_tap.views.tables import stats_text
        from mcp_tap.views.terminal import table_width, wants_colour

        width, colour = table_width(), wants_colour()
        sys.stdout.write(stats_text(numbers, rows, width, colour=colour, windowed=bool(window)))
    sys.stdout.flush()
    reading.report()
    return ExitStatus.FAILED if reading.failed else ExitStatus.OK


def read_place(place: RecordingLocation, numbers: Numbers, window: Window, reading: Reading) -> None:
    """Count what is in a file, as far as it can be read."""
    sessions, take = Sessions(only=place.session), numbers.take
    try:
        with open(place.path, "rb", buffering=BUFFER) as file:
            for _, step in sessions.steps(window.lines(file) if window else file):
                take(step)
    finally:
        reading.skipped(place.path, sessions)
        for session in sessions.by_id.values():
            numbers.finish(session)


def parse_moment(text: str) -> bytes:
    """A date or a time (ISO 8601; without a zone: UTC) as recordings write it. Raises :class:`TapError`."""
    try:
        moment = datetime.fromisoformat(text)
        moment = moment.replace(tzinfo=UTC) if moment.tzinfo is None else moment.astimezone(UTC)
    except (ValueError, OverflowError):
        raise TapError(f"{text} is not a date or time such as 2026-11-29T18:37") from None
    return moment.strftime("%Y-%m-%dT%H:%M:%S.%fZ").encode()


def to_json(numbers: Numbers, rows: list[CallStats], windowed: bool) -> dict[str, Any]:
    """The object of ``stats --json``. A contract: keys may be added, none is taken away.

    ``totals`` are of all that was read, whatever rows are wanted: ``sessions``, ``duration`` (seconds,
    summed), ``messages`` {``c2s``, ``s2c``}, ``lines`` and ``bytes`` {``c2s``, ``s2c``, ``stderr``},
    ``foreign`` lines that are no messages, ``missing`` records, ``errors``, ``tool_errors``,
    ``cancelled``, ``unanswered``. Of a span of time, ``duration`` and ``missing`` are null: nobody can
    tell them. ``startup``: seconds from the server's start until its first byte, the answer to
    ``initialize`` (or ``server/discover``) and the first ``tools/list``; of several sessions the
    median; null where it was not recorded. ``calls``: see :func:`row_json`.
    """
    totals, everything = numbers.totals, list(numbers.rows.values())
    return {
        "totals": {
            "sessions": totals.sessions,
            "duration": None if windowed else seconds(totals.seconds),
            "messages": totals.messages,
            "lines": totals.lines,
            "bytes": totals.bytes,
            "foreign": totals.foreign,
            "missing": None if windowed else totals.missing,
            "errors": sum(row.errors for row in everything),
            "tool_errors": sum(row.tool_errors for row in everything),
            "cancelled": sum(row.cancelled for row in everything),
            "unanswered": sum(row.unanswered for row in everything),
        },
        "startup": {
            "spawn_to_first_byte": seconds(median(numbers.start_up.first_byte)),
            "initialize": seconds(median(numbers.start_up.initialize)),
            "tools_list": seconds(median(numbers.start_up.tools_list)),
        },
        "calls": [row_json(row) for row in rows],
    }


def seconds(value: float | None) -> float | None:
    """A time with the digits that the recording's clock has; sums of binary fractions grow more."""
    return None if value is None else round(value, MICROSECONDS)


def row_json(row: CallStats) -> dict[str, Any]:
    """One of ``calls``: a method and, where it has one, its ``target`` (tool, prompt, URI).

    ``side`` is who asked, "c2s" or "s2c". ``latency`` is in seconds: exact nearest-rank percentiles of
    the answering side's own time, and their sum, ``total``; null where nothing was answered. ``bytes``
    are sums over lines, without what ended them.
    """
    latency = latency_of(row.latencies)
    return {
        "side": row.side,
        "method": row.method,
        "target": row.target,
        "count": row.count,
        "errors": row.errors,
        "tool_errors": row.tool_errors,
        "cancelled": row.cancelled,
        "unanswered": row.unanswered,
        "latency": {
            "p50": seconds(latency.p50 if latency else None),
            "p95": seconds(latency.p95 if latency else None),
            "p99": seconds(latency.p99 if latency else None),
            "max": seconds(latency.max if latency else None),
            "total": seconds(latency.total if latency else None),
        },
        "bytes": {"request": row.request_bytes, "result": row.result_bytes},
    }
