"""LIF022: stdout looks block-buffered."""

from __future__ import annotations

from dataclasses import dataclass, field

from mcp_tap.diagnosis.context import Answer, SessionContext
from mcp_tap.diagnosis.interest import sees
from mcp_tap.diagnosis.pending import ended_by_client, explain, is_all_on_file
from mcp_tap.diagnosis.rule import Rule
from mcp_tap.diagnosis.text import plural, seconds
from mcp_tap.model.exchange import Exchange
from mcp_tap.record.reader import Record
from mcp_tap.rules.lifecycle._base import GAVE_UP_SECONDS, LATE_SECONDS

TOGETHER_SECONDS = 0.005
"""Within which answers count as read at once."""

SET_OFF_SECONDS = 0.1
"""Age of the newest one: a full buffer is emptied by the answer that does not fit into it. Answers that
queued up behind a slow call come when that is done, which has nothing to do with a new request."""

BURSTS = 2
"""One is no proof."""

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
    needs_whole = True
    next = "flush stdout after each message (Python: -u or PYTHONUNBUFFERED=1)"

    def __init__(self, context: SessionContext) -> None:
        super().__init__(context)
        self.prompt = False
        """Whether an answer came by itself and at once: then nothing is held back."""
        self.burst: Burst | None = None
        self.bursts: list[Burst] = []
        self.held: list[tuple[Exchange, int]] = []
        """What was answered after the client had left, where nothing was before."""
        self.last_answer_t = 0.0
        self.stdout_ended_t: float | None = None

    @sees(sides="s2c")
    def answer(self, answer: Answer) -> None:
        exchange = answer.exchange
        if exchange.waited:
            return
        if self.context.closed:
            self.after_the_end(answer)
            return
        if self.burst is not None and answer.t - self.burst.t > TOGETHER_SECONDS:
            self.settle()
        if self.burst is None:
            self.burst = Burst(answer.t, exchange.t, exchange.t)
        self.burst.add(exchange, answer.seq)

    def settle(self) -> None:
        """Judge the answers that were read together."""
        burst, self.burst = self.burst, None
        if burst is None:
            return
        if not burst.looks_held_back:
            if burst.was_prompt:
                self.prompt = True
                self.retire()
        elif len(self.bursts) < RECORDS_OF_BURST:
            self.bursts.append(burst)

    def after_the_end(self, answer: Answer) -> None:
        first, left = self.context.session.first_byte_t, self.context.client_closed_t
        silent = first is not None and left is not None and first >= left
        if silent and len(self.held) < RECORDS_OF_BURST:
            self.held.append((answer.exchange, answer.seq))
            self.last_answer_t = answer.t

    def event(self, record: Record) -> None:
        if record.event == "eof" and record.fields.get("stream") == "s2c":
            self.stdout_ended_t = record.t

    def end(self) -> None:
        self.settle()
        if not is_all_on_file(self.context):
            return
        if self.held:
            self.flushed_at_the_end()
        elif not self.prompt and len(self.bursts) >= BURSTS:
            self.came_in_bursts()

    def flushed_at_the_end(self) -> None:
        context, ended = self.context, self.stdout_ended_t
        if context.client_closed_by != "eof" or ended is None or context.client_closed_t is None:
            return
        waited = context.client_closed_t - self.held[0][0].t
        soon = ended - context.client_closed_t <= FLUSH_SECONDS
        at_last = ended - self.last_answer_t <= SET_OFF_SECONDS
        if waited < GAVE_UP_SECONDS or not soon or not at_last or not ended_by_client(context):
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
        explain(hit, (*numbers, *(each.seq for each in self.context.session.unanswered())))
