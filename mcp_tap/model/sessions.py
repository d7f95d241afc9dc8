"""The one way from the lines of a recording to its sessions."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from mcp_tap.model.session import Session
from mcp_tap.model.step import Step
from mcp_tap.record.reader import Record, Skipped, read_records

SKIPPED_KEPT = 1000
"""Lines of a file that were no records, and are remembered: another file's content may be any number."""


class Sessions:
    """The sessions in a recording's lines, interleaved or not, in order of their first record.

    The one way from a line to a session: every verb reads by it, of a file that is complete and of one
    that grows. ``only`` is the session that is wanted; of the others nothing is kept. ``skipped`` are
    the first lines that were no records, ``skips`` is the number of all of them.
    """

    def __init__(self, only: str | None = None) -> None:
        self.only = only
        self.by_id: dict[str, Session] = {}
        self.skipped: list[Skipped] = []
        self.skips = 0

    def steps(self, lines: Iterable[bytes]) -> Iterator[tuple[Session, Step]]:
        """Take all of ``lines`` (as a binary file iterates); what each adds to its session.

        Raises :class:`TapError` at a ``start`` record of a newer format.
        """
        by_id, only = self.by_id, self.only
        for record in read_records(lines):
            if isinstance(record, Skipped):
                self.skip(record)
            elif only is None or record.session == only:
                session = by_id.get(record.session)
                if session is None:
                    session = by_id[record.session] = Session(record.session)
                yield session, session.add(record)

    def read(self, lines: Iterable[bytes]) -> list[Session]:
        """Take all of ``lines``; the sessions so far."""
        for _ in self.steps(lines):
            pass
        return list(self.by_id.values())

    def add(self, record: Record) -> tuple[Session, Step]:
        """Take one record, whichever session it belongs to."""
        session = self.by_id.get(record.session)
        if session is None:
            session = self.by_id[record.session] = Session(record.session)
        return session, session.add(record)

    def skip(self, line: Skipped) -> None:
        """Note a line that is no record."""
        self.skips += 1
        if len(self.skipped) < SKIPPED_KEPT:
            self.skipped.append(line)
