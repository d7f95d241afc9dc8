"""Whole recordings through the rules, within a few microseconds a record.

Most of what a recording holds is of no interest to any rule: a call of a listed tool with fitting
arguments, and its result a moment later. Such messages are told from the rest (:mod:`.plain`) and
only counted. A call is held until its result; if anything that is not plain comes in between, the
calls that are held are shown to the rules first, so that these see all that has to do with what is
odd, in order. Whatever follows closely on something odd goes the long way too. The tests hold the
findings of both ways equal.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

from mcp_tap.diagnosis.baseline import Baseline
from mcp_tap.diagnosis.checker import Examination
from mcp_tap.diagnosis.plain import PROMPT_SECONDS, SMALL_BYTES, Vet
from mcp_tap.diagnosis.report import Report, report_of, with_findings
from mcp_tap.diagnosis.rule import Rule
from mcp_tap.diagnosis.settings import Thresholds
from mcp_tap.model.exchange import Paired
from mcp_tap.model.express import KEYS, Express
from mcp_tap.model.message import read_message
from mcp_tap.model.methods import ERAS
from mcp_tap.model.session import METHODS_KEPT, Session, Step
from mcp_tap.model.track import Speaker, Track, logged, note_time, reported, take_stderr
from mcp_tap.record.reader import Record, read_record
from mcp_tap.rules.recording.tap003_records_missing import RecordsMissing, there_twice
from mcp_tap.rules.tools._schemas import Held

ATTENTION = 8
"""Records after something odd that go the long way whatever they are: what is odd is often odd only
beside what follows, and rules remember the last few messages."""

ENDED_KEPT = 200
"""Sessions that have ended and are not yet told; of those before them the report alone is kept, since a
file may hold any number. What still comes of such a session is there twice."""

_MSG = b'"msg":'
_TAIL = b"}\n"

ODD = frozenset({"error", "batch", "not-json", "not-json-rpc"})
"""Kinds of messages after which attention is due."""


class Watched:
    """A session that is being read: its examination, and whether what is plain may pass."""

    __slots__ = ("attention", "calls", "counted", "examination", "open", "recent", "reports", "vet")

    def __init__(self, examination: Examination) -> None:
        self.examination = examination
        self.vet = Vet(
            examination.case, holder_of(examination, "inputSchema"), holder_of(examination, "outputSchema")
        )
        self.attention = ATTENTION
        self.counted: Held | None = None
        """The rule that has been asked about the message that goes the long way next, and had no quarrel."""
        self.open = False
        self.calls: dict[int, bytes] = {}
        """Plain calls that have passed and are not answered: their records."""
        self.reports: dict[int, tuple[float, bytes]] = {}
        """The last progress of each of them, and its record."""
        self.recent: deque[bytes] = deque(maxlen=16)
        """The records that have passed since the last one that went the long way."""

    def show_calls(self) -> None:
        """Let the rules see the calls that are held; the model has them already."""
        examination, open_now = self.examination, self.examination.case.session.pairing.open
        for id, line in self.calls.items():
            record, exchange = read_record(line, 0), open_now.get(("c2s", id))
            if isinstance(record, Record) and exchange is not None:
                with_verdict(self.vet.arguments, False)
                examination.look(record, Paired(read_message(record.value), "asks", exchange))
                with_verdict(self.vet.arguments, None)
                if id in self.reports:
                    told = read_record(self.reports[id][1], 0)
                    if isinstance(told, Record):
                        examination.look(told, Paired(read_message(told.value), "reports", exchange))
        self.calls.clear()
        self.reports.clear()

    def take(self, step: Step) -> None:
        """Let the rules see a record that goes the long way."""
        self._remember()
        wanted, self.vet.wanted = self.vet.wanted, None
        counted, self.counted = self.counted, None
        with_verdict(wanted, True)
        with_verdict(counted, False)
        self.examination.take(step)
        with_verdict(wanted, None)
        with_verdict(counted, None)
        if is_odd(step):
            self.attention = ATTENTION
        elif step.paired:
            self.attention -= 1
        self.open = self.attention <= 0 and self._is_settled()
        if self.open:
            self.vet.renew()

    def take_stderr(self, record: Record, line: bytes) -> None:
        """The same for a line of stderr, which has nothing to do with what is held."""
        self.examination.case.take_place(record.seq)
        self.examination.take_stderr(record)
        self.recent.append(line)

    def told(self) -> Report:
        """What is to be said of the session, which is over."""
        self.examination.end()
        return report_of(self.examination.case, self.examination.findings(), "")

    def _remember(self) -> None:
        for line in self.recent:
            passed = read_record(line, 0)
            if isinstance(passed, Record):
                self.examination.case.after(passed)
        self.recent.clear()

    def _is_settled(self) -> bool:
        """Whether the session is in its operation, with nothing amiss about its beginning."""
        case = self.examination.case
        session = case.session
        if not case.begun or case.closed or session.exit is not None or session.pieces or case.parts:
            return False
        return session.protocol in ERAS and (session.era == "modern" or case.ready_t is not None)


def with_verdict(rule: Held | None, verdict: bool | None) -> None:
    """Tell a rule whether it is to look at the value that it is shown next, which has been counted."""
    if rule is not None:
        rule.sampler.verdict = verdict


def holder_of(examination: Examination, member: str) -> Held | None:
    """The rule that holds values against this schema of the tools."""
    return next(
        (rule for rule in examination.rules if isinstance(rule, Held) and rule.member == member), None
    )


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


class Checking(Express):
    """Reads the lines of a recording; ``reports`` gives what is to be said of each session in it."""

    def __init__(
        self,
        rules: Sequence[type[Rule]],
        thresholds: Thresholds | None = None,
        only: str | None = None,
        baseline: Baseline | None = None,
    ) -> None:
        super().__init__(None, only)
        self.rules = rules
        self.baseline = baseline
        self.thresholds = thresholds or Thresholds()
        self._watched: dict[str, Watched | Report] = {}
        """By session, what is being read of it, or what is to be said."""
        self._ended: deque[str] = deque()
        self._again: Counter[str] = Counter()
        """Records that have come of a session that is told."""
        self._line = b""

    def reports(self, file: str) -> Iterator[Report]:
        """The sessions that were read, diagnosed; what is read next is another file's."""
        for session, watched in self._watched.items():
            if isinstance(watched, Watched):
                self._show_all(session, watched)
        self.finish()
        for session, watched in self._watched.items():
            report = watched.told() if isinstance(watched, Watched) else watched
            if session in self._again and RecordsMissing in self.rules:
                more = there_twice(session, self._again[session])
                report = with_findings(report, [*report.findings, more])
            yield replace(report, file=file)
        self._watched.clear()
        self._ended.clear()
        self._again.clear()

    def _show_all(self, session: str, watched: Watched) -> None:
        track = self.tracks.get(session)
        if track is not None:
            track.settle()
            watched.show_calls()

    def _end(self, session: str) -> None:
        """Note that a session has ended, and keep no more than the report of one that did so long ago."""
        self._ended.append(session)
        if len(self._ended) <= ENDED_KEPT:
            return
        old = self._ended.popleft()
        watched = self._watched[old]
        if isinstance(watched, Watched):
            self._show_all(old, watched)
            self._watched[old] = watched.told()
            self.tracks[old].watched = None

    def _long_way(self, line: bytes, number: int) -> None:
        self._line = line
        super()._long_way(line, number)

    def _settle(self, track: Track, record: Record) -> None:
        if record.dir == "stderr":
            return
        track.settle()
        if track.watched is not None and track.watched.calls:
            track.watched.show_calls()
        if record.event == "exit":
            track.session.pairing.forget()

    def _took(self, session: Session, step: Step) -> None:
        watched = self._watched.get(session.id)
        if isinstance(watched, Report):
            self._again[session.id] += 1
            return
        if watched is None:
            watched = Watched(Examination(session, self.rules, self.thresholds, self.baseline))
            self._watched[session.id] = watched
            self.tracks[session.id].watched = watched
        if step.record.dir == "stderr":
            watched.take_stderr(step.record, self._line)
        else:
            watched.take(step)
            if step.record.event == "exit":
                self._end(session.id)

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
        watched: Watched | None = track.watched
        if (
            watched is None
            or not watched.open
            or size > SMALL_BYTES
            or id <= speaker.highest
            or seq != track.session.next_seq
        ):
            return False
        if not watched.vet.passes_request(speaker.side, message, id, line[-size - 2 :]):
            return False
        if not Express._request(self, track, speaker, message, id, seq, t, size, line):
            watched.counted = watched.vet.arguments
            return False
        watched.calls[id] = line
        watched.recent.append(line)
        case = watched.examination.case
        case.last_c2s_t, case.highest = t, seq
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
        watched: Watched | None = track.watched
        asked = speaker.other.asked.get(id)
        if (
            watched is None
            or not watched.open
            or asked is None
            or size > SMALL_BYTES
            or "result" not in message
        ):
            return False
        key, latency = asked[0], t - asked[2]
        if latency > PROMPT_SECONDS or id not in watched.calls or seq != track.session.next_seq:
            return False
        if not watched.vet.passes_result(key[1], key[2], message, line[-size - 2 :]):
            return False
        if not Express._result(self, track, speaker, message, id, seq, t, size, line):
            return False
        del watched.calls[id]
        if watched.reports:
            watched.reports.pop(id, None)
        case = watched.examination.case
        case.count(watched.vet.kinds[key[2] or ""])
        if latency > case.slowest:
            case.slowest, case.slowest_what = latency, f"{key[1]} {key[2]}"
        watched.recent.append(line)
        case.last_s2c_t = t
        case.last_s2c_seq = case.highest = seq
        return True

    def _without_id(self, record: dict[str, Any], line: bytes) -> bool:
        """Take a line of stderr, or a notification that says nothing new; as fast as a call."""
        name, seq, t, ts = record.get("session"), record.get("seq"), record.get("t"), record.get("ts")
        track = self.tracks.get(name) if type(name) is str else None
        if track is None or len(record) != KEYS or line[-2:] != _TAIL:
            return False
        if type(seq) is not int or type(t) is not float or type(ts) is not str:
            return False
        stream = record.get("dir")
        if stream == "stderr":
            return self._stderr(track, record.get("text"), seq, t, ts, line)
        watched: Watched | None = track.watched
        if (
            stream != "s2c"
            or watched is None
            or not watched.open
            or seq != track.session.next_seq
            or "msg" not in record
        ):
            return False
        message, speaker = record["msg"], track.speakers["s2c"]
        if type(message) is not dict or "id" in message or speaker.goes_on:
            return False
        payload = line[line.index(_MSG) + len(_MSG) : -2]
        if len(payload) > SMALL_BYTES or not takes_notification(track, watched, message, payload, line):
            return False
        speaker.messages += 1
        speaker.bytes += len(payload) + 1
        note_time(track.session, seq, t)
        watched.recent.append(line)
        case = watched.examination.case
        case.last_s2c_t = t
        case.last_s2c_seq = case.highest = seq
        return True

    def _stderr(self, track: Track, text: Any, seq: int, t: float, ts: str, line: bytes) -> bool:
        watched: Watched | None = track.watched
        if watched is None or not take_stderr(track.session, text, seq, t):
            return False
        watched.recent.append(line)
        watched.examination.case.take_place(seq)
        watched.examination.take_stderr_text(text, seq, t, ts)
        return True


def takes_notification(
    track: Track, watched: Watched, message: dict[str, Any], payload: bytes, line: bytes
) -> bool:
    """Take progress of a call that is held, or a log message, if no rule can say anything of it."""
    params, method = message.get("params"), message.get("method")
    if type(params) is not dict or "_meta" in params:
        return False
    if method == "notifications/progress":
        token = params.get("progressToken")
        if type(token) is not int or token not in watched.calls:
            return False
        before, _ = watched.reports.get(token, (None, b""))
        if not watched.vet.passes_progress(message, params, payload, before):
            return False
        if not reported(track.speakers["c2s"].asked, token):
            return False
        watched.reports[token] = (params["progress"], line)
    elif (
        method != "notifications/message"
        or not watched.vet.passes_log(message, params, payload)
        or not logged(track)  # of several open calls it may be any one's: the model has to see it
    ):
        return False
    if method not in track.session.methods and len(track.session.methods) < METHODS_KEPT:
        track.session.methods.add(method)
    return True
