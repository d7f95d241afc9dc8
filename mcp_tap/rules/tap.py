"""TAP: what the tap says about its own recording, and where it was the cause itself."""

from __future__ import annotations

from mcp_tap.errors import ExitStatus
from mcp_tap.record.reader import Record
from mcp_tap.rules.case import Case, plural, seconds
from mcp_tap.rules.facts.complaints import brief, masked
from mcp_tap.rules.facts.life import name_of, words_of
from mcp_tap.rules.finding import Culprit, Finding, Hit
from mcp_tap.rules.rule import Rule


def count_in(record: Record, name: str) -> int:
    """A number in an event's fields; 0 where it is none."""
    value = record.fields.get(name)
    return value if isinstance(value, int) and not isinstance(value, bool) and value > 0 else 0


class LogFailed(Rule):
    """The recording has a gap: the log failed.

    What it means: for a time the tap could not write to the recording: a full disk, a file or folder
    that was removed, no descriptor left. It went on forwarding, as it is meant to; the lines that
    passed are not on file. The session itself was not disturbed.

    Why it matters: what is missing may be what you look for. Findings that rest on something not
    being there ("never answered") are not made for such a session.

    Fails:
        2 ·· gap records=3 bytes=600 reason="No space left on device"

    Passes:
        2 → 1 ping
        2.1 ← 1 result

    What to do: make room, or record to another place (`--log-dir`), and record again.
    """

    id = "TAP001"
    title = "the recording has a gap"
    severity = "warning"
    culprit = "environment"
    next = "make room, or record to another place (--log-dir), and record again; the session is not at fault"

    def event(self, record: Record) -> None:
        if record.event != "gap":
            return
        why = brief(str(record.fields.get("reason")))
        culprit: Culprit | None = "tap" if why in OWN_REASONS else None
        hit = self.hit(record, "", key=why, culprit=culprit)
        hit.facts["why"] = why
        for what in ("records", "bytes"):
            before = hit.facts.get(what, 0)
            hit.facts[what] = count_in(record, what) + (before if isinstance(before, int) else 0)

    def sentence(self, hit: Hit) -> str:
        lost, size = hit.facts["records"], hit.facts["bytes"]
        assert isinstance(lost, int)
        assert isinstance(size, int)
        times = "" if hit.count == 1 else f" in {hit.count:,} gaps"
        return (
            f"{plural(lost, 'record')} ({plural(size, 'byte')}) could not be written{times}, and "
            f"{'is' if lost == 1 else 'are'} missing: {hit.facts['why']}"
        )


OWN_REASONS = frozenset({"Cannot allocate memory", "Not enough space"})
"""Where the tap itself could not hold a line."""


class LimitReached(Rule):
    """The size limit of the recording was reached.

    What it means: the session had as many bytes of records as `--max-log-size` allows. From there on
    lines are forwarded and not recorded.

    Why it matters: the recording ends in the middle of the session. Findings that rest on something
    not being there are not made.

    Fails:
        2 ·· limit bytes=1000000

    Passes:
        2 → 1 ping
        2.1 ← 1 result

    What to do: record with a larger `--max-log-size`; 0 is no limit.
    """

    id = "TAP002"
    title = "the size limit was reached"
    severity = "info"
    culprit = "tap"
    next = "record with a larger --max-log-size (0 is no limit)"

    def event(self, record: Record) -> None:
        if record.event == "limit":
            size = count_in(record, "bytes")
            self.hit(
                record,
                f"the limit of {plural(size, 'byte')} was reached after {seconds(record.t)}: later lines are "
                "not recorded",
            )


