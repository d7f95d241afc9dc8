"""Lines that are no messages, sorted out: what each is, and whether several are one message together.

Rules about such lines are told of them by :class:`Strays`, of which there is one for a session. It
holds back lines that may be parts of a message which was written over several lines, so that
they are not reported as text, too.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import ClassVar

from mcp_tap.diagnosis.asked import code_of, explain, other
from mcp_tap.diagnosis.context import InvalidLine, SessionContext, UnmatchedResponse
from mcp_tap.diagnosis.departure import Place
from mcp_tap.diagnosis.finding import Culprit, Hit, Severity
from mcp_tap.diagnosis.interest import sees
from mcp_tap.diagnosis.recognise.kinds import (
    HALF_PAIR,
    KINDS,
    LOOKED_AT,
    LSP_BODY_END,
    LSP_TYPE,
    LineKind,
    is_a_message,
    is_like_a_message,
    is_mostly_nul,
    is_utf_8_but_for_halves,
    message_within,
    values_of,
)
from mcp_tap.diagnosis.rule import Rule
from mcp_tap.diagnosis.text import EXCERPT_KEPT, called, excerpt, key_of_request, named, quoted, short
from mcp_tap.model.exchange import Exchange, Paired
from mcp_tap.model.message import Message, Side, id_key, read_message
from mcp_tap.record.patterns import lazy
from mcp_tap.record.reader import Record

SPREAD_LINES = 200
SPREAD_BYTES = 1024 * 1024
"""Lines, and bytes, of one direction that are held back: pretty-printed messages are smaller."""

QUOTED_BYTES = EXCERPT_KEPT * 16
"""Bytes of the letters that ``excerpt`` looks at."""

RESPONSE_ID = lazy(rb'\s*\{[^{}]*?"id"\s*:\s*("[\w.:-]{0,80}"|-?\d{1,18})')
RESPONSE_HEAD = 300
"""Bytes of a broken line in which its id is looked for."""


@dataclass(frozen=True, slots=True)
class Stray:
    """A line that is no message (or several that are one, ``spread``), as it came.

    ``line`` is its first megabyte. ``message`` is what it was meant as, where a lenient reader can
    tell, and ``exchange`` the open request that it was to answer. ``place`` is what had been said
    before, ``number`` the number of the line in its stream.
    """

    invalid: InvalidLine
    kind: LineKind
    line: bytes
    size: int
    place: Place
    number: int
    message: Message | None
    exchange: Exchange | None
    records: tuple[int, ...]

    @property
    def side(self) -> Side:
        """Who wrote it."""
        return self.invalid.side

    @property
    def culprit(self) -> Culprit:
        """The same, for a finding."""
        return "server" if self.side == "s2c" else "client"

    @property
    def stream(self) -> str:
        """``stdout`` or ``stdin``: the server's, in both cases."""
        return "stdout" if self.side == "s2c" else "stdin"

    @property
    def text(self) -> str:
        """The line, as far as it is looked at."""
        return self.line[:LOOKED_AT].decode(errors="replace")

    @property
    def beginning(self) -> str:
        """What of the line an excerpt can need: a batch is quoted for each of its messages."""
        return self.line[:QUOTED_BYTES].decode(errors="replace")

    @property
    def quote(self) -> str:
        """The beginning of the line, in quotes; what looks like a secret is masked."""
        return quoted(excerpt(self.beginning))

    @property
    def what(self) -> str:
        """``the answer to tools/call `read` (id 3)``, as far as it is known."""
        if self.exchange is not None:
            return f"the answer to {called(self.exchange)} (id {short(self.exchange.id)})"
        message = self.message
        if message is not None and message.method is not None:
            kind = "request" if message.kind == "request" else "message"
            return f"the {kind} {quoted(message.method)[1:-1]}" + (
                f" {named(message.target)}" if message.target else ""
            )
        return "a line"

    @property
    def key(self) -> str:
        """A key that is the same in another session: who, and which method."""
        method = (
            key_of_request(self.exchange) if self.exchange is not None else (self.message or NOTHING).method
        )
        return f"{self.side} {method}" if method else self.side


NOTHING = Message("not-json")


@dataclass(slots=True, eq=False)
class Run:
    """Lines of one side, one after the other, that may be one message together."""

    said: int
    """Messages of that side before: one more, and the run is over."""
    held: list[Stray] = field(default_factory=list)
    size: int = 0


