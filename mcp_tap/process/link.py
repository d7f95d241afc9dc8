"""One direction: the source it is read from and the sink it is written to.

A link is used by one pump thread; ``drain``, ``give_up_stalled`` and ``stop`` may be called from
any other. ``join`` makes one.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

CHUNK = 65536
"""Bytes read at once: what a pipe holds on Linux (pipe(7)), so that one read empties it."""

LINGER = 0.25
"""Seconds of silence after which a stream that the ended server's children still hold is let go.

Everything that the server itself had written has been read by then; a launcher's child gets
this long to follow it."""

LINGER_IN_ALL = 2.0
"""Seconds for which such a stream is followed if it does not fall silent."""

STALL = 1.0
"""Seconds in which a receiver takes nothing before that is worth a record."""

PATIENCE_AFTER_SIGNAL = 2.0
"""Seconds that a receiver may take nothing when client and server both are done.

The official SDKs wait this long before the next, harder signal."""

CLOSE_WAIT = 1.0
"""Seconds that a link waits at most for another to close its source, which takes microseconds."""

OnStall = Callable[[float | None], None]
"""Called with None when the receiver has stalled, with the seconds it took when it goes on."""


class SinkGone(Exception):
    """Whoever read the sink does not read it any more."""


class Stopped(Exception):
    """The link was told to end, or let a source go that others still held.

    ``pipe_holders`` are those processes, None where the system does not tell.
    """

    def __init__(self, pipe_holders: frozenset[int] | None = frozenset()) -> None:
        super().__init__("the link was stopped")
        self.pipe_holders = pipe_holders


class Link(Protocol):
    """What a pump needs of one direction."""

    def receive(self, patience: float | None) -> bytes | None:
        """The next bytes, b"" at the end; None after ``patience`` seconds without any.

        Raises :class:`SinkGone` as soon as nobody reads the sink, where the system tells,
        and :class:`Stopped`.
        """

    def send(self, data: bytes) -> None:
        """Write all of ``data``; raises :class:`SinkGone` or :class:`Stopped`."""

    def drain_source(self) -> bytes:
        """What the source holds at this moment and would be lost with it; never waits.

        Nothing of a file or a terminal, which are not lost, and may be read by others.
        """

    def wait_for_close_of(self, other: Link) -> None:
        """Once ``other``'s sink is gone, receive nothing before its source has been closed.

        Whoever turns away from one stream and then says so on another relies on the order;
        two threads would race. To be called before the links are used.
        """

    def reader_pids(self) -> frozenset[int] | None:
        """Processes that read the sink, empty if nobody does; None where the system does not tell."""

    def unread(self) -> int:
        """Bytes in the sink that its reader has not taken yet; 0 where the system does not tell."""

    def close_source(self) -> None:
        """Stop reading: whoever writes to the source gets EPIPE. Repeating it is harmless."""

    def close_sink(self) -> None:
        """End the sink: its reader sees the end. Repeating it is harmless."""

    def drain(self) -> None:
        """The source's owner has ended: read what there is, wait ``LINGER`` for the rest."""

    def give_up_stalled(self) -> None:
        """Nobody may be waiting any more: give a stalled sink up."""

    def stop(self) -> None:
        """End as soon as possible."""

    def close(self) -> None:
        """Free what is not a stream, when no thread uses the link any more."""
