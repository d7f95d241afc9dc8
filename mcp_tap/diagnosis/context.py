"""What a rule may look at: the session, and the message that has just passed."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, TypeVar

from mcp_tap.diagnosis.bounded import Latest
from mcp_tap.diagnosis.era_proof import EraProof
from mcp_tap.diagnosis.life import Life, is_ending
from mcp_tap.diagnosis.listing import Listings
from mcp_tap.diagnosis.settings import Thresholds
from mcp_tap.diagnosis.text import NAME_SHOWN
from mcp_tap.model.exchange import Exchange, Paired
from mcp_tap.model.message import Message, Side
from mcp_tap.model.methods import LEGACY, MODERN
from mcp_tap.model.session import Session
from mcp_tap.record.reader import Record

if TYPE_CHECKING:
    from mcp_tap.diagnosis.baseline import Baseline

EVERY: frozenset[str] = frozenset()
"""Versions of a rule that does not depend on the version; it is applied to unknown ones too."""

NEWEST_LEGACY = LEGACY[-1]
"""By whose rules a session is read that never named a version."""


def since(version: str) -> frozenset[str]:
    """``version`` and all that came later."""
    known = (*LEGACY, *MODERN)
    return frozenset(known[known.index(version) :])


LEGACY_ONLY = frozenset(LEGACY)
MODERN_ONLY = frozenset(MODERN)

PART_KEPT = 1024 * 1024
"""Bytes that are kept of the beginning of a line that is recorded in parts."""

KINDS_KEPT = 1000
"""Tools, prompts and methods whose answers are counted."""

AWAITED_KEPT = 1000
"""Requests of which rules await the answer."""

T = TypeVar("T")


@dataclass(slots=True, eq=False)
class Parts:
    """A line that is recorded in parts (``more``), as far as it has come: its first bytes, its size."""

    began_t: float
    last_t: float = 0.0
    head: bytes = b""
    size: int = 0

    def add(self, record: Record) -> None:
        """Take the next part."""
        self.head += record.payload[: max(0, PART_KEPT - len(self.head))]
        self.size += len(record.payload)
        self.last_t = record.t


@dataclass(slots=True, eq=False)
class SessionContext:
    """One session under examination. Filled record by record, before the rules see it."""

    session: Session
    thresholds: Thresholds = field(default_factory=Thresholds)
    listings: Listings = field(default_factory=Listings)
    """What the server has listed, with schemas."""
    life: Life = field(default_factory=Life)
    """What happened to the server's process."""
    proof: EraProof = field(default_factory=EraProof)
    """Whether the server has shown that it speaks 2026-07-28."""
    baseline: Baseline | None = None
    """What is known of this and other servers from before."""
    cut: bool = False
    """Whether the recording lacks something that was said: a gap, the size limit."""
    begun: bool = False
    """Whether the start of the session is recorded."""
    client_closed_t: float | None = None
    """When the client closed stdin, or signalled, or stopped reading."""
    client_closed_by: str | None = None
    """How: "eof", the name of a signal, or "broken pipe"."""
    last_s2c_t: float | None = None
    """When the server last wrote a line to stdout."""
    last_c2s_t: float | None = None
    last_s2c_seq: int | None = None
    """The last record of stdout."""
    recent: deque[Record] = field(default_factory=lambda: deque(maxlen=16))
    """The records before the one that is looked at, of both protocol streams and stderr."""
    asked_t: float | None = None
    """When the client first asked for a handshake: ``initialize`` or ``server/discover``."""
    ready_t: float | None = None
    """When the client said ``notifications/initialized``."""
    first_answer_t: float | None = None
    """When the server answered for the first time: before, it was starting."""
    awaited: Latest[Exchange, list[Callable[[Answer], None]]] = field(
        default_factory=lambda: Latest(AWAITED_KEPT)
    )
    """What is to be called with the answers to these requests."""
    refused: bool = False
    """Whether the last answer to the handshake was an error."""
    parts: dict[str, Parts] = field(default_factory=dict)
    """By stream, the line that has begun and not ended yet; while it ends, what came before."""
    doubtful: set[str] = field(default_factory=set)
    """Streams of which the line that comes next may lack its beginning: records are missing."""
    disordered: int = 0
    """Records that are there twice, or not in their place: what they say is said at another time."""
    highest: int = -1
    """The highest number of a record so far."""
    unread: bool = False
    """Whether there was a line that is too much to be read: what it said is not known."""
    failing: dict[str, int] = field(default_factory=dict)
    """Of each tool, how many different calls have failed and not succeeded since."""
    answers: dict[str, int] = field(default_factory=dict)
    """Answers to requests of the client, by what was asked (:func:`kind_of`)."""
    answered_up_to: int = -1
    """The latest request (its record) of the client that was answered while the client was there."""
    answered: int = 0
    """Requests that were answered, and in which time the slowest of them."""
    slowest: float = 0.0
    slowest_what: str = ""
    whole: bool = False
    """Whether everything that was said so far is recorded: only then does absence prove anything."""
    changes: int = 0
    """How often it has changed what is to be shown to which rules."""
    missing: int = 0
    """Records that were known to be missing at the last look."""
    _kinds: dict[tuple[str, str | None], str] = field(default_factory=dict)
    _shared: dict[type, Any] = field(default_factory=dict)

    def shared(self, kind: type[T]) -> T:
        """The one object of this kind by which rules of a family share what they know of the session."""
        if kind not in self._shared:
            self._shared[kind] = kind()
        found: T = self._shared[kind]
        return found

    def judge_whole(self) -> None:
        """Find out whether the recording is still whole, when something that bears on it has changed."""
        sure = not (self.cut or self.unread or self.disordered)
        whole = self.begun and sure and not self.session.missing
        if whole != self.whole:
            self.whole = whole
            self.changes += 1

    @property
    def over(self) -> bool:
        """Whether the end of the session is recorded."""
        return self.session.is_over

    @property
    def closed(self) -> bool:
        """Whether the client has already begun to end the session: what fails then is expected."""
        return self.client_closed_t is not None

    def take(self, record: Record) -> None:
        """Note what a record tells before the rules see it; the session has taken it already."""
        if self.session.missing > self.missing:
            self.missing = self.session.missing
            self.doubtful = {"c2s", "s2c"}
            self.judge_whole()
        seq = record.seq
        if seq > self.highest:
            if seq or record.event != "start":  # a file that was moved away is begun anew with it
                self.highest = seq
        elif record.event != "start":
            self.disordered += 1
            self.judge_whole()
        if record.dir == "tap":
            self._take_event(record)
        elif record.more and record.dir != "stderr":
            self.parts.setdefault(record.dir, Parts(record.t)).add(record)

    def _take_event(self, record: Record) -> None:
        self.life.take(record)
        event = record.event
        if event == "start":
            self.begun = True
            self.judge_whole()
        elif event in ("gap", "limit"):
            self.cut = True
            self.judge_whole()
        elif event == "eof" and record.fields.get("stream") == "c2s":
            self._close(record.t, "eof")
        elif event == "broken_pipe" and record.fields.get("stream") == "s2c":
            self._close(record.t, "broken pipe")
        elif event == "signal" and is_ending(record):
            self._close(record.t, str(record.fields.get("name")))

    def count_failing(self, tool: str, change: int) -> None:
        """Note that one call more of ``tool`` fails, or (-1) succeeds again."""
        left = self.failing.pop(tool, 0) + change
        if left:
            self.failing[tool] = left

    def count(self, method: str, target: str | None) -> None:
        """Count an answer to a request of the client."""
        self.answered += 1
        kind = self._kinds.get((method, target))
        if kind is None:
            if len(self._kinds) >= KINDS_KEPT:
                self._kinds.clear()
            kind = self._kinds[method, target] = kind_of(method, target)
        if kind in self.answers or len(self.answers) < KINDS_KEPT:
            self.answers[kind] = self.answers.get(kind, 0) + 1

    def _close(self, t: float, how: str) -> None:
        if self.client_closed_t is None:
            self.client_closed_t, self.client_closed_by = t, how

    def after(self, record: Record) -> None:
        """Note a record that the rules have seen."""
        stream = record.dir
        self.recent.append(record)
        if (self.parts or self.doubtful) and not record.more:
            self.parts.pop(stream, None)
            self.doubtful.discard(stream)
        if stream == "s2c":
            self.last_s2c_t = record.t
            self.last_s2c_seq = record.seq
        elif stream == "c2s":
            self.last_c2s_t = record.t


