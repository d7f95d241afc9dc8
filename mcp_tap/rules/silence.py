"""LIF: servers that fall silent, or speak in bursts, and what that looks like."""

from __future__ import annotations

from dataclasses import dataclass, field

from mcp_tap.model.exchange import Exchange
from mcp_tap.model.methods import STAYS_OPEN
from mcp_tap.record.reader import Record
from mcp_tap.rules.case import NAME_KEPT, Case, Seen, plural, seconds
from mcp_tap.rules.facts.pending import (
    IN_FLIGHT_SECONDS,
    ended_by_client,
    explain,
    how_it_ended,
    is_all_on_file,
    left_t,
    named,
    open_for,
)
from mcp_tap.rules.finding import Severity
from mcp_tap.rules.rule import Rule

TOGETHER_SECONDS = 0.005
"""Within which answers count as read at once."""

LATE_SECONDS = 1.0
"""Age of the oldest request that makes answers read at once a burst."""

SET_OFF_SECONDS = 0.1
"""Age of the newest one: a full buffer is emptied by the answer that does not fit into it. Answers that
queued up behind a slow call come when that is done, which has nothing to do with a new request."""

BURSTS = 2
"""One is no proof."""

GAVE_UP_SECONDS = 2.0
"""How long a client must have waited for its leaving to be for want of an answer."""

FLUSH_SECONDS = 1.0
"""After the client has closed stdin, within which a server leaves that had nothing else to do."""

RECORDS_OF_BURST = 20
"""Records of one burst that the finding names."""


@dataclass(slots=True)
class Burst:
    """Answers that were read at once."""

    t: float
    oldest: float
    newest: float
    size: int = 0
    records: list[int] = field(default_factory=list)

    def add(self, exchange: Exchange, seq: int) -> None:
        """One more answer."""
        self.oldest, self.newest = min(self.oldest, exchange.t), max(self.newest, exchange.t)
        self.size += 1
        if len(self.records) < RECORDS_OF_BURST:
            self.records += [exchange.seq, seq]

    @property
    def looks_held_back(self) -> bool:
        """Whether the answers look as if they had waited for the last one of them."""
        late = self.t - self.oldest >= LATE_SECONDS
        return self.size > 1 and late and self.t - self.newest <= SET_OFF_SECONDS

    @property
    def was_prompt(self) -> bool:
        """Whether one of them came without delay, which a held-back one does not."""
        return self.t - self.newest < LATE_SECONDS


class BlockBuffered(Rule):
    """stdout looks block-buffered.

    What it means: the server's answers did not come one by one. They came several at once, long
    after most of their requests and right after the last of them; or all of them only when the
    client had given up and closed stdin. Programs behave like this whose output is not flushed: to a
    terminal it goes line by line, to a pipe in blocks of 4 or 8 kB.

    Why it matters: the handshake times out, or answers arrive several calls late. It is an error
    where nothing came before the client gave up, else a warning.

    Fails, from the start:
        → 0 initialize …
        30 ·· eof stream=c2s
        30.05 ← 0 result …
        30.06 ·· eof stream=s2c
        30.06 ·· exit code=0 first=client-eof

    Passes:
        1 → 5 tools/call {"name":"export","arguments":{}}
        2 → 6 ping
        3 → 7 tools/list
        5 ← 5 result {"content":[]}
        5.001 ← 6 result {}
        5.002 ← 7 result {"tools":[]}

    What to do: flush stdout after each message. Python: `python -u`, `PYTHONUNBUFFERED=1` or
    `print(…, flush=True)`; C: `setvbuf(stdout, NULL, _IOLBF, 0)`; other programs: `stdbuf -oL`.
    """

    id = "LIF022"
    title = "stdout looks block-buffered"
    severity = "warning"
    culprit = "server"
    certainty = "heuristic"
    next = "flush stdout after each message (Python: -u or PYTHONUNBUFFERED=1)"

    def __init__(self, case: Case) -> None:
        super().__init__(case)
        self.prompt = False
        """Whether an answer came by itself and at once: then nothing is held back."""
        self.burst: Burst | None = None
        self.bursts: list[Burst] = []
        self.held: list[tuple[Exchange, int]] = []
        """What was answered after the client had left, where nothing was before."""
        self.last_answer_t = 0.0
        self.stdout_ended_t: float | None = None

    def answer(self, seen: Seen) -> None:
        exchange = seen.exchange
        if self.prompt or seen.side != "s2c" or exchange is None or exchange.waited:
            return
        if self.case.closed:
            self.after_the_end(seen, exchange)
            return
        if self.burst is not None and seen.t - self.burst.t > TOGETHER_SECONDS:
            self.settle()
        if self.burst is None:
            self.burst = Burst(seen.t, exchange.t, exchange.t)
        self.burst.add(exchange, seen.seq)

    def settle(self) -> None:
        """Judge the answers that were read together."""
        burst, self.burst = self.burst, None
        if burst is None:
            return
        if not burst.looks_held_back:
            self.prompt = self.prompt or burst.was_prompt
        elif len(self.bursts) < RECORDS_OF_BURST:
            self.bursts.append(burst)

    def after_the_end(self, seen: Seen, exchange: Exchange) -> None:
        first, left = self.case.session.first_byte_t, self.case.client_closed_t
        silent = first is not None and left is not None and first >= left
        if silent and len(self.held) < RECORDS_OF_BURST:
            self.held.append((exchange, seen.seq))
            self.last_answer_t = seen.t

    def event(self, record: Record) -> None:
        if record.event == "eof" and record.fields.get("stream") == "s2c":
            self.stdout_ended_t = record.t

    def end(self) -> None:
        self.settle()
        if not is_all_on_file(self.case):
            return
        if self.held:
            self.flushed_at_the_end()
        elif not self.prompt and len(self.bursts) >= BURSTS:
            self.came_in_bursts()

    def flushed_at_the_end(self) -> None:
        case, ended = self.case, self.stdout_ended_t
        if case.client_closed_by != "eof" or ended is None or case.client_closed_t is None:
            return
        waited = case.client_closed_t - self.held[0][0].t
        soon = ended - case.client_closed_t <= FLUSH_SECONDS
        at_last = ended - self.last_answer_t <= SET_OFF_SECONDS
        if waited < GAVE_UP_SECONDS or not soon or not at_last or not ended_by_client(case):
            return
        numbers = [number for exchange, seq in self.held for number in (exchange.seq, seq)]
        answers = plural(len(self.held), "answer")
        self.hit(
            numbers,
            f"nothing on stdout for {seconds(waited)} until the client closed stdin, then {answers} as the "
            "server left: stdout looks block-buffered",
            severity="error",
            explains=numbers,
        )

    def came_in_bursts(self) -> None:
        largest = max(self.bursts, key=lambda burst: (burst.size, burst.t - burst.oldest))
        numbers = [number for burst in self.bursts for number in burst.records]
        after = seconds(largest.t - largest.oldest)
        hit = self.hit(
            numbers,
            f"answers came in {len(self.bursts)} bursts, {largest.size} of them together, {after} after the "
            "first request: stdout looks block-buffered",
        )
        explain(hit, (*numbers, *(each.seq for each in self.case.session.unanswered())))


