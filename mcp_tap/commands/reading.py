"""What the verbs that read many recordings share: where they lie, and what was wrong with them."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TextIO

from mcp_tap.diagnosis.text import plural
from mcp_tap.errors import TapError
from mcp_tap.model.session import Session
from mcp_tap.model.sessions import Sessions
from mcp_tap.model.step import Step
from mcp_tap.process.own_streams import warn_stderr
from mcp_tap.record.find import RecordingLocation, find_recordings, recordings_in
from mcp_tap.record.follow import POLL_SECONDS, News, follow
from mcp_tap.record.paths import default_directory

BUFFER = 1 << 20
"""Bytes that are read at once: with Python's own 8 kB a line of 10 kB takes four times as long."""


def places_of(paths: list[str], log_dir: str | None, *, every: bool = False) -> list[RecordingLocation]:
    """What ``paths`` name, each file once; every recording in ``log_dir`` if they name nothing.

    The name of a server stands for its newest session, or for ``every`` one.

    Raises :class:`TapError` where there is none.
    """
    if not paths:
        found = [RecordingLocation(path) for path in recordings_in(log_dir or default_directory())]
        return found or find_recordings(None, log_dir)
    places = [place for path in paths for place in find_recordings(path, log_dir, every=every)]
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
        """Note that ``path`` could not be read, and go on with the others."""
        try:
            yield
        except OSError as error:
            self._fail(f"cannot read {path}: {error.strerror or error}")
        except TapError as error:
            self._fail(str(error))

    def steps(self, path: str, sessions: Sessions) -> Iterator[tuple[Session, Step]]:
        """What each record of ``path`` adds to one of ``sessions``.

        Raises OSError, and TapError for a newer format.
        """
        with open(path, "rb", buffering=BUFFER) as file:
            try:
                yield from sessions.steps(file)
            finally:
                self.skipped(path, sessions)

    def skipped(self, path: str, sessions: Sessions) -> None:
        """Count the lines that were no records."""
        self.skips += sessions.skips
        if self.first_skip is None and sessions.skipped:
            first = sessions.skipped[0]
            self.first_skip = f"line {first.number} of {path}: {first.reason}"

    def say(self, sentence: str) -> None:
        """Remember a sentence for the end."""
        self.sentences.append(sentence)

    def report(self) -> None:
        """Say on stderr what there is to say."""
        for sentence in self.sentences:
            warn_stderr(sentence)
        if self.skips:
            lines = plural(self.skips, "line that is not a record", "lines that are not records")
            first = "" if self.skips == 1 else "first: "
            warn_stderr(f"skipped {lines} ({first}{self.first_skip})")

    def _fail(self, sentence: str) -> None:
        self.failed = True
        self.say(sentence)


@dataclass(frozen=True, slots=True)
class FollowTarget:
    """Which recordings to follow: ``paths``, and those that appear in ``directory``.

    ``present`` lie there already; of the one file that is followed alone, ``only`` may be the session
    that is meant.
    """

    paths: list[str]
    directory: str | None
    present: list[str]
    only: str | None

    def news(self, wait: Callable[[], bool]) -> Iterator[News]:
        """Their lines, and then what is appended; ends when ``wait`` returns False."""
        return follow(self.paths, wait, self.directory, ignored=self.present)


def what_to_follow(what: str | None, log_dir: str | None) -> FollowTarget:
    """What ``what`` names: with a directory, or nothing, later sessions there are meant too.

    Raises :class:`TapError` where there is no such thing, or it cannot be read.
    """
    directory = what if what is not None and os.path.isdir(what) else None
    if what is None:
        directory = log_dir or default_directory()
    present = recordings_in(directory) if directory is not None else []
    if directory is None:
        places = find_recordings(what, log_dir)
    elif what is None:
        places = [RecordingLocation(path) for path in present[-1:]]
    else:
        places = [RecordingLocation(path) for path in present]
    if not places:
        warn_stderr(f"waiting for a session to start in {directory}")
    for place in places:
        check_readable(place.path)
    return FollowTarget(
        [place.path for place in places], directory, present, places[0].session if directory is None else None
    )


def check_readable(path: str) -> None:
    """Raise :class:`TapError` if ``path`` cannot be opened: following would wait for it for ever."""
    try:
        open(path, "rb").close()
    except OSError as error:
        raise TapError(f"cannot read {path}: {error.strerror}") from None


def pause(stream: TextIO) -> bool:
    """Let the reader see what there is, and wait a little."""
    stream.flush()
    time.sleep(POLL_SECONDS)
    return True