class RecordsMissing(Rule):
    """Records are missing from the file, or are there twice.

    What it means: the records of a session are numbered without a gap, and here numbers are missing
    that no `gap` event accounts for: the file was cut, filtered or edited, or the machine crashed.
    Or numbers come again: copies of one recording were joined, or its lines were sorted.

    Why it matters: what is missing may be what you look for. Findings that rest on something not
    being there, or on the order of things, are not made for such a session.

    Fails:
        ·· lost records=3
        2 → 1 ping
        2.1 ← 1 result

    Passes:
        2 → 1 ping
        2.1 ← 1 result

    What to do: check the file that the tap has written itself.
    """

    id = "TAP003"
    title = "records are missing"
    severity = "warning"
    culprit = "undecided"
    next = "check the file as the tap has written it: this one was cut, filtered, edited, or hit by a crash"

    def __init__(self, case: Case) -> None:
        super().__init__(case)
        self.told = 0
        """Missing records that gaps account for."""

    def event(self, record: Record) -> None:
        if record.event == "gap":
            self.told += count_in(record, "records")

    def end(self) -> None:
        again = self.case.disordered
        if again:
            self.hit(None, again_words(again), key=AGAIN, next=AGAIN_NEXT)
        missing = self.case.session.missing - self.told
        if missing <= 0:
            return
        where = "" if self.case.begun else ", the start of the session among them"
        are = "is" if missing == 1 else "are"
        self.hit(None, f"{plural(missing, 'record')} of the session {are} not in the file{where}")


AGAIN = "again"
AGAIN_NEXT = "check each recording once, as the tap has written it"


def again_words(records: int) -> str:
    """That so many records have come before."""
    are = "is" if records == 1 else "are"
    return f"{plural(records, 'record')} of the session {are} in the file twice, or not in order"


def there_twice(session: str, records: int) -> Finding:
    """The finding of RecordsMissing about a session that was over when so many records of it came."""
    rule = RecordsMissing
    culprit: Culprit = "undecided"
    return Finding(
        rule.id, rule.severity, culprit, rule.certainty, again_words(records), AGAIN_NEXT, session, key=AGAIN
    )


class CutShort(Rule):
    """The recording stops in the middle of the end.

    What it means: the client had begun to end the session (it closed stdin, or sent a signal), or
    the server had closed its stdout, and no record tells how the server ended. The tap was killed
    together with it (SIGKILL leaves no time for a record), or is still waiting for it.

    Why it matters: it is harmless where a client is impatient. It also shows a server that does not
    leave: clients use SIGKILL where nothing else has helped.

    Fails:
        5 ·· eof stream=c2s
        5.5 ·· signal name=SIGTERM forwarded=true
        ...

    Passes:
        5 → 1 ping
        5.1 ← 1 result
        ...

    What to do: nothing, or see whether the server ends by itself within two seconds after its stdin
    is closed.
    """

    id = "TAP004"
    title = "the end is not on file"
    severity = "info"
    culprit = "undecided"
    next = "nothing, or see whether the server leaves within two seconds after its stdin is closed"

    def end(self) -> None:
        case = self.case
        if case.over or not case.whole:
            return
        ways = [case.life.ends.get("c2s"), case.life.ends.get("s2c"), *case.life.signals[-1:]]
        steps = sorted((record for record in ways if record is not None), key=lambda record: record.seq)
        if steps:
            last = steps[-1]
            what = name_of(last) if last.event == "signal" else ENDED.get(str(last.fields.get("stream")), "")
            self.hit(
                [record.seq for record in steps],
                f"no end is on file after {what}: the tap was killed with its server, or both still run",
            )


ENDED = {"c2s": "the client closed stdin", "s2c": "the server closed its stdout"}


class TapFailed(Rule):
    """The tap could not do its part.

    What it means: the server was not started because the tap itself had no descriptor, process or
    memory left to start it with. The command may be all right.

    Why it matters: without the tap the server might have run: this failure is the recorder's.

    Fails, from the start:
        ·· spawn_failed error="cannot start 'notes-server': Too many open files" code=125
        ·· exit code=125 first=spawn-failed

    Passes, from the start (and PRO001):
        ·· spawn_failed error="cannot start 'notes-server': not found on PATH (/usr/bin)" code=127
        ·· exit code=127 first=spawn-failed

    What to do: look at the limits of the client's process (`ulimit -n`, `ulimit -u`), and tell the
    authors of mcp-tap.
    """

    id = "TAP005"
    title = "the tap could not do its part"
    severity = "error"
    culprit = "tap"
    next = "look at the limits of the client's process (ulimit -n, ulimit -u); without the tap it may work"

    def event(self, record: Record) -> None:
        if record.event == "spawn_failed" and record.fields.get("code") == ExitStatus.TAP_FAILED:
            words = words_of(self.case.session.start)
            command = f" `{masked(words[0])}`" if words else ""
            error = brief(str(record.fields.get("error")))
            self.hit(record, f"the tap itself could not start the server{command}: {error}", explains=None)


