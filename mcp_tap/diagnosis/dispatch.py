"""The rules at work on one session: steps of the model in, findings out.

Every record takes this one way. Which hooks are called for a message is looked up in a table, by what
the message is; a row of it is made when the first such message comes, from what the rules declare.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

from mcp_tap.diagnosis.baseline import Baseline
from mcp_tap.diagnosis.causality import fold
from mcp_tap.diagnosis.context import (
    NEWEST_LEGACY,
    Answer,
    InvalidLine,
    Notification,
    Occurrence,
    Request,
    SessionContext,
    UnmatchedResponse,
)
from mcp_tap.diagnosis.finding import Finding
from mcp_tap.diagnosis.interest import (
    LARGE_BYTES,
    SLOW_SECONDS,
    Cue,
    Interest,
    Kind,
    Sign,
    interest_of,
    shape_of,
)
from mcp_tap.diagnosis.rule import Rule
from mcp_tap.diagnosis.settings import Thresholds
from mcp_tap.model.exchange import Exchange, Paired
from mcp_tap.model.message import Message
from mcp_tap.model.methods import CATALOGUE, ERAS, MODERN
from mcp_tap.model.not_json import Flaw
from mcp_tap.model.session import Session
from mcp_tap.model.step import Step
from mcp_tap.record.reader import Record

HANDSHAKE = frozenset({"initialize", "server/discover", "notifications/initialized"})
"""What a client says before anything else."""

UNREAD: frozenset[Flaw] = frozenset({"number", "depth", "too-large"})
"""Flaws of the model's own reading: the line may be what it should be, but what it says is not known."""

ROWS_KEPT = 1000
"""Rows of a session's table; a fuzzer uses any number of methods."""

KINDS: dict[str, type[Occurrence]] = {
    "request": Request,
    "answer": Answer,
    "notification": Notification,
    "unmatched_response": UnmatchedResponse,
    "invalid_line": InvalidLine,
}
"""The hooks that are given a message of one kind, and what they are given."""

ANY_MESSAGE = "message"


LineHook = Callable[[Record], None]


class Row(NamedTuple):
    """What is done with messages of one kind: by which version they are read, and the hooks.

    ``cued`` are those that are called only where a cue is in the bytes, ``signed`` those that are
    called only for a message that has a sign.
    """

    made: type[Occurrence]
    version: str | None
    hooks: tuple[Callable[[Any], None], ...]
    cued: tuple[tuple[Cue, tuple[Callable[[Any], None], ...]], ...]
    signed: tuple[tuple[Sign, tuple[Callable[[Any], None], ...]], ...]