class Strays:
    """Sorts the lines of a session that are no messages, and tells the rules that listen."""

    def __init__(self) -> None:
        self.listeners: dict[LineKind, list[StrayRule]] = {}
        self._runs: dict[Side, Run] = {}
        self._framed: set[Side] = set()
        """Sides that frame their messages as LSP does."""
        self._wide: set[Side] = set()
        """Sides that write UTF-16."""
        self._item: Paired | None = None
        self._record: Record | None = None
        self._line = b""
        self._is_list_of_messages = False

    def feed(self, invalid: InvalidLine) -> None:
        """Take the next line; all rules that listen feed it, and the first call for a line counts."""
        if invalid.item is self._item:
            return
        self._item = invalid.item
        first = invalid.record is not self._record
        self._record = invalid.record
        if type(invalid.record.value) is list:
            if first:
                self._is_list_of_messages = any(map(is_like_a_message, invalid.record.value))
            if not first and not self._is_list_of_messages:
                return  # a list that was printed is one line, however many parts a batch would have
        if first:
            self._line = beginning_of(invalid)
        if invalid.side not in invalid.context.doubtful:
            self._take(self._read(invalid))

    def flush(self) -> None:
        """Tell what is held back: nothing more comes."""
        for side in list(self._runs):
            self._release(side)

    def _read(self, invalid: InvalidLine) -> Stray:
        context, record, side, line = invalid.context, invalid.record, invalid.side, self._line
        parts = context.parts.get(side)
        kind, message = self._sort(invalid, line)
        began_t = invalid.t if parts is None else parts.began_t
        exchange = invalid.exchange
        if exchange is None and message is not None:
            exchange = meant_for(context, side, message)
        elif exchange is None and kind == "broken":
            exchange = broken_answer(context, side, line)
        return Stray(
            invalid=invalid,
            kind=kind,
            line=line,
            size=len(record.payload) + (0 if parts is None else parts.size),
            place=Place.of(context, began_t, side),
            number=context.session.lines[side],
            message=message,
            exchange=exchange,
            records=(invalid.seq,),
        )

    def _sort(self, invalid: InvalidLine, line: bytes) -> tuple[LineKind, Message | None]:
        """What the line is, and what it was meant as."""
        side, flaw, meant = invalid.side, invalid.message.flaw, invalid.message.meant
        if flaw is None:
            return ("json" if side == "s2c" and not self._is_meant(invalid) else "no-message"), None
        kind = KINDS[flaw]
        said = invalid.context.session.messages[side]
        if side in self._framed:
            return "header", meant
        if kind == "header" or (kind == "text" and LSP_TYPE.match(line)):
            # A side that has already written messages logs the headers of some HTTP exchange.
            if said:
                return "text", None
            self._framed.add(side)
            return "header", None
        if kind == "utf-16" or is_mostly_nul(line) or (side in self._wide and not said):
            self._wide.add(side)
            return "utf-16", None
        if kind in ("text", "colours"):
            inner = message_within(line)
            return (kind, None) if inner is None else ("mixed", inner)
        if kind == "broken":
            return ("broken" if b"jsonrpc" in line[:LOOKED_AT] else "text"), meant
        if kind == "two-values":
            return values_of(line, meant)
        if kind == "mixed":
            if LSP_BODY_END.search(line[-100:]) and not said:
                self._framed.add(side)
                return "header", meant
            return ("mixed" if is_a_message(meant) else "text"), meant
        if kind == "not-utf-8" and HALF_PAIR.search(line) and is_utf_8_but_for_halves(line):
            return "surrogate", meant
        if kind == "blank" and not invalid.record.eol:
            return "unread", None  # spaces before the end of the stream
        return kind, meant

    def _is_meant(self, invalid: InvalidLine) -> bool:
        """Whether a value that is JSON was meant as a message."""
        return (
            self._is_list_of_messages
            if type(invalid.record.value) is list
            else is_like_a_message(invalid.message.value)
        )

    def _take(self, stray: Stray) -> None:
        side, said = stray.side, stray.invalid.context.session.messages[stray.side]
        run = self._runs.get(side)
        if run is not None and run.said != said:
            self._release(side)
            run = None
        if run is None:
            if not may_begin(stray):
                self._tell(stray)
                return
            run = self._runs[side] = Run(said)
        if stray.kind == "header" or run.size + stray.size > SPREAD_BYTES:
            self._release(side)
            self._tell(stray)
            return
        run.held.append(stray)
        run.size += stray.size
        if may_end(stray):
            self._join(side, run)
        if len(run.held) >= SPREAD_LINES:
            self._release(side)

    def _join(self, side: Side, run: Run) -> None:
        """Tell of the lines as of one, if they are one message together."""
        if len(run.held) < 2:
            return
        line = b"\n".join(stray.line for stray in run.held)
        try:
            # Not strictly: a line break in a string that was not escaped is the other way to get here.
            value = json.JSONDecoder(strict=False).decode(line.decode())
        except (ValueError, RecursionError):
            return
        first, context = run.held[0], run.held[0].invalid.context
        message = read_message(value)
        meant = is_like_a_message(value) or (isinstance(value, list) and any(map(is_like_a_message, value)))
        kind: LineKind = "spread" if meant or side == "c2s" else "json"
        self._runs.pop(side)
        self._tell(
            Stray(
                invalid=first.invalid,
                kind=kind,
                line=line,
                size=len(line),
                place=first.place,
                number=first.number,
                message=message,
                exchange=meant_for(context, side, message),
                records=tuple(stray.invalid.seq for stray in run.held),
            )
        )

    def _release(self, side: Side) -> None:
        run = self._runs.pop(side, None)
        for stray in run.held if run is not None else ():
            self._tell(stray)

    def _tell(self, stray: Stray) -> None:
        for rule in self.listeners.get(stray.kind, ()):
            if rule.writer is None or rule.writer == stray.side:
                rule.stray(stray)