STDERR_BUFFER = {"win32": 4096}
"""Bytes of stderr that fit into a pipe which nobody reads, by platform."""

QUIET_SECONDS = 10.0
"""Silence that is none of a server at work for a moment."""

LONG_SILENCE_SECONDS = 30.0
"""Silence beyond what a server that does one thing at a time is often busy."""

PROMPT_SECONDS = 5.0
"""Within which a server that reads its input answers what takes no work."""


class StderrNotRead(Rule):
    """Everything fell silent after much stderr.

    What it means: the server had written as much to stderr as a pipe holds (64 KiB, on Windows
    4 KiB), and then nothing more came, neither on stderr nor on stdout, while requests were
    open. Where the tap can tell (not on Windows), it is sure that the client had stopped reading
    stderr.

    Why it matters: a server that logs into a full pipe is blocked in that write, often after an
    hour in which all was well. It looks as if the server hung.

    Fails:
        1 2> the last of 64 KiB of log lines
        2 ·· stall stream=stderr
        3 → 5 tools/call {"name":"search","arguments":{}}
        63 ·· eof stream=c2s
        63.1 ·· exit code=0 first=client-eof

    Passes:
        1 2> the last of 64 KiB of log lines
        2 ·· stall stream=stderr
        3 → 5 tools/call {"name":"search","arguments":{}}
        4 ← 5 result {"content":[]}

    What to do: let the client read the server's stderr all the time, or send it to a file or to
    nothing. Until then log less.
    """

    id = "LIF023"
    title = "silent after much stderr"
    severity = "warning"
    culprit = "client"
    certainty = "heuristic"
    next = "let the client read the server's stderr all the time, or redirect it; log less until then"

    def __init__(self, case: Case) -> None:
        super().__init__(case)
        self.stalled: int | None = None
        """The record since which the reader of stderr takes nothing."""
        self.last: int | None = None
        """The last record of stderr."""
        self.last_t = 0.0

    def stderr(self, record: Record) -> None:
        self.last, self.last_t = record.seq, record.t

    def event(self, record: Record) -> None:
        if record.fields.get("stream") == "stderr":
            if record.event == "stall" and not self.case.closed:
                self.stalled = record.seq
            elif record.event == "flow":
                self.stalled = None

    def end(self) -> None:
        case = self.case
        if self.last is None or not is_all_on_file(case) or not case.closed:
            return
        if case.last_s2c_seq is not None and case.last_s2c_seq > self.last:
            return  # stdout was the last sign of life
        if case.over and not ended_by_client(case):
            return
        written = case.session.bytes["stderr"]
        platform = case.session.start.get("platform")
        if self.stalled is None:
            # Elsewhere the tap would have noted that the reader stopped.
            limit = STDERR_BUFFER.get(platform) if isinstance(platform, str) else None
            if limit is None or written < limit:
                return
        waiting = [each for each in case.session.unanswered() if each.side == "c2s"]
        if left_t(case) - self.last_t < QUIET_SECONDS or not waiting:
            return
        if open_for(waiting[0], case) < QUIET_SECONDS:
            return
        after = (
            f"all streams silent for {seconds(left_t(case) - self.last_t)} after {written:,} bytes of stderr"
        )
        open_ = plural(len(waiting), "request")
        if self.stalled is not None:
            message = f"{after}, which the client had stopped reading; {open_} unanswered"
        else:
            message = f"{after}, {open_} unanswered: the reader of stderr may have stopped"
        records = [self.last, *(() if self.stalled is None else (self.stalled,)), waiting[0].seq]
        hit = self.hit(records, message, culprit="client" if self.stalled is not None else "undecided")
        explain(hit, (each.seq for each in waiting))