class Checker:
    """All rules over one session, fed with the model's steps in order."""

    def __init__(
        self,
        session: Session,
        rules: Sequence[type[Rule]],
        thresholds: Thresholds,
        baseline: Baseline | None = None,
    ) -> None:
        self.context = SessionContext(session, thresholds, baseline=baseline)
        self.rules = [rule(self.context) for rule in rules]
        self.ended = False
        self._kinds = tuple(rules)
        self._slow = min(SLOW_SECONDS, thresholds.slow_call_seconds, thresholds.near_timeout_seconds)
        self._large = min(LARGE_BYTES, thresholds.large_result_bytes)
        self._rows: dict[tuple[object, ...], Row] = {}
        self._protocol: str | None = None
        self._era: str | None = None
        self._changes = 0
        self._line, self._odd_line, self._cued_line = self._line_hooks()
        self._stderr = self._hooks("stderr")
        self._event = self._hooks("event")

    def take(self, step: Step) -> None:
        """Look at the next record."""
        record, context = step.record, self.context
        stream = record.dir
        if stream == "tap":
            context.take(record)
            for hook in self._event:
                hook(record)
            return
        if (
            type(record) is Record
            and record.seq > context.highest
            and context.missing == context.session.missing
        ):
            context.highest = record.seq  # all that there is to note, of nearly every record
        else:
            context.take(record)
        if stream == "stderr":
            for hook in self._stderr:
                hook(record)
        else:
            for hook in self._line:
                hook(record)
            if type(record) is not Record:
                for hook in self._odd_line:
                    hook(record)
            for cue, hooks in self._cued_line:
                if cue(record.payload):
                    for hook in hooks:
                        hook(record)
            if step.parts is not None:
                asked: dict[Cue, bool] = {}
                for part in step.parts:
                    self._look(record, part, asked)
            elif not record.more:
                self._look(record, step)
        context.after(record)

    def end(self) -> None:
        """There is no more of this session."""
        if self.ended:
            return
        self.ended = True
        for at, _ in hooks_named(self._kinds, "end"):
            rule = self.rules[at]
            if rule.applies_to_session() and (self.context.whole or not rule.needs_whole):
                rule.end()

    def findings(self) -> list[Finding]:
        """What was found so far, consequences under their causes, the worst first."""
        found = fold(pair for rule in self.rules if rule.hits for pair in rule.findings())
        return sorted(found, key=lambda finding: finding.order)

    def _look(self, record: Record, item: Paired, asked: dict[Cue, bool] | None = None) -> None:
        """Call the hooks for a message; ``asked`` is what cues say of the line that it shares with others."""
        context, session = self.context, self.context.session
        message, exchange, role = item.message, item.exchange, item.role
        waiting: Sequence[Callable[[Answer], None]] = ()
        named = None if exchange is None else exchange.version or exchange.era
        if role == "asks":
            if message.method in HANDSHAKE and record.dir == "c2s":
                self._greet(record, message)
            key: tuple[object, ...] = (message.method, record.dir, named)
        elif role == "answers" and exchange is not None:
            self._count(exchange, message)
            outcome, method = exchange.outcome, exchange.method
            slow = record.t - exchange.t + exchange.earlier_time > self._slow
            told = method == "tools/call" and outcome != "error"
            shape = shape_of(message.value["result"]) if told else "other"
            if context.awaited:
                waiting = context.awaited.pop(exchange, ())
            key = (method, record.dir, named, outcome, shape, slow)
        else:
            if message.flaw in UNREAD:
                context.unread = True
                context.judge_whole()
            elif message.method in HANDSHAKE and record.dir == "c2s":
                self._greet(record, message)
            key = (hook_of(message), message.method, record.dir, named)
        if len(record.payload) > self._large or (context.parts and record.dir in context.parts):
            key = (*key, LARGE)
        if session.protocol != self._protocol or session.era != self._era or context.changes != self._changes:
            self._rows.clear()
            self._protocol, self._era, self._changes = session.protocol, session.era, context.changes
        row = self._rows.get(key)
        if row is None:
            row = self._make_row(kind_of_message(key, exchange))
            if len(self._rows) >= ROWS_KEPT:
                self._rows.clear()
            self._rows[key] = row
        made, version, hooks, cued, signed = row
        if hooks:
            seen = made(context, record, item, version)
            for call in hooks:
                call(seen)
        for sign, signed_hooks in signed:
            if sign(item):
                seen = made(context, record, item, version)
                for call in signed_hooks:
                    call(seen)
        for cue, cued_hooks in cued:
            if not record.is_message or record.dir in context.parts or is_in(cue, record.payload, asked):
                seen = made(context, record, item, version)
                for call in cued_hooks:
                    call(seen)
        for answered in waiting:
            answered(Answer(context, record, item, version))

    def _make_row(self, kind: Kind) -> Row:
        version = version_of(kind, self.context.session)
        plain: list[Callable[[Any], None]] = []
        cued: dict[Cue, list[Callable[[Any], None]]] = {}
        signed: dict[Sign, list[Callable[[Any], None]]] = {}
        for at, name, interest in interested(self._kinds, kind.hook, kind.method):
            rule = self.rules[at]
            if rule.retired or (rule.versions and version not in rule.versions):
                continue
            if rule.needs_whole and not self.context.whole:
                continue
            if not interest.covers(kind, version):
                continue
            call = getattr(rule, name)
            if interest.sign is not None:
                signed.setdefault(interest.sign, []).append(call)
            elif interest.cue is not None:
                cued.setdefault(interest.cue, []).append(call)
            else:
                plain.append(call)
        by_cue = tuple((cue, tuple(hooks)) for cue, hooks in cued.items())
        by_sign = tuple((sign, tuple(hooks)) for sign, hooks in signed.items())
        return Row(KINDS[kind.hook], version, tuple(plain), by_cue, by_sign)

    def _count(self, exchange: Exchange, message: Message) -> None:
        context = self.context
        if exchange.side != "c2s":
            return
        if exchange.era == "modern" and not context.proof.shown:
            context.proof.take(exchange, message)
        method = exchange.method
        if method in CATALOGUE and exchange.outcome != "error":
            result = message.value["result"]
            context.listings.take(exchange, result if isinstance(result, dict) else {})
        if exchange.seq > context.answered_up_to and context.client_closed_t is None:
            context.answered_up_to = exchange.seq
        if context.first_answer_t is None:
            context.first_answer_t = exchange.answer_t
        context.count(method, exchange.target)
        if method in HANDSHAKE:
            context.refused = exchange.outcome == "error"
        # No less than its own time; nearly always less than that of the slowest.
        if (exchange.answer_t or 0.0) - exchange.t + exchange.earlier_time <= context.slowest:
            return
        own_time = exchange.own_time or 0.0
        if own_time > context.slowest and method != "initialize":
            context.slowest = own_time
            context.slowest_what = " ".join(part for part in (method, exchange.target) if part)

    def _greet(self, record: Record, message: Message) -> None:
        context = self.context
        if message.kind == "notification":
            context.ready_t = context.ready_t if context.ready_t is not None else record.t
        elif context.asked_t is None:
            context.asked_t = record.t

    def _line_hooks(self) -> tuple[list[LineHook], list[LineHook], list[tuple[Cue, list[LineHook]]]]:
        """The hooks for all lines, for those that are no whole message, and for those with a cue."""
        every: list[LineHook] = []
        odd: list[LineHook] = []
        cued: dict[Cue, list[LineHook]] = {}
        for at, interest in hooks_named(self._kinds, "line"):
            hook = self.rules[at].line
            if interest.cue is not None:
                cued.setdefault(interest.cue, []).append(hook)
            else:
                (odd if interest.odd_lines else every).append(hook)
        return every, odd, list(cued.items())

    def _hooks(self, name: str) -> list[Callable[[Record], None]]:
        return [getattr(self.rules[at], name) for at, _ in hooks_named(self._kinds, name)]