class Occurrence:
    """A message that has just passed, in its place; what hooks are given.

    ``exchange`` is the request that it opens, answers, cancels or reports on, None where that is not
    known. ``version`` is the one by which the message is to be read: None for a version that was never
    released; before one was agreed on, the newest with a handshake.
    """

    __slots__ = ("context", "exchange", "item", "message", "record", "version")

    def __init__(self, context: SessionContext, record: Record, item: Paired, version: str | None) -> None:
        self.context = context
        self.record = record
        self.item = item
        self.message: Message = item.message
        self.exchange: Exchange | None = item.exchange
        self.version = version

    @property
    def side(self) -> Side:
        """Who said it."""
        return "s2c" if self.record.dir == "s2c" else "c2s"

    @property
    def seq(self) -> int:
        return self.record.seq

    @property
    def t(self) -> float:
        return self.record.t

    @property
    def sender(self) -> str:
        """ "client" or "server", for sentences."""
        return "server" if self.record.dir == "s2c" else "client"

    @property
    def receiver(self) -> str:
        return "client" if self.record.dir == "s2c" else "server"

    @property
    def params(self) -> dict[str, Any]:
        return self.message.params

    @property
    def result(self) -> dict[str, Any]:
        """The result of a response; empty where it is none, or no object."""
        found = self.message.value.get("result") if self.message.kind == "response" else None
        return found if isinstance(found, dict) else {}

    @property
    def error(self) -> dict[str, Any]:
        """The error of an error response; empty where it is none, or no object."""
        found = self.message.value.get("error") if self.message.kind == "error" else None
        return found if isinstance(found, dict) else {}


class Request(Occurrence):
    """A request, and the exchange that it opens."""

    __slots__ = ()
    exchange: Exchange


class Answer(Occurrence):
    """The first answer to a request, and that request's exchange."""

    __slots__ = ()
    exchange: Exchange


class Notification(Occurrence):
    """A notification; ``exchange`` is what it cancels or reports on, if known."""

    __slots__ = ()


class UnmatchedResponse(Occurrence):
    """A response that answers nothing, or something already answered (``exchange``)."""

    __slots__ = ()


class InvalidLine(Occurrence):
    """A line that is no message: ``message`` says why."""

    __slots__ = ()


def kind_of(method: str, target: str | None) -> str:
    """What is counted together: the calls of one tool, one prompt; other requests by their method."""
    if method in ("tools/call", "prompts/get") and target is not None:
        return f"{method} {' '.join(target.split())[:NAME_SHOWN]}"
    return method[:NAME_SHOWN]
