"""Records held back until what depends on later ones is known, within fixed bounds.

A request can tell which record answers it, or whether it failed, only after its answer. It
waits here, and what comes after it waits behind it, so that the order stays the file's.
"""

from __future__ import annotations

from collections import OrderedDict, deque
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from mcp_tap.model.session import Session
from mcp_tap.model.step import Step

HELD_RECORDS = 1000
"""Records that are held back at most: an answer further away than this is reported as unknown."""

HELD_BYTES = 1 << 20
"""Bytes of lines that are held back at most; parsed, they take some ten times that."""

PARKED_RECORDS = 1000
"""Requests that wait for their answer beside the queue, once that was full."""

PARKED_BYTES = 4 << 20
"""Bytes of lines of these."""


@dataclass(frozen=True, slots=True)
class Entry:
    """A record on its way to the view. ``line`` is its line of the file; ``missing`` says how many
    records the session's numbers show to be missing just before it."""

    line: bytes
    session: Session
    step: Step
    missing: int = 0


class Lookahead:
    """A queue that lets entries pass in order, each as soon as it does not wait any more.

    ``waits`` says whether an entry depends on what is still to come. With ``records`` 0 nothing is
    held back (as for a file that is being followed).
    """

    def __init__(
        self, waits: Callable[[Entry], bool], records: int = HELD_RECORDS, size: int = HELD_BYTES
    ) -> None:
        self._waits = waits
        self._records = records
        self._size = size
        self._held: deque[Entry] = deque()
        self._bytes = 0

    def push(self, entry: Entry) -> Iterator[Entry]:
        """Take the next entry; gives those that may pass now."""
        self._held.append(entry)
        self._bytes += len(entry.line)
        return self.settle()

    def settle(self) -> Iterator[Entry]:
        """The entries that may pass now, because of something that was not pushed."""
        while self._held and (self._is_full() or not self._waits(self._held[0])):
            yield self._pop()

    def end(self) -> Iterator[Entry]:
        """All that are left: nothing more comes."""
        while self._held:
            yield self._pop()

    def _is_full(self) -> bool:
        return len(self._held) > self._records or self._bytes > self._size

    def _pop(self) -> Entry:
        entry = self._held.popleft()
        self._bytes -= len(entry.line)
        return entry


class Parked:
    """Requests that had to leave the queue undecided, found again by their answers."""

    def __init__(self) -> None:
        self._entries: OrderedDict[tuple[str, int], Entry] = OrderedDict()
        self._bytes = 0

    def put(self, entry: Entry) -> None:
        """Keep ``entry``; the oldest is given up where there are too many."""
        self._entries[(entry.session.id, entry.step.record.seq)] = entry
        self._bytes += len(entry.line)
        while len(self._entries) > PARKED_RECORDS or self._bytes > PARKED_BYTES:
            self._forget(next(iter(self._entries)))

    def answered_by(self, entry: Entry) -> Iterator[Entry]:
        """The requests that ``entry`` answers, which are not kept any longer."""
        for item in entry.step.paired:
            if item.role == "answers" and item.exchange is not None:
                key = (entry.session.id, item.exchange.seq)
                if key in self._entries:
                    yield self._forget(key)

    def _forget(self, key: tuple[str, int]) -> Entry:
        entry = self._entries.pop(key)
        self._bytes -= len(entry.line)
        return entry
