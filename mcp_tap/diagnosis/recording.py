"""Whole recordings under diagnosis: a checker for each session, a report of each."""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Iterator, Sequence
from dataclasses import replace

from mcp_tap.diagnosis.baseline import Baseline
from mcp_tap.diagnosis.dispatch import Checker
from mcp_tap.diagnosis.finding import Finding
from mcp_tap.diagnosis.report import SessionReport, report_of, with_findings
from mcp_tap.diagnosis.rule import Rule
from mcp_tap.diagnosis.settings import Thresholds
from mcp_tap.model.session import Session
from mcp_tap.model.step import Step

ENDED_KEPT = 200
"""Sessions that have ended and are not yet told; of those before them the report alone is kept, since a
file may hold any number. What still comes of such a session is there twice."""


class Diagnosis:
    """Fed with the steps of one file's sessions; ``reports`` gives what is to be said of each."""

    def __init__(
        self,
        rules: Sequence[type[Rule]],
        thresholds: Thresholds | None = None,
        baseline: Baseline | None = None,
    ) -> None:
        self.rules = rules
        self.thresholds = thresholds or Thresholds()
        self.baseline = baseline
        self._checked: dict[str, Checker | SessionReport] = {}
        self._ended: deque[str] = deque()
        self._again: Counter[str] = Counter()
        """Records that have come of a session that is told."""

    def take(self, session: Session, step: Step) -> None:
        """Let the rules see what a record adds to ``session``."""
        checker = self._checked.get(session.id)
        if checker is None:
            checker = Checker(session, self.rules, self.thresholds, self.baseline)
            self._checked[session.id] = checker
        elif isinstance(checker, SessionReport):
            self._again[session.id] += 1
            return
        checker.take(step)
        if step.record.dir == "tap" and step.record.event == "exit":
            self._end(session.id)

    def so_far(self, session: Session, file: str) -> SessionReport:
        """What is to be said of a session that goes on."""
        checker = self._checked[session.id]
        if isinstance(checker, SessionReport):
            return replace(checker, file=file)
        return report_of(checker.context, checker.findings(), file)

    def close(self, session: Session, file: str) -> SessionReport:
        """What is to be said of a session that is over; what still comes of it begins anew."""
        checker = self._checked.pop(session.id)
        report = checker if isinstance(checker, SessionReport) else ended(checker)
        return replace(report, file=file)

    def reports(self, file: str) -> Iterator[SessionReport]:
        """What is to be said of each session; nothing more comes of any."""
        for session, checker in self._checked.items():
            report = checker if isinstance(checker, SessionReport) else ended(checker)
            if session in self._again:
                report = with_findings(report, [*report.findings, *self._twice(session)])
            yield replace(report, file=file)

    def _twice(self, session: str) -> Iterator[Finding]:
        for rule in self.rules:
            found = rule.told_again(session, self._again[session])
            if found is not None:
                yield found

    def _end(self, session: str) -> None:
        """Note that a session has ended, and keep no more than the report of one that did so long ago."""
        self._ended.append(session)
        if len(self._ended) > ENDED_KEPT:
            old = self._ended.popleft()
            checker = self._checked[old]
            if isinstance(checker, Checker):
                self._checked[old] = ended(checker)


def ended(checker: Checker) -> SessionReport:
    """What is to be said of a session that is over."""
    checker.end()
    return report_of(checker.context, checker.findings(), "")
