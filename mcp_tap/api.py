"""What a program may use: recordings read, and diagnosed.

``import mcp_tap`` has all of it by name; what is not in ``mcp_tap.__all__`` is private and may change
with any release.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal

from mcp_tap.diagnosis.baseline import Baseline
from mcp_tap.diagnosis.conclude import conclude
from mcp_tap.diagnosis.config import rule_names
from mcp_tap.diagnosis.recording import Diagnosis
from mcp_tap.diagnosis.report import Report, SessionReport
from mcp_tap.diagnosis.settings import Settings
from mcp_tap.errors import TapError
from mcp_tap.model.exchange import Exchange as Pair
from mcp_tap.model.exchange import Outcome, Paired
from mcp_tap.model.message import Message, Side
from mcp_tap.model.methods import Era
from mcp_tap.model.session import Party, Session
from mcp_tap.model.sessions import Sessions
from mcp_tap.model.step import Step
from mcp_tap.model.summary import Summary, summary_of
from mcp_tap.record.find import RecordingLocation, find_recordings
from mcp_tap.record.reader import Record

BUFFER = 1 << 20
"""Bytes that are read at once: with Python's own 8 kB a line of 10 kB takes four times as long."""

Source = str | os.PathLike[str]


@dataclass(frozen=True, slots=True)
class Exchange:
    """A request and its answer, if one came.

    ``side`` is who asked: "c2s" is the client, "s2c" the server. ``target`` is the tool, prompt or URI.
    ``params`` are the request's parameters as sent; ``result`` and ``error`` the answer's, None where it
    has none. ``outcome`` is "open" (no answer), "result", "error", "tool-error" (``isError``) or
    "input-required". ``t`` and ``latency`` are in seconds, ``t`` since the session's start; ``record``
    and ``answer_record`` are numbers of records (``seq`` in the file); sizes are bytes of the lines.
    """

    side: Side
    id: object
    method: str
    target: str | None
    params: Any
    outcome: Outcome
    result: Any
    error: Any
    t: float
    latency: float | None
    record: int
    answer_record: int | None
    request_bytes: int
    answer_bytes: int
    progress: int


@dataclass(frozen=True, slots=True)
class Notification:
    """A notification. ``side`` is who sent it, ``t`` seconds since the session's start."""

    side: Side
    method: str
    params: Any
    t: float
    record: int


@dataclass(frozen=True, slots=True)
class Line:
    """A line of one of the streams, as it was on the wire.

    ``data`` are its bytes without what ended it (``end``); ``goes_on`` says that the rest of a very long
    line follows as another. ``message`` is the parsed JSON, None for what is not JSON.
    """

    stream: Literal["c2s", "s2c", "stderr"]
    data: bytes
    end: bytes
    goes_on: bool
    message: Any
    t: float
    record: int


@dataclass(frozen=True, slots=True)
class Event:
    """Something that the tap noted: ``spawn``, ``eof``, ``signal``, ``exit`` … with its ``fields``."""

    name: str
    fields: Mapping[str, Any]
    t: float
    record: int


class RecordedSession:
    """One session of a recording. Nothing of it is held in memory: each use reads the file again.

    ``exchanges``, ``notifications``, ``lines`` and ``events`` are generators that stream the file: a
    recording of a million records takes no more memory than a short one. Each raises OSError where the
    file cannot be read any more.
    """

    def __init__(self, path: str, id: str) -> None:
        self.path = path
        self.id = id

    def __repr__(self) -> str:
        return f"<RecordedSession {self.id} in {self.path}>"

    @property
    def exchanges(self) -> Iterator[Exchange]:
        """Requests with their answers, in order of the answers; then those that were never answered."""
        asked: dict[Pair, Message] = {}
        for _, step in self._steps():
            for item in step.paired:
                if item.exchange is None:
                    continue
                if item.role == "asks":
                    asked[item.exchange] = item.message
                elif item.role == "answers":
                    yield exchange_of(item.exchange, asked.pop(item.exchange), item)
        for pair, message in asked.items():
            yield exchange_of(pair, message, None)

    @property
    def notifications(self) -> Iterator[Notification]:
        """Notifications of both sides, in order."""
        for _, step in self._steps():
            for item in step.paired:
                message, record = item.message, step.record
                if message.kind == "notification" and message.method is not None:
                    side: Side = "s2c" if record.dir == "s2c" else "c2s"
                    params = message.value.get("params")
                    yield Notification(side, message.method, params, record.t, record.seq)

    @property
    def lines(self) -> Iterator[Line]:
        """The lines of all three streams, in order."""
        for _, step in self._steps():
            record = step.record
            if record.dir != "tap":
                yield line_of(record)

    @property
    def events(self) -> Iterator[Event]:
        """What the tap noted, in order."""
        for _, step in self._steps():
            record = step.record
            if record.event is not None:
                fields = {key: value for key, value in record.fields.items() if key != "event"}
                yield Event(record.event, fields, record.t, record.seq)

    def calls(self) -> list[dict[str, Any]]:
        """All exchanges as flat dicts, ready for a table or a DataFrame: ``pandas.DataFrame(s.calls())``.

        Keys: ``side``, ``id``, ``method``, ``target``, ``outcome``, ``t``, ``latency``, ``record``,
        ``answer_record``, ``request_bytes``, ``answer_bytes``.
        """
        return [{key: getattr(each, key) for key in CALL_KEYS} for each in self.exchanges]

    @property
    def name(self) -> str | None:
        """What the server was called when it was started."""
        return self.summary.name

    @property
    def client(self) -> Party:
        """``name`` and ``version`` of the client, as it introduced itself."""
        return self.summary.client

    @property
    def server(self) -> Party:
        """The same of the server."""
        return self.summary.server

    @property
    def era(self) -> Era | None:
        """ "legacy" (with a handshake) or "modern"; None where it is not known."""
        return self.summary.era

    @property
    def protocol(self) -> str | None:
        """The agreed protocol version."""
        return self.summary.protocol

    @property
    def start(self) -> str | None:
        """When it began, as RFC 3339."""
        return self.summary.start

    @property
    def duration(self) -> float | None:
        """Seconds from its first record to its last."""
        return self.summary.duration

    @cached_property
    def summary(self) -> Summary:
        """What ``mcp-tap sessions`` lists; the file is read once for all of it."""
        session: Session | None = None
        for session, _ in self._steps():  # noqa: B007  # the last one is it
            pass
        assert session is not None
        return summary_of(session, self.path)

    def diagnose(self) -> SessionReport:
        """What is wrong in this session alone; see :func:`diagnose`."""
        return concluded(diagnosed(self._steps(), self.path, Settings(), None), Settings(), None).sessions[0]

    def _steps(self) -> Iterator[tuple[Session, Step]]:
        with open(self.path, "rb", buffering=BUFFER) as file:
            yield from Sessions(only=self.id).steps(file)