def is_in(cue: Cue, line: bytes, asked: dict[Cue, bool] | None) -> bool:
    """Whether ``cue`` is in a line: looked for once, however many messages the line has."""
    if asked is None:
        return cue(line)
    if cue not in asked:
        asked[cue] = cue(line)
    return asked[cue]


LARGE = "large"

OF_ANSWERS = 6
"""Parts of the key by which the row of an answer is found."""


def kind_of_message(key: tuple[Any, ...], exchange: Exchange | None) -> Kind:
    """What a row's key says, by name."""
    large = key[-1] is LARGE
    rest = key[:-1] if large else key
    version, era = (None, None) if exchange is None else (exchange.version, exchange.era)
    if len(rest) == OF_ANSWERS:
        method, side, _, outcome, shape, slow = rest
        return Kind("answer", side, method, outcome, shape, large, slow, version, era)
    hook, method, side, _ = rest if len(rest) > 3 else ("request", *rest)
    return Kind(hook, side, method, "open", "other", large, False, version, era)


def hook_of(message: Message) -> str:
    """The hook for a message that neither asks nor answers."""
    kind = message.kind
    if kind == "not-json" or kind == "not-json-rpc":
        return "invalid_line"
    return "notification" if kind == "notification" else "unmatched_response"


def version_of(kind: Kind, session: Session) -> str | None:
    """The version by which a message is read; None for one that was never released."""
    named = kind.named_version if kind.named_era is not None else session.protocol
    if named is None and kind.named_era == "modern":
        named = MODERN[-1]
    if named is None:
        named = NEWEST_LEGACY if session.era != "modern" else MODERN[-1]
    return named if named in ERAS else None


def interested(
    rules: tuple[type[Rule], ...], hook: str, method: str | None
) -> Iterator[tuple[int, str, Interest]]:
    """The rules (by their place) with a hook for such a message, its name and its interest.

    A rule's hook for any message comes before those of all rules for messages of that kind.
    """
    for name in (hook,) if hook == "invalid_line" else (ANY_MESSAGE, hook):
        for at, interest in hooks_named(rules, name):
            if not rules[at].methods or method in rules[at].methods:
                yield at, name, interest


def hooks_named(rules: tuple[type[Rule], ...], name: str) -> tuple[tuple[int, Interest], ...]:
    """The rules with a hook of this name, and its interest; found once for all sessions."""
    found = _hooks.get((rules, name))
    if found is None:
        found = _hooks[rules, name] = tuple(
            (at, interest_of(getattr(rule, name)))
            for at, rule in enumerate(rules)
            if getattr(rule, name) is not getattr(Rule, name)
        )
    return found


_hooks: dict[tuple[tuple[type[Rule], ...], str], tuple[tuple[int, Interest], ...]] = {}
"""An entry for each hook, and for each choice of rules, of which a process makes one."""