class StrayRule(Rule):
    """A rule about lines that are no messages: of these ``kinds``, by this ``writer`` (None: by either).

    Whatever the server answers that could not read a line of the client follows from it.
    """

    kinds: ClassVar[frozenset[LineKind]]
    writer: ClassVar[Side | None] = None

    def __init__(self, context: SessionContext) -> None:
        super().__init__(context)
        self.strays = context.shared(Strays)
        for kind in self.kinds:
            self.strays.listeners.setdefault(kind, []).append(self)

    def stray(self, stray: Stray) -> None:
        """A line of these kinds."""
        raise NotImplementedError

    def note(
        self,
        stray: Stray,
        message: str,
        *,
        key: str | None = None,
        next: str | None = None,
        severity: Severity | None = None,
        culprit: Culprit | None = None,
    ) -> Hit:
        """A finding about ``stray``: whoever wrote it is at fault, and what it was to answer is explained."""
        text = stray.beginning
        is_shown = bool(message) and " ".join(excerpt(text).split()) in message
        hit = self.hit(
            stray.records,
            message,
            key=stray.side if key is None else key,
            evidence=None if is_shown or not text.strip() else text,
            next=next,
            severity=severity,
            culprit=culprit or stray.culprit,
        )
        if stray.exchange is not None:
            explain(hit, stray.exchange.seq)
        return hit

    def invalid_line(self, line: InvalidLine) -> None:
        self.strays.feed(line)

    @sees(sides="s2c")
    def unmatched_response(self, response: UnmatchedResponse) -> None:
        if response.message.id is None and code_of(response.message) is not None:
            for hit in self.hits.values():
                if hit.culprit == "client":
                    explain(hit, response.seq)

    def end(self) -> None:
        self.strays.flush()


def beginning_of(invalid: InvalidLine) -> bytes:
    """The line; of one that is recorded in parts what is kept, made once however many messages it has."""
    parts, payload = invalid.context.parts.get(invalid.side), invalid.record.payload
    return payload if parts is None else (parts.head + payload[:SPREAD_BYTES])[:SPREAD_BYTES]


def meant_for(context: SessionContext, side: Side, message: Message) -> Exchange | None:
    """The open request that ``message`` would answer, were it one."""
    if message.kind not in ("response", "error"):
        return None
    return context.session.pairing.open.get((other(side), message.key))


def broken_answer(context: SessionContext, side: Side, line: bytes) -> Exchange | None:
    """The open request that a line would answer that begins like a response, and is not JSON."""
    found = RESPONSE_ID.match(line[:RESPONSE_HEAD])
    if found is None or b'"method"' in line[:RESPONSE_HEAD]:
        return None
    return context.session.pairing.open.get((other(side), id_key(json.loads(found[1]))))


def may_begin(stray: Stray) -> bool:
    """Whether a line can be the first of several that are one value together."""
    if stray.size > SPREAD_BYTES:
        return False
    begins = stray.line.lstrip()
    return stray.invalid.message.flaw == "cut-off" or begins.rstrip() in (b"[", b"[{")


def may_end(stray: Stray) -> bool:
    """Whether a line can be the last of them."""
    return stray.line.rstrip()[-1:] in (b"}", b"]")