CALL_KEYS = (
    "side", "id", "method", "target", "outcome", "t", "latency", "record", "answer_record",
    "request_bytes", "answer_bytes",
)  # fmt: skip


def exchange_of(pair: Pair, asked: Message, answered: Paired | None) -> Exchange:
    """A request, as it was sent, with its answer."""
    value = answered.message.value if answered is not None else {}
    return Exchange(
        side=pair.side,
        id=pair.id,
        method=pair.method,
        target=pair.target,
        params=asked.value.get("params"),
        outcome=pair.outcome,
        result=value.get("result"),
        error=value.get("error"),
        t=pair.t,
        latency=pair.latency,
        record=pair.seq,
        answer_record=pair.answer_seq,
        request_bytes=pair.size,
        answer_bytes=pair.answer_size,
        progress=pair.progress,
    )


def line_of(record: Record) -> Line:
    """A record of a stream as the line that it holds."""
    assert record.dir != "tap"
    return Line(record.dir, record.payload, record.eol, record.more, record.value, record.t, record.seq)


def read(source: Source) -> Iterator[RecordedSession]:
    """The sessions in ``source``: a file, a directory, a session's id (or the beginning or end of
    it), or a server's name (its newest session).

    They come in order of their first record, as soon as it is read. Raises :class:`TapError` where there
    is no such recording or it is of a newer format, OSError where a file cannot be read.
    """
    for location in find_recordings(os.fspath(source), None):
        sessions, seen = Sessions(only=location.session), set[str]()
        with open(location.path, "rb", buffering=BUFFER) as file:
            for session, _ in sessions.steps(file):
                if session.id not in seen:
                    seen.add(session.id)
                    yield RecordedSession(location.path, session.id)


def diagnose(
    source: Source | Iterable[bytes],
    *,
    only: Iterable[str] = (),
    disable: Iterable[str] = (),
    baseline: Source | None = None,
) -> Report:
    """What is wrong in the sessions of ``source``, as ``mcp-tap check`` reports it.

    ``source`` is what :func:`read` takes, or the lines of one recording. ``only`` and ``disable`` name
    rules ("FRM001") or families ("FRM"); ``baseline`` is a file written by ``check --write-baseline``.
    The report is named as ``check --json`` is: ``report.sessions[0].findings[0].rule``; a program that
    wants to fail on errors asks ``report.summary["error"]``. Raises as :func:`read` does, and
    :class:`TapError` for a rule that does not exist and for a file that is no baseline.
    """
    from mcp_tap.rules.registry import BY_ID

    settings = Settings(disabled=rule_names(disable, "disable", BY_ID), only=rule_names(only, "only", BY_ID))
    accepted = None
    if baseline is not None:
        with open(baseline, encoding="utf-8") as text:
            accepted = Baseline.parse(text.read(), os.fspath(baseline))
    found: list[SessionReport] = []
    if isinstance(source, (str, os.PathLike)):
        for location in find_recordings(os.fspath(source), None):
            found += diagnosed_file(location, settings, accepted)
    else:
        found += diagnosed(Sessions().steps(source), "", settings, accepted)
    return concluded(found, settings, accepted)


def diagnosed_file(
    location: RecordingLocation, settings: Settings, baseline: Baseline | None
) -> list[SessionReport]:
    """The sessions of one file, each by itself."""
    with open(location.path, "rb", buffering=BUFFER) as file:
        return diagnosed(Sessions(only=location.session).steps(file), location.path, settings, baseline)


def diagnosed(
    steps: Iterable[tuple[Session, Step]], path: str, settings: Settings, baseline: Baseline | None
) -> list[SessionReport]:
    """The sessions that ``steps`` belong to, each by itself."""
    diagnosis: Diagnosis | None = None
    for session, step in steps:
        if diagnosis is None:
            from mcp_tap.rules.registry import RULES  # 200 modules: a file with nothing in it needs none

            diagnosis = Diagnosis(RULES, settings.thresholds, baseline)
        diagnosis.take(session, step)
    return [] if diagnosis is None else list(diagnosis.reports(path))


def concluded(found: list[SessionReport], settings: Settings, baseline: Baseline | None) -> Report:
    """All of them together."""
    if not found:
        return Report(())
    from mcp_tap.rules.registry import RULES

    return conclude(found, RULES, settings, baseline)


__all__ = [
    "Event",
    "Exchange",
    "Line",
    "Notification",
    "RecordedSession",
    "Report",
    "SessionReport",
    "TapError",
    "diagnose",
    "read",
]
