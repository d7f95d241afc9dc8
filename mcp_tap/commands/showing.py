"""Lines of recordings shown, record by record: what ``show`` prints, and ``demo`` too."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from mcp_tap.commands.show_output import Output
from mcp_tap.errors import ExitStatus, TapError
from mcp_tap.model.filters import Filter
from mcp_tap.model.lookahead import HELD_RECORDS, Entry, Lookahead, Parked
from mcp_tap.model.sessions import Sessions
from mcp_tap.process.own_streams import warn_stderr
from mcp_tap.record.find import RecordingLocation
from mcp_tap.record.reader import Record, Skipped, read_record, refuse_newer


def show_all(showing: Showing, places: list[RecordingLocation]) -> None:
    """Print what ``places`` hold, file by file."""
    for place in places:
        showing.begin(place.path, place.session, several=len(places) > 1)
        try:
            with open(place.path, "rb") as file:
                for number, line in enumerate(file, 1):
                    showing.take(line, number)
        except BrokenPipeError:
            raise
        except OSError as error:
            showing.fail(f"cannot read {place.path}: {error.strerror}")
        except TapError as error:
            showing.fail(str(error))
        showing.end()
    showing.say_what_was_not_shown(", ".join(place.path for place in places[:3]))


class Showing:
    """Lines of recordings in, through the model and the filter, records out."""

    def __init__(self, output: Output, wanted: Filter, session: str | None, looks_ahead: bool) -> None:
        self.status: int = ExitStatus.OK
        self._output = output
        self._wanted = wanted
        self._session = session
        self._only: str | None = None
        self._path = ""
        self._sessions: dict[str, Sessions] = {}
        self._records = 0
        self._shown = 0
        self._others: dict[str, None] = {}
        self._lookahead = Lookahead(self._waits, HELD_RECORDS if looks_ahead else 0)
        self._parked = Parked()

    def begin(self, path: str, only: str | None, several: bool) -> None:
        """What is taken next comes from ``path``; of it ``only`` one session, if given."""
        self._path, self._only = path, only
        self._output.begin(path, several)

    def take(self, line: bytes, number: int) -> None:
        """The next line. Raises :class:`TapError` for a recording of a newer format."""
        item = read_record(line, number)
        if isinstance(item, Skipped):
            if self._wanted.takes_everything or self._wanted == Filter(errors=True):
                self._output.skipped(item)
            return
        self._records += 1
        if not self._is_meant(item.session):
            if len(self._others) < NAMED_SESSIONS:
                self._others.setdefault(item.session)
            return
        if item.event == "start":
            refuse_newer(item)
        for entry in self._pass(self._entry(item, line)):
            self._shown += 1
            self._output.entry(entry)

    def end(self) -> None:
        """The file has no more: what waits will not learn anything."""
        for entry in self._decided(self._lookahead.end()):
            self._shown += 1
            self._output.entry(entry)
        self._sessions.pop(self._path, None)
        self._output.end()

    def restart(self) -> None:
        """The file is another one now."""
        self._sessions.pop(self._path, None)
        self._output.restarted()

    def fail(self, sentence: str) -> None:
        """A file cannot be shown; the others can."""
        warn_stderr(sentence)
        self.status = ExitStatus.FAILED

    def say_what_was_not_shown(self, where: str) -> None:
        """Raise :class:`TapError` if there was nothing; a word if the filter let nothing through."""
        if self.status != ExitStatus.OK or self._shown:
            return
        if not self._records:
            raise TapError(f"{where} contains no records: is it a recording?")
        if len(self._others) and self._session is not None:
            names = ", ".join(self._others)
            raise TapError(f"no session {self._session} in {where} (found: {names})")
        warn_stderr(f"no records match ({self._records:,} read)")

    def _is_meant(self, session: str) -> bool:
        if self._only is not None:
            return session == self._only
        fits = self._session
        return fits is None or session.startswith(fits) or session.endswith(fits)

    def _entry(self, record: Record, line: bytes) -> Entry:
        sessions = self._sessions.setdefault(self._path, Sessions())
        known = sessions.by_id.get(record.session)
        expected = known.next_seq if known is not None else 0
        missing = max(0, record.seq - expected)
        reported = record.fields.get("records") if record.event == "gap" else 0
        if isinstance(reported, int):
            missing = max(0, missing - max(0, reported))  # the record says it itself, and why
        session, step = sessions.add(record)
        return Entry(line, session, step, missing)

    def _pass(self, entry: Entry) -> Iterator[Entry]:
        """The entries that may be shown now, in order; a parked request just before its error."""
        asked = list(self._parked.answered_by(entry))
        if self._judge(entry) == "no":  # so all was well with the requests too
            yield from self._decided(self._lookahead.settle())
            return
        for each in (*asked, entry):
            yield from self._decided(self._lookahead.push(each))

    def _decided(self, entries: Iterator[Entry]) -> Iterator[Entry]:
        for entry in entries:
            judgement = self._judge(entry)
            if judgement == "open":
                self._parked.put(entry)
            elif judgement == "yes":
                yield entry

    def _judge(self, entry: Entry) -> Literal["yes", "no", "open"]:
        return self._wanted.judge(entry.step, entry.session, entry.line)

    def _waits(self, entry: Entry) -> bool:
        """Whether what is to be printed of ``entry`` depends on what comes."""
        if self._wanted.errors:
            return self._judge(entry) == "open"
        return self._output.tells_answers and any(
            item.role == "asks" and item.exchange is not None and item.exchange.outcome == "open"
            and not item.exchange.may_stay_open
            for item in entry.step.paired
        )  # fmt: skip


NAMED_SESSIONS = 5
"""Sessions that a sentence names where the one that was asked for is not there."""
