"""A rule: what it is called, and the hooks by which it sees a session."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from typing import Any, ClassVar, Literal

from mcp_tap.diagnosis.case import EVERY, NEWEST_LEGACY, Case, Seen
from mcp_tap.diagnosis.digest import Digest
from mcp_tap.diagnosis.finding import Certainty, Culprit, Finding, Hit, Severity
from mcp_tap.diagnosis.text import excerpt
from mcp_tap.record.reader import Record

GROUPS_KEPT = 50
"""Findings of one rule in one session; what comes after is counted in the last one."""

SPECIFICATION = "https://modelcontextprotocol.io/specification/"


class Rule:
    """One diagnosis. The subclass's docstring is its help page; an instance examines one session.

    A hook is called if a subclass defines it, in the order of the records; it calls :meth:`hit`
    for what it finds. Hooks that are given a message are called only where ``versions`` and
    ``methods`` fit. ``culprit`` "sender" is whoever sent the message.
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
    spec: ClassVar[str] = ""
    """Page of the specification, with its version: ``2025-11-25/basic/lifecycle#initialization``."""

    def __init__(self, case: Case) -> None:
        self.case = case
        self.hits: dict[Hashable, Hit] = {}

    # The hooks. Each does nothing here, and is called only where a subclass has its own.

    def message(self, seen: Seen) -> None:
        """Any JSON-RPC message: requests, answers, notifications, parts of a batch."""

    def request(self, seen: Seen) -> None:
        """A request; ``seen.exchange`` is it."""

    def answer(self, seen: Seen) -> None:
        """The first answer to ``seen.exchange``."""

    def astray(self, seen: Seen) -> None:
        """A response that answers nothing, or something already answered."""

    def notification(self, seen: Seen) -> None:
        """A notification; ``seen.exchange`` is what it cancels or reports on, if known."""

    def foreign(self, seen: Seen) -> None:
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

    def sentence(self, hit: Hit) -> str:
        """The message of a finding; the default counts how often it was said."""
        return hit.message if hit.count == 1 else f"{hit.message} ({hit.count:,} times)"

    def hit(
        self,
        at: Seen | Record | int | Sequence[int] | None,
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
        are consequences of this one; None for all those that :mod:`mcp_tap.diagnosis.causes` lists.
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
            session=self.case.session.id,
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
        session = self.case.session
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


def numbers_of(at: Seen | Record | int | Sequence[int] | None) -> tuple[int, ...]:
    """The numbers of records that are meant."""
    if at is None:
        return ()
    if isinstance(at, int):
        return (at,)
    if isinstance(at, (Seen, Record)):
        return (at.seq,)
    return tuple(at)


def sender_of(at: Any) -> Culprit:
    """Whose message it is."""
    record = at.record if isinstance(at, Seen) else at
    if isinstance(record, Record) and record.dir in ("c2s", "s2c"):
        return "client" if record.dir == "c2s" else "server"
    return "undecided"


def next_to_last(hits: dict[Hashable, Hit]) -> Hit:
    """The group that takes what is too much."""
    return next(reversed(hits.values()))