STUCK_SECONDS = 10.0
"""Seconds after which a reader that takes nothing is stuck; busy ones take a few."""

READERS: dict[str, tuple[Culprit, str, str]] = {
    "s2c": (
        "client",
        "client took nothing from the server's stdout",
        "let the client read stdout all the time, also while it writes or works",
    ),
    "c2s": (
        "server",
        "server took nothing from its stdin",
        "let the server read stdin all the time: do not block the read loop in handlers",
    ),
    "stderr": (
        "client",
        "nobody took anything from the server's stderr",
        "let the client read stderr all the time, or send it to a file",
    ),
}
"""Who reads a stream, in a sentence, and what to do."""


class ReaderStalled(Rule):
    """A reader took nothing.

    What it means: the tap had bytes to hand over and for a second or more nobody took them: the
    pipe was full. It waits then, as the pipe itself would without the tap.

    Why it matters: whoever writes to a full pipe is blocked. A server that cannot get rid of its
    stderr stops answering; a client that does not read, while it writes, may block both sides. Up
    to ten seconds, or on stderr, this is information; if it goes on, a warning.

    Fails:
        3 ·· stall stream=s2c
        20 ·· flow stream=s2c seconds=18.0

    Passes:
        3 ·· eof stream=c2s
        3.1 ·· stall stream=s2c
        4 ·· exit code=0 first=client-eof

    What to do: read all streams all the time, on both sides.
    """

    id = "TAP006"
    title = "a reader took nothing"
    severity = "info"
    culprit = "undecided"
    next = "read all streams all the time, on both sides"

    def __init__(self, case: Case) -> None:
        super().__init__(case)
        self.since: dict[str, Record] = {}
        """Streams of which the reader takes nothing just now."""

    def event(self, record: Record) -> None:
        stream = record.fields.get("stream")
        if self.case.closed:
            if self.case.client_closed_t == record.t:
                self._finish(record.t)
            return
        if not isinstance(stream, str) or stream not in READERS:
            return
        if record.event == "stall":
            self.since.setdefault(stream, record)
        elif record.event == "flow" and stream in self.since:
            self._note(stream, self.since.pop(stream), record.t, over=True)

    def end(self) -> None:
        self._finish(self.case.session.last_t)

    def _finish(self, t: float) -> None:
        """What stalls still has done so up to ``t``."""
        for stream, stall in self.since.items():
            self._note(stream, stall, t, over=False)
        self.since.clear()

    def _note(self, stream: str, stall: Record, until: float, *, over: bool) -> None:
        culprit, _, advice = READERS[stream]
        took = max(0.0, until - stall.t) + STALL_SECONDS
        waiting = [] if over else [each.seq for each in self.case.session.unanswered() if each.side == "c2s"]
        hit = self.hit([stall.seq, *waiting[:REQUESTS_NAMED]], "", key=stream, culprit=culprit, next=advice)
        hit.facts["stream"] = stream
        longest = hit.facts.get("longest", 0.0)
        if isinstance(longest, float) and took > longest:
            hit.facts.update(longest=took, over=over)
        if took >= STUCK_SECONDS and stream != "stderr":
            hit.severity = "warning"

    def sentence(self, hit: Hit) -> str:
        _, what, _ = READERS[str(hit.facts["stream"])]
        longest = hit.facts.get("longest", 0.0)
        assert isinstance(longest, float)
        often = "for" if hit.count == 1 else f"{hit.count:,} times, for up to"
        on = "" if hit.facts.get("over") else ", and had not begun again"
        return f"{what} {often} {seconds(longest)}{on}: what was sent to it waited"


REQUESTS_NAMED = 3
"""Requests that waited meanwhile, of which the records are named."""

STALL_SECONDS = 1.0
"""For so long a reader has taken nothing when the tap says so."""


RULES: tuple[type[Rule], ...] = (LogFailed, LimitReached, RecordsMissing, CutShort, TapFailed, ReaderStalled)
