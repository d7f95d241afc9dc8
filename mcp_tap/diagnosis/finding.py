"""What a diagnosis says: the values that rules make and views print."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass, field
from typing import Literal

Severity = Literal["error", "warning", "info"]
"""``error``: the session cannot work, or data was lost. ``warning``: works with some peers, or is at
risk. ``info``: explains something, harmless."""

SEVERITIES: tuple[Severity, ...] = ("error", "warning", "info")

Culprit = Literal["server", "client", "launcher", "environment", "tap", "undecided"]

Certainty = Literal["proven", "heuristic"]
"""``proven``: the records show it. ``heuristic``: they look like it, and may mean something else."""

RECORDS_KEPT = 100
"""Numbers of records that a finding names; its ``count`` is of all of them."""

EVIDENCE_KEPT = 3
"""Excerpts that a finding carries."""


@dataclass(frozen=True, slots=True)
class Consequence:
    """What a rule has found and another finding explains: no fault of its own."""

    rule: str
    message: str
    records: tuple[int, ...]
    count: int


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that is wrong, or worth knowing.

    ``message`` is one sentence with the facts in it, ``next`` says what to do. ``records`` are the
    numbers (``seq``) of the first records concerned, in order, ``count`` how often it happened.
    ``evidence`` holds excerpts from the recording, masked where they look like secrets; they are
    not safe to print on a terminal as they are. ``key`` tells findings of one rule apart, and is
    the same in another session of the same server (a tool's name, a method; no id, no time).
    """

    rule: str
    severity: Severity
    culprit: Culprit
    certainty: Certainty
    message: str
    next: str
    session: str
    records: tuple[int, ...] = ()
    count: int = 1
    evidence: tuple[str, ...] = ()
    key: str = ""
    consequences: tuple[Consequence, ...] = ()

    @property
    def order(self) -> tuple[int, int, str, str]:
        """A key that sorts by severity, then by the first record."""
        return (SEVERITIES.index(self.severity), self.records[0] if self.records else -1, self.rule, self.key)


@dataclass(slots=True, eq=False)
class Hit:
    """What will be a finding: everything of one rule and one key so far.

    ``message`` and ``next`` are those of the first time. ``explains`` are the records of other findings
    that this one accounts for; None for all of them.
    """

    key: Hashable
    message: str
    next: str
    severity: Severity
    culprit: Culprit
    certainty: Certainty
    records: list[int] = field(default_factory=list)
    count: int = 0
    evidence: list[str] = field(default_factory=list)
    explains: set[int] | None = field(default_factory=set)

    def add(self, records: tuple[int, ...], evidence: str | None) -> None:
        """Once more."""
        self.count += 1
        room = RECORDS_KEPT - len(self.records)
        self.records.extend(records[: max(0, room)])
        if evidence is not None and len(self.evidence) < EVIDENCE_KEPT:
            self.evidence.append(evidence)