class Blocked(Rule):
    """The server stopped answering.

    What it means: since one request the server has written nothing to stdout, and requests that
    came later were not answered either, although the process was running.

    Why it matters: the server is blocked as a whole: a handler that never returns in a server
    that does one thing at a time, a lock, or a child process that shares the server's stdin and
    eats the requests. Half a minute of it is an error, ten seconds a warning.

    Fails:
        1 → 3 tools/call {"name":"git_status","arguments":{}}
        30 → 4 ping
        90 ·· eof stream=c2s
        90.1 ·· exit code=0 first=client-eof

    Passes (and LIF017):
        1 → 3 tools/call {"name":"git_status","arguments":{}}
        30 → 4 ping
        30.1 ← 4 result {}
        90 ·· eof stream=c2s
        90.1 ·· exit code=0 first=client-eof

    What to do: start child processes with a stdin of their own (Python: `stdin=subprocess.DEVNULL`),
    do not block the read loop, and give everything a time-out.
    """

    id = "LIF024"
    title = "server blocked"
    severity = "error"
    culprit = "undecided"
    next = "give child processes a stdin of their own (DEVNULL), keep handlers from blocking the read loop"

    def __init__(self, case: Case) -> None:
        super().__init__(case)
        self.serves: set[str] = {"ping"}
        """Methods that the server is known to answer."""

    def answer(self, seen: Seen) -> None:
        exchange = seen.exchange
        if seen.side == "s2c" and exchange is not None and len(self.serves) < METHODS_KEPT:
            self.serves.add(exchange.method)

    def end(self) -> None:
        case, spoke = self.case, self.case.last_s2c_seq
        if spoke is None or case.session.initialized_t is None or not is_all_on_file(case):
            return
        if not case.closed or (case.over and not ended_by_client(case)) or self.waits_for_the_client():
            return
        waiting = [each for each in self.waiting() if each.seq > spoke]
        later = [each for each in waiting if each.t - waiting[0].t >= LATE_SECONDS and self.is_served(each)]
        if not later:
            return
        first = waiting[0]
        silent = left_t(case) - first.t
        if silent < QUIET_SECONDS:
            return
        severity: Severity = "error" if silent >= LONG_SILENCE_SECONDS else "warning"
        also = named(later[0]) + (f" and {len(later) - 1:,} more" if len(later) > 1 else "")
        hit = self.hit(
            [first.seq, *(each.seq for each in later)],
            f"nothing on stdout for {seconds(silent)} since {named(first)} until {how_it_ended(case)}, "
            f"{also} unanswered too: server blocked; a child process sharing stdin is a common cause",
            key=first.method[:NAME_KEPT],
            severity=severity,
        )
        explain(hit, (first.seq, *(each.seq for each in later)))

    def waiting(self) -> list[Exchange]:
        """Requests of the client without an answer, given up or not, that a server cannot overlook."""
        pairing = self.case.session.pairing
        left = [
            each
            for each in (*pairing.superseded, *pairing.open.values())
            if each.side == "c2s"
            and each.outcome == "open"
            and each.method not in STAYS_OPEN
            and type(each.id) in (int, str)
            and left_t(self.case) - each.t > IN_FLIGHT_SECONDS
        ]
        return sorted(left, key=lambda each: each.seq)

    def is_served(self, exchange: Exchange) -> bool:
        """Whether the server answers such requests, and had time to; some servers ignore unknown ones."""
        offers = self.case.session.capabilities.get("s2c")
        offered = isinstance(offers, dict) and exchange.method.partition("/")[0] in offers
        return open_for(exchange, self.case) >= PROMPT_SECONDS and (offered or exchange.method in self.serves)

    def waits_for_the_client(self) -> bool:
        """Whether it is the server's own question that is not answered."""
        return any(each.side == "s2c" and each.method != "ping" for each in self.case.session.unanswered())


METHODS_KEPT = 100
"""Methods that are remembered as answered."""


RULES: tuple[type[Rule], ...] = (BlockBuffered, StderrNotRead, Blocked)
