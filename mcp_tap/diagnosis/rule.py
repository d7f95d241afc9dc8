"""A rule: what it is called, and the hooks by which it sees a session."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Sequence
from typing import Any, ClassVar, Literal

from mcp_tap.diagnosis.context import (
    EVERY,
    NEWEST_LEGACY,
    Answer,
    InvalidLine,
    Notification,
    Occurrence,
    Request,
    SessionContext,
    UnmatchedResponse,
)
from mcp_tap.diagnosis.finding import Certainty, Culprit, Finding, Hit, Severity
from mcp_tap.diagnosis.session_digest import Digest
from mcp_tap.diagnosis.text import excerpt
from mcp_tap.model.exchange import Exchange
from mcp_tap.record.reader import Record

GROUPS_KEPT = 50
"""Findings of one rule in one session; what comes after is counted in the last one."""

SPECIFICATION = "https://modelcontextprotocol.io/specification/"


class Rule:
    """One diagnosis. The subclass's docstring is its help page; an instance examines one session.

    A hook is called if a subclass defines it, in the order of the records; it calls :meth:`hit`
    for what it finds. What a rule looks at it declares: ``versions``, ``methods``, ``needs_whole`` for
    all its hooks, the rest for each with :func:`mcp_tap.diagnosis.interest.sees`. The engine calls
    nothing else; a rule that declares nothing sees everything. ``culprit`` "sender" is whoever sent the
    message.
    """

    id: ClassVar[str]
    title: ClassVar[str]
    """What is wrong, in a few words without facts."""
    severity: ClassVar[Severity]
    culprit: ClassVar[Culprit | Literal["sender"]]
    next: ClassVar[str]
    """What to do, in one line."""
    certainty: ClassVar[Certainty] = "proven"
    versions: ClassVar[frozenset[str]] = EVERY
    methods: ClassVar[frozenset[str]] = frozenset()
    """Methods of the requests (or of the requests that are answered) it looks at; empty for all."""
    needs_whole: ClassVar[bool] = False
    """Whether it can say nothing, and is shown nothing more, once something is known to be missing."""
    spec: ClassVar[str] = ""
    """Page of the specification, with its version: ``2025-11-25/basic/lifecycle#initialization``."""

    def __init__(self, context: SessionContext) -> None:
        self.context = context
        self.hits: dict[Hashable, Hit] = {}
        self.retired = False

    def retire(self) -> None:
        """See no more messages of this session: there is nothing left to find in them."""
        if not self.retired:
            self.retired = True
            self.context.changes += 1

    def await_answer(self, exchange: Exchange, hook: Callable[[Answer], None]) -> None:
        """Have ``hook`` called with the answer to a request that is open, when it comes."""
        waiting = self.context.awaited.get(exchange)
        if waiting is None:
            waiting = self.context.awaited[exchange] = []
        waiting.append(hook)

    # The hooks. Each does nothing here, and is called only where a subclass has its own.

    def message(self, seen: Occurrence) -> None:
        """Any JSON-RPC message: requests, answers, notifications, parts of a batch."""

    def request(self, seen: Request) -> None:
        """A request; ``seen.exchange`` is it."""

    def answer(self, seen: Answer) -> None:
        """The first answer to ``seen.exchange``."""

    def unmatched_response(self, seen: UnmatchedResponse) -> None:
        """A response that answers nothing, or something already answered."""

    def notification(self, seen: Notification) -> None:
        """A notification; ``seen.exchange`` is what it cancels or reports on, if known."""

    def invalid_line(self, seen: InvalidLine) -> None:
        """A line that is no message: ``seen.message`` says why."""

    def line(self, record: Record) -> None:
        """A record of ``c2s`` or ``s2c``, whatever it is (parts of a line too)."""

    def stderr(self, record: Record) -> None:
        """A record of the server's stderr."""

    def event(self, record: Record) -> None:
        """A tap event."""

    def end(self) -> None:
        """The session is over, or the recording of it ends: ``case.over`` tells which."""

    @classmethod
    def across(cls, digests: Sequence[Digest]) -> list[Finding]:
        """Findings about several sessions, in order of their start, when all have been examined."""
        return []

    @classmethod
    def told_again(cls, session: str, records: int) -> Finding | None:
        """A finding about so many records of a session that was thought to be over."""
        return None

    def sentence(self, hit: Hit) -> str:
        """The message of a finding; the default counts how often it was said."""
        return hit.message if hit.count == 1 else f"{hit.message} ({hit.count:,} times)"

    def hit(
        self,
        at: Occurrence | Record | int | Sequence[int] | None,
        message: str,
        *,
        key: Hashable = "",
        evidence: str | None = None,
        next: str | None = None,
        severity: Severity | None = None,
        culprit: Culprit | None = None,
        certainty: Certainty | None = None,
        explains: Iterable[int] | None = (),
    ) -> Hit:
        """Note a finding, or one more of the finding with this ``key``; returns it.

        ``at`` is where: a message, a record, its number, or several. ``message`` is one sentence
        without a full stop, with the facts in it. ``explains`` are the records of findings that
        are consequences of this one; None for all those that :mod:`mcp_tap.diagnosis.causality` lists.
        """
        records = numbers_of(at)
        found = self.hits.get(key)
        if found is None and len(self.hits) >= GROUPS_KEPT:
            found = next_to_last(self.hits)
        if found is None:
            who = culprit or (self.culprit if self.culprit != "sender" else sender_of(at))
            found = self.hits[key] = Hit(
                key, message, next or self.next, severity or self.severity, who, certainty or self.certainty
            )
        found.add(records, None if evidence is None else excerpt(evidence))
        if explains is None:
            found.explains = None
        elif found.explains is not None:
            found.explains.update(explains)
        return found

    def findings(self) -> list[tuple[Finding, Hit]]:
        """What was found so far."""
        return [(self.finding(hit), hit) for hit in self.hits.values()]

    def finding(self, hit: Hit) -> Finding:
        """``hit`` as it is reported."""
        return Finding(
            rule=self.id,
            severity=hit.severity,
            culprit=hit.culprit,
            certainty=hit.certainty,
            message=self.sentence(hit),
            next=hit.next,
            session=self.context.session.id,
            records=tuple(hit.records),
            count=hit.count,
            evidence=tuple(hit.evidence),
            key=str(hit.key),
        )

    def applies(self, version: str | None) -> bool:
        """Whether the rule holds in ``version``; None is a version that was never released."""
        return not self.versions or version in self.versions

    def applies_to_session(self) -> bool:
        """Whether the rule holds in the session as a whole."""
        session = self.context.session
        return self.applies(session.protocol or (NEWEST_LEGACY if session.era != "modern" else "2026-07-28"))

    @classmethod
    def help(cls) -> str:
        """The help page: the docstring, without indentation."""
        import inspect

        return inspect.cleandoc(cls.__doc__ or "")

    @classmethod
    def link(cls) -> str | None:
        """Where the specification says so."""
        return SPECIFICATION + cls.spec if cls.spec else None


def numbers_of(at: Occurrence | Record | int | Sequence[int] | None) -> tuple[int, ...]:
    """The numbers of records that are meant."""
    if at is None:
        return ()
    if isinstance(at, int):
        return (at,)
    if isinstance(at, (Occurrence, Record)):
        return (at.seq,)
    return tuple(at)


def sender_of(at: Any) -> Culprit:
    """Whose message it is."""
    record = at.record if isinstance(at, Occurrence) else at
    if isinstance(record, Record) and record.dir in ("c2s", "s2c"):
        return "client" if record.dir == "c2s" else "server"
    return "undecided"


def next_to_last(hits: dict[Hashable, Hit]) -> Hit:
    """The group that takes what is too much."""
    return next(reversed(hits.values()))
