"""What the verbs that read many recordings share: where they lie, and what was wrong with them."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from mcp_tap.errors import TapError
from mcp_tap.model.express import Express
from mcp_tap.process.own_streams import talk
from mcp_tap.record.find import Place, find_recordings, recordings_in
from mcp_tap.record.paths import default_directory

BUFFER = 1 << 20
"""Bytes that are read at once: with Python's own 8 kB a line of 10 kB takes four times as long."""


def places_of(paths: list[str], log_dir: str | None) -> list[Place]:
    """What ``paths`` name, each file once; every recording in ``log_dir`` if they name nothing.

    Raises :class:`TapError` where there is none.
    """
    if not paths:
        found = [Place(path) for path in recordings_in(log_dir or default_directory())]
        return found or find_recordings(None, log_dir)
    places = [place for path in paths for place in find_recordings(path, log_dir)]
    return list(dict.fromkeys(places))


class Reading:
    """Reads files, and gathers what is to be said about them when the work is done."""

    def __init__(self) -> None:
        self.failed = False
        self.skips = 0
        self.first_skip: str | None = None
        self.sentences: list[str] = []

    @contextmanager
    def guard(self, path: str) -> Iterator[None]:
        """Note that ``path`` could not be read, and let the others be."""
        try:
            yield
        except OSError as error:
            self._fail(f"cannot read {path}: {error.strerror or error}")
        except TapError as error:
            self._fail(str(error))

    def read(self, path: str, express: Express) -> None:
        """Let ``express`` have the lines of ``path``. Raises OSError, and TapError for a newer format."""
        with open(path, "rb", buffering=BUFFER) as file:
            try:
                express.read(file)
            finally:
                self.skipped(path, express)

    def skipped(self, path: str, express: Express) -> None:
        """Count the lines that were no records."""
        found = express.sessions
        self.skips += found.skips
        if self.first_skip is None and found.skipped:
            first = found.skipped[0]
            self.first_skip = f"line {first.number} of {path}: {first.reason}"
        found.skips = 0
        found.skipped.clear()

    def say(self, sentence: str) -> None:
        """Remember a sentence for the end."""
        self.sentences.append(sentence)

    def report(self) -> None:
        """Say on stderr what there is to say."""
        for sentence in self.sentences:
            talk(sentence)
        if self.skips:
            lines = (
                "1 line was no record and was"
                if self.skips == 1
                else f"{self.skips:,} lines were no records and were"
            )
            first = "" if self.skips == 1 else "the first is "
            talk(f"{lines} left out ({first}{self.first_skip})")

    def _fail(self, sentence: str) -> None:
        self.failed = True
        self.say(sentence)
