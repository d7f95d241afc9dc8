"""TAP003: records are missing."""

from __future__ import annotations

from mcp_tap.diagnosis.context import SessionContext
from mcp_tap.diagnosis.finding import Finding
from mcp_tap.diagnosis.rule import Rule
from mcp_tap.diagnosis.text import plural
from mcp_tap.record.reader import Record
from mcp_tap.rules.recording._base import count_in


class RecordsMissing(Rule):
    """Records are missing from the file, or are there twice.

    What it means: the records of a session are numbered without a gap, and here numbers are missing
    that no `gap` event accounts for: the file was cut, filtered or edited, or the machine crashed.
    Or numbers come again: copies of one recording were joined, or its lines were sorted.

    Why it matters: what is missing may be what you look for. Findings that rest on something not
    being there, or on the order of things, are not made for such a session.

    Fails:
        ·· lost records=3
        2 → 1 ping
        2.1 ← 1 result

    Passes:
        2 → 1 ping
        2.1 ← 1 result

    What to do: check the file that the tap has written itself.
    """

    id = "TAP003"
    title = "records are missing"
    severity = "warning"
    culprit = "undecided"
    next = "check the file as the tap has written it: this one was cut, filtered, edited, or hit by a crash"

    def __init__(self, context: SessionContext) -> None:
        super().__init__(context)
        self.told = 0
        """Missing records that gaps account for."""

    def event(self, record: Record) -> None:
        if record.event == "gap":
            self.told += count_in(record, "records")

    def end(self) -> None:
        again = self.context.disordered
        if again:
            self.hit(None, again_words(again), key=AGAIN, next=AGAIN_NEXT)
        missing = self.context.session.missing - self.told
        if missing <= 0:
            return
        where = "" if self.context.begun else ", the start of the session among them"
        are = "is" if missing == 1 else "are"
        self.hit(None, f"{plural(missing, 'record')} of the session {are} not in the file{where}")

    @classmethod
    def told_again(cls, session: str, records: int) -> Finding:
        words = again_words(records)
        return Finding(
            cls.id, cls.severity, "undecided", cls.certainty, words, AGAIN_NEXT, session, key=AGAIN
        )


AGAIN = "again"
AGAIN_NEXT = "check each recording once, as the tap has written it"


def again_words(records: int) -> str:
    """That so many records have come before."""
    are = "is" if records == 1 else "are"
    return f"{plural(records, 'record')} of the session {are} in the file twice, or not in order"
