"""TAP003: records are missing."""

from __future__ import annotations

from mcp_tap.diagnosis.context import SessionContext
from mcp_tap.diagnosis.finding import Finding
from mcp_tap.diagnosis.rule import Rule
from mcp_tap.diagnosis.text import plural
from mcp_tap.record.reader import Record
from mcp_tap.rules.recording._base import count_in


class RecordsMissing(Rule):
    """Records are missing from the file, or appear twice.

    What it means: the records of a session are numbered consecutively, and numbers are missing that no
    `gap` event accounts for: the file was truncated, filtered or edited, or the machine crashed. Or
    numbers appear again: copies of one recording were joined, or its lines were sorted.

    Why it matters: what is missing may be what you are looking for. Findings that rely on something
    being absent, or on the order of events, are not made for such a session.

    Fails:
        ·· lost records=3
        2 → 1 ping
        2.1 ← 1 result

    Passes:
        2 → 1 ping
        2.1 ← 1 result

    What to do: check the file exactly as the tap wrote it.
    """

    id = "TAP003"
    title = "records are missing"
    severity = "warning"
    culprit = "undecided"
    next = (
        "check the file exactly as the tap wrote it: this one was truncated, filtered or edited, or is "
        "incomplete after a crash"
    )

    def __init__(self, context: SessionContext) -> None:
        super().__init__(context)
        self.accounted_for = 0
        """Missing records that gaps account for."""

    def event(self, record: Record) -> None:
        if record.event == "gap":
            self.accounted_for += count_in(record, "records")

    def end(self) -> None:
        again = self.context.disordered
        if again:
            self.hit(None, again_words(again), key=AGAIN, next=AGAIN_NEXT)
        missing = self.context.session.missing - self.accounted_for
        if missing <= 0:
            return
        where = "" if self.context.begun else ", including the start of the session"
        are = "is" if missing == 1 else "are"
        self.hit(None, f"{plural(missing, 'record')} of the session {are} not in the file{where}")

    @classmethod
    def told_again(cls, session: str, records: int) -> Finding:
        words = again_words(records)
        return Finding(
            cls.id, cls.severity, "undecided", cls.certainty, words, AGAIN_NEXT, session, key=AGAIN
        )


AGAIN = "again"
AGAIN_NEXT = "check each recording once, exactly as the tap wrote it"


def again_words(records: int) -> str:
    """That so many records have come before."""
    are = "is" if records == 1 else "are"
    return f"{plural(records, 'record')} of the session {are} in the file twice, or out of order"
