"""The rules at work: records in, findings out."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from mcp_tap.diagnosis.baseline import Baseline
from mcp_tap.diagnosis.case import Case, Seen, kind_of
from mcp_tap.diagnosis.causes import fold
from mcp_tap.diagnosis.finding import Finding
from mcp_tap.diagnosis.rule import Rule
from mcp_tap.diagnosis.settings import Thresholds
from mcp_tap.model.exchange import Paired
from mcp_tap.model.message import Message
from mcp_tap.model.not_json import Flaw
from mcp_tap.model.session import Session, Step
from mcp_tap.record.reader import Record

Hook = Callable[[Any], None]

Subscription = tuple[Rule, Hook, frozenset[str]]
"""A rule, its hook, and the methods that it is for (empty: all)."""


HANDSHAKE = frozenset({"initialize", "server/discover", "notifications/initialized"})
"""What a client says before anything else."""

UNREAD: frozenset[Flaw] = frozenset({"number", "depth", "too-large"})
"""Flaws of the model's own reading: the line may be what it should be, but what it says is not known."""


class Examination:
    """All rules over one session, fed with the model's steps in order."""

    def __init__(
        self,
        session: Session,
        rules: Sequence[type[Rule]],
        thresholds: Thresholds,
        baseline: Baseline | None = None,
    ) -> None:
        self.case = Case(session, thresholds, baseline=baseline)
        self.rules = [rule(self.case) for rule in rules]
        self.ended = False
        self._message = self._hooks("message")
        self._request = self._hooks("request")
        self._answer = self._hooks("answer")
        self._astray = self._hooks("astray")
        self._notification = self._hooks("notification")
        self._foreign = self._hooks("foreign")
        self._line = [rule.line for rule in self.rules if has_own(rule, "line")]
        self._stderr = [rule.stderr for rule in self.rules if has_own(rule, "stderr")]
        self._event = [rule.event for rule in self.rules if has_own(rule, "event")]

    def take(self, step: Step) -> None:
        """Look at the next record."""
        record, case = step.record, self.case
        case.take(record)
        if record.dir == "tap":
            for event in self._event:
                event(record)
        elif record.dir == "stderr":
            self.take_stderr(record)
        else:
            for line in self._line:
                line(record)
            for item in step.paired:
                self._look(Seen(case, record, item))
        case.after(record)

    def take_stderr(self, record: Record) -> None:
        """Look at a line of stderr alone; what is remembered of the session is not told of it."""
        for stderr in self._stderr:
            stderr(record)

    def take_stderr_text(self, text: str, seq: int, t: float, ts: str) -> None:
        """The same, of a whole line that is text."""
        self.take_stderr(Record(0, ts, t, self.case.session.id, seq, "stderr", {}, text.encode(), b"\n"))

    def look(self, record: Record, item: Paired) -> None:
        """Look at a message that has passed before, when it turns out to be of interest."""
        for line in self._line:
            line(record)
        self._look(Seen(self.case, record, item))

    def end(self) -> None:
        """There is no more of this session."""
        if self.ended:
            return
        self.ended = True
        for rule in self.rules:
            if has_own(rule, "end") and rule.applies_to_session():
                rule.end()

    def findings(self) -> list[Finding]:
        """What was found so far, consequences under their causes, the worst first."""
        found = fold(pair for rule in self.rules if rule.hits for pair in rule.findings())
        return sorted(found, key=lambda finding: finding.order)

    def _look(self, seen: Seen) -> None:
        item, message = seen.item, seen.message
        if item.role == "answers":
            self._count(seen)
        elif message.method in HANDSHAKE and seen.side == "c2s":
            self._greet(seen)
        elif message.flaw in UNREAD:
            self.case.unread = True
        version = seen.version
        for rules in self._which(item, message):
            for rule, hook, methods in rules:
                if methods and self._method(item) not in methods:
                    continue
                if rule.versions and version not in rule.versions:
                    continue
                hook(seen)

    def _which(
        self, item: Paired, message: Message
    ) -> tuple[Sequence[tuple[Rule, Hook, frozenset[str]]], ...]:
        kind = message.kind
        if kind == "not-json" or kind == "not-json-rpc":
            return (self._foreign,)
        if item.role == "asks":
            return (self._message, self._request)
        if item.role == "answers":
            return (self._message, self._answer)
        if kind == "notification":
            return (self._message, self._notification)
        return (self._message, self._astray)

    @staticmethod
    def _method(item: Paired) -> str | None:
        """The method that a message is, or answers."""
        if item.message.method is not None:
            return item.message.method
        return None if item.exchange is None else item.exchange.method

    def _count(self, seen: Seen) -> None:
        exchange, case = seen.exchange, self.case
        assert exchange is not None
        if seen.side == "s2c" and exchange.outcome != "error":
            case.listings.take(exchange, seen.result)
        if exchange.side == "c2s":
            case.count(kind_of(exchange.method, exchange.target))
        if exchange.method in HANDSHAKE and exchange.side == "c2s":
            case.refused = exchange.outcome == "error"
        own_time = exchange.own_time or 0.0
        if exchange.side == "c2s" and own_time > case.slowest and exchange.method != "initialize":
            case.slowest = own_time
            case.slowest_what = " ".join(part for part in (exchange.method, exchange.target) if part)

    def _greet(self, seen: Seen) -> None:
        case = self.case
        if seen.message.kind == "notification":
            case.ready_t = case.ready_t if case.ready_t is not None else seen.t
        elif case.asked_t is None:
            case.asked_t = seen.t

    def _hooks(self, name: str) -> list[Subscription]:
        return [(rule, getattr(rule, name), rule.methods) for rule in self.rules if has_own(rule, name)]


def has_own(rule: Rule, hook: str) -> bool:
    """Whether ``rule`` has a hook of its own."""
    kind = type(rule)
    known = _own.get((kind, hook))
    if known is None:
        known = _own[kind, hook] = getattr(kind, hook) is not getattr(Rule, hook)
    return known


_own: dict[tuple[type[Rule], str], bool] = {}
"""The same for all sessions: a file may hold thousands."""
