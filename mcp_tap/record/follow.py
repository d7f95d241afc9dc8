"""Lines of recordings as they are appended, for a view that goes on with the file.

A file may grow, be cut short or be replaced; in a directory files may appear. A line is given
out once its newline has come: until then its writer may still be at it.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import BinaryIO, NamedTuple

from mcp_tap.record.find import recordings_in

POLL_SECONDS = 0.2
"""Seconds between two looks: at once for a reader's eye, and no load for the machine."""

CHUNK = 1 << 20
"""Bytes that are read at once."""

HEAD = 256
"""Bytes at a file's beginning by which it is known again: they hold its first record's time and
session. An inode number alone may have been given out anew."""

OPEN_FILES = 64
"""Recordings that are kept open, the ones that have grown last. An open file can be read to its
end even after it was replaced; a directory may hold more recordings than a process may open."""


@dataclass(frozen=True, slots=True)
class NewLine:
    """A whole line of a recording, with its newline. ``number`` counts from 1."""

    path: str
    number: int
    data: bytes


@dataclass(frozen=True, slots=True)
class Restarted:
    """The file is another one now, or was cut short: what follows is read from its beginning."""

    path: str


News = NewLine | Restarted


def follow(
    paths: Iterable[str],
    wait: Callable[[], bool],
    directory: str | None = None,
    ignored: Iterable[str] = (),
) -> Iterator[News]:
    """The lines of ``paths``, and then those that are appended to them.

    With ``directory`` also those of the recordings that appear there; ``ignored`` are the ones
    that are there already and not wanted. ``wait`` is called when there is nothing more at the
    moment; the iteration ends when it returns False.
    """
    tails = {path: Tail(path) for path in paths}
    others = set(ignored) - set(tails)
    try:
        while True:
            if directory is not None:
                present = listed(directory)
                others &= set(present)  # what was deleted and comes again is new
                tails.update(
                    {path: Tail(path) for path in present if path not in tails and path not in others}
                )
            for tail in tails.values():
                yield from tail.news()
            close_quiet(tails.values())
            if not wait():
                return
    finally:
        for tail in tails.values():
            tail.close()


def listed(directory: str) -> list[str]:
    """The recordings there; none where one vanishes just now, and the next look will tell."""
    try:
        return recordings_in(directory)
    except OSError:
        return []


def close_quiet(tails: Iterable[Tail]) -> None:
    """Close what has not grown for longest where more than ``OPEN_FILES`` are open."""
    opened = sorted((tail for tail in tails if tail.is_open), key=lambda tail: tail.grown)
    for tail in opened[: max(0, len(opened) - OPEN_FILES)]:
        tail.close()


class Tail:
    """One file, read as far as it goes. ``grown`` rises with each look that finds something."""

    looks = 0

    def __init__(self, path: str) -> None:
        self.path = path
        self.grown = 0
        self._file: BinaryIO | None = None
        self._part: list[bytes] = []
        self._forget()

    def _forget(self) -> None:
        """Everything that is known was of another file."""
        self.close()
        self._identity: tuple[int, int] | None = None
        self._seen: FileState | None = None
        self._head = b""
        self._position = 0
        self._number = 0
        self._part.clear()

    @property
    def is_open(self) -> bool:
        """Whether it holds a descriptor."""
        return self._file is not None

    def close(self) -> None:
        """Give up the descriptor; the next look goes on where this one ended."""
        if self._file is not None:
            self._file.close()
            self._file = None

    def news(self) -> Iterator[News]:
        """What has come since the last look. A file that cannot be opened has none."""
        there = state(self.path)
        if self._identity is not None and there is not None:
            if there.identity != self._identity:
                yield from self._read()  # what its writer has appended after it was moved away
                yield from self._start_again()
            elif there == self._seen or not self._open():
                return
            elif self._was_rewritten(there.size):
                yield from self._start_again()
        elif self._identity is not None and self._file is None:
            return  # gone
        self._seen = there
        if self._open():
            yield from self._read()

    def _open(self) -> bool:
        if self._file is not None:
            return True
        try:
            self._file = open(self.path, "rb", buffering=0)  # noqa: SIM115 # kept open: see OPEN_FILES
        except OSError:
            return False
        found = os.fstat(self._file.fileno())
        identity = (found.st_dev, found.st_ino)
        if self._identity not in (None, identity):
            self.close()  # replaced since the look at its name: the next look will see it
            return False
        self._identity = identity
        self._file.seek(self._position)
        return True

    def _was_rewritten(self, size: int) -> bool:
        if size < self._position or self._file is None:
            return True
        self._file.seek(0)
        head = self._file.read(len(self._head))
        self._file.seek(self._position)
        return head != self._head

    def _start_again(self) -> Iterator[News]:
        if self._part:  # torn for good
            self._number += 1
            yield NewLine(self.path, self._number, b"".join(self._part))
        yield Restarted(self.path)
        self._forget()

    def _read(self) -> Iterator[NewLine]:
        while self._file is not None and (data := self._file.read(CHUNK)):
            Tail.looks += 1
            self.grown = Tail.looks
            self._position += len(data)
            if len(self._head) < HEAD:
                self._head = (self._head + data)[:HEAD]
            *whole, rest = data.split(b"\n")
            for line in whole:
                self._number += 1
                yield NewLine(self.path, self._number, b"".join([*self._part, line, b"\n"]))
                self._part.clear()
            if rest:
                self._part.append(rest)


class FileState(NamedTuple):
    """What the system tells of a file; two that are equal have the same content."""

    identity: tuple[int, int]
    size: int
    changed_ns: int


def state(path: str) -> FileState | None:
    """The state of the file that ``path`` names now; None where there is none."""
    try:
        found = os.stat(path)
    except OSError:
        return None
    return FileState((found.st_dev, found.st_ino), found.st_size, found.st_mtime_ns)
