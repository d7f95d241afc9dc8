"""Where ``show`` puts records: lines for people, or lines of JSON."""

from __future__ import annotations

from typing import Literal, Protocol, TextIO

from mcp_tap.diagnosis.text import plural
from mcp_tap.model.lookahead import Entry
from mcp_tap.model.session import Session
from mcp_tap.process.own_streams import warn_stderr
from mcp_tap.record.reader import Skipped
from mcp_tap.views.conversation import Look, show_step
from mcp_tap.views.events import agreement, head
from mcp_tap.views.paint import Line, Painter, Piece
from mcp_tap.views.payload import truncate, whole
from mcp_tap.views.record_json import json_line

REPLACED = "was replaced or truncated: reading it from its beginning"

MARGIN = 3
"""Columns before what is no record."""


class Output(Protocol):
    """What happens to records. ``tells_answers``: whether a request tells which record answers it."""

    tells_answers: bool

    def begin(self, path: str, several: bool) -> None:
        """What follows is from ``path``, one of ``several``."""

    def entry(self, entry: Entry) -> None:
        """A record."""

    def skipped(self, item: Skipped) -> None:
        """A line that is none."""

    def restarted(self) -> None:
        """The file is another one now."""

    def end(self) -> None:
        """The file has no more."""


class TextOutput:
    """A conversation: a head for each session, then a line for each record."""

    tells_answers = False

    def __init__(
        self, out: TextIO, width: int, colour: bool, form: Literal["short", "full", "raw"], filtered: bool
    ) -> None:
        self._painter = Painter(out, colour)
        self._width = width
        self._form = form
        self._filtered = filtered
        self._path = ""
        self._several = False
        self._headed: set[Session] = set()
        self._has_printed = False
        self._tagged = False

    def begin(self, path: str, several: bool) -> None:
        """What follows is from ``path``, one of ``several``."""
        self._path, self._several = path, several

    def entry(self, entry: Entry) -> None:
        """A record. The start record of a session is shown as its head."""
        record = entry.step.record
        is_first = entry.session not in self._headed
        if is_first:
            self._head(entry.session)
        if entry.missing and not self._filtered:
            self._note(f"{plural(entry.missing, 'record')} missing here")
        if is_first and record.event == "start" and entry.session.start is record.fields:
            if self._form == "full":
                for text in whole(record):
                    self._print((Piece("    "), Piece(text)))
            return
        for line in show_step(entry.step, entry.session, Look(self._width, self._form, self._tagged)):
            self._print(line)

    def skipped(self, item: Skipped) -> None:
        """A line that is none: its number and what is wrong with it."""
        self._note(f"skipped line {item.number} of the file: {item.reason}")

    def restarted(self) -> None:
        """The file is another one now."""
        self._note(f"{self._path} {REPLACED}")

    def end(self) -> None:
        """The file has no more; its sessions need not be remembered."""
        self._headed.clear()

    def _head(self, session: Session) -> None:
        self._headed.add(session)
        if self._has_printed:
            self._print(())
            self._tagged = True
        for line in head(session, self._width, file=self._path if self._several else None):
            self._print(line)
        if session.initialized_t is not None and self._filtered:
            for text in agreement(session, self._width - MARGIN):
                self._note(text)

    def _note(self, text: str) -> None:
        self._print((Piece(" " * MARGIN), Piece(truncate(text, self._width - MARGIN), "note")))

    def _print(self, line: Line) -> None:
        self._has_printed = True
        self._painter.print(line)


class JsonOutput:
    """JSON Lines; what is no record is said on stderr, in two sentences a file."""

    tells_answers = True

    def __init__(self, out: TextIO) -> None:
        self._out = out
        self._path = ""
        self._skipped = 0

    def begin(self, path: str, several: bool) -> None:
        """What follows is from ``path``."""
        self._path = path

    def entry(self, entry: Entry) -> None:
        """A record."""
        self._out.write(json_line(entry.line, entry.step).decode("utf-8", "replace"))

    def skipped(self, item: Skipped) -> None:
        """A line that is none."""
        self._skipped += 1
        if self._skipped == 1:
            warn_stderr(f"{self._path}: skipped line {item.number}: {item.reason}")

    def restarted(self) -> None:
        """The file is another one now."""
        warn_stderr(f"{self._path} {REPLACED}")

    def end(self) -> None:
        """The file has no more."""
        if self._skipped > 1:
            warn_stderr(f"{self._path}: skipped {plural(self._skipped - 1, 'more line')}")
        self._skipped = 0
