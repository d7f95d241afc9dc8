"""Whole recordings through the rules, within a few microseconds a record.

Most of what a recording holds is of no interest to any rule: a call of a listed tool with fitting
arguments, and its result a moment later. Such messages are told from the rest by looking at what
every rule would look at, in one place and as cheaply as possible (``is_plain_*``), and only
counted. Everything else, and whatever follows closely on something odd, goes the long way through
the model and the rules. The tests hold the findings of both ways equal.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Sequence
from typing import Any

from mcp_tap.model.express import Express
from mcp_tap.model.methods import ERAS
from mcp_tap.model.session import Session, Step
from mcp_tap.model.track import Speaker, Track
from mcp_tap.record.reader import Record, read_record
from mcp_tap.rules.checker import Examination
from mcp_tap.rules.report import Report, report_of
from mcp_tap.rules.rule import Rule
from mcp_tap.rules.settings import Thresholds

ATTENTION = 8
"""Records after something odd that go the long way whatever they are: what is odd is often odd only
beside what follows, and rules remember the last few messages."""

PROMPT_SECONDS = 0.25
"""Seconds within which an answer is nothing to look at."""

SMALL_BYTES = 48 * 1024
"""Bytes up to which the size of a message is nothing to look at."""

SAFE_INTEGER = 2**53 - 1


class Watched:
    """A session that is being read: its examination, and whether what is plain may pass."""

    __slots__ = ("attention", "declares_tools", "examination", "open", "recent")

    def __init__(self, examination: Examination) -> None:
        self.examination = examination
        self.attention = ATTENTION
        self.open = False
        self.declares_tools = False
        self.recent: deque[bytes] = deque(maxlen=16)
        """The records that have passed since the last one that went the long way."""

    def take(self, step: Step) -> None:
        """Let the rules see a record that goes the long way."""
        for line in self.recent:
            passed = read_record(line, 0)
            if isinstance(passed, Record):
                self.examination.case.after(passed)
        self.recent.clear()
        self.examination.take(step)
        if is_odd(step):
            self.attention = ATTENTION
        elif step.record.dir != "stderr":
            self.attention -= 1
        self.open = self.attention <= 0 and self._settled()

    def _settled(self) -> bool:
        """Whether the session is in its operation, with nothing amiss about its beginning."""
        case = self.examination.case
        session = case.session
        if not case.begun or case.closed or session.exit is not None or session.pieces:
            return False
        if session.protocol not in ERAS or (session.era == "legacy" and case.ready_t is None):
            return False
        offered = session.capabilities.get("s2c")
        self.declares_tools = isinstance(offered, dict) and isinstance(offered.get("tools"), dict)
        return True


def is_odd(step: Step) -> bool:
    """Whether what follows a record deserves attention too."""
    if step.record.dir == "tap":
        return step.record.event not in ("start", "spawn")
    if step.record.more or step.record.eol != b"\n":
        return True
    for item in step.paired:
        if item.role in ("answers-again", "answers-nothing", "cancels") or item.message.kind in ODD:
            return True
        exchange = item.exchange
        if item.role == "answers" and exchange is not None and (exchange.latency or 0.0) > PROMPT_SECONDS:
            return True
    return False


ODD = frozenset({"error", "batch", "not-json", "not-json-rpc"})


class Checking(Express):
    """Reads the lines of a recording; ``reports`` gives what is to be said of each session in it."""

    def __init__(
        self, rules: Sequence[type[Rule]], thresholds: Thresholds | None = None, only: str | None = None
    ) -> None:
        super().__init__(None, only)
        self.rules = rules
        self.thresholds = thresholds or Thresholds()
        self._watched: dict[str, Watched] = {}

    def reports(self, file: str) -> Iterator[Report]:
        """The sessions that were read, diagnosed; what is read next is another file's."""
        self.finish()
        for watched in self._watched.values():
            examination = watched.examination
            examination.end()
            yield report_of(examination.case, examination.findings(), file)
        self._watched.clear()

    def _took(self, session: Session, step: Step) -> None:
        watched = self._watched.get(session.id)
        if watched is None:
            watched = Watched(Examination(session, self.rules, self.thresholds))
            self._watched[session.id] = watched
            self.tracks[session.id].watched = watched
        watched.take(step)

    def _request(
        self,
        track: Track,
        speaker: Speaker,
        message: dict[str, Any],
        id: int,
        seq: int,
        t: float,
        size: int,
        line: bytes,
    ) -> bool:
        watched = track.watched
        if (
            not watched.open
            or size > SMALL_BYTES
            or not is_plain_request(watched, speaker, message, id, line)
        ):
            return False
        if not super()._request(track, speaker, message, id, seq, t, size, line):
            return False
        watched.recent.append(line)
        return True

    def _result(
        self,
        track: Track,
        speaker: Speaker,
        message: dict[str, Any],
        id: int,
        seq: int,
        t: float,
        size: int,
        line: bytes,
    ) -> bool:
        watched, asked = track.watched, speaker.other.asked.get(id)
        if not watched.open or asked is None or size > SMALL_BYTES:
            return False
        latency = t - asked[2]
        if latency > PROMPT_SECONDS or not is_plain_result(watched, asked[0][1], asked[0][2], message, line):
            return False
        if not super()._result(track, speaker, message, id, seq, t, size, line):
            return False
        case = watched.examination.case
        case.answered += 1
        if latency > case.slowest:
            case.slowest, case.slowest_what = latency, f"{asked[0][1]} {asked[0][2]}"
        watched.recent.append(line)
        return True

    def _notification(self, track: Track, speaker: Speaker, message: dict[str, Any], size: int) -> bool:
        return False

    def _without_id(self, record: dict[str, Any], line: bytes) -> bool:
        return False


def is_plain_request(
    watched: Watched, speaker: Speaker, message: dict[str, Any], id: int, line: bytes
) -> bool:
    """Whether no rule can have anything to say of a request: the call of a tool as it is listed."""
    return False


def is_plain_result(
    watched: Watched, method: str, target: str | None, message: dict[str, Any], line: bytes
) -> bool:
    """Whether no rule can have anything to say of a result that came at once."""
    return False
