"""Where a line ends.

MCP's stdio transport delimits messages by a newline (specification 2025-11-25,
basic/transports#stdio), so a stream is split at the byte 0x0A and nowhere else: not at CR,
not at U+2028, not inside a multi-byte character.

A line is a ``bytes`` object without its newline in the common case. What does not fit that
is a :class:`Segment`: a line too long to be kept whole, one that stopped in its middle, or
the last one of a stream that ended without a newline.
"""

from __future__ import annotations

from dataclasses import dataclass

SEGMENT_LIMIT = 64 * 1024 * 1024
"""Bytes of one line that are held in memory before a segment of it is given out.

Large enough for any message that the known clients accept (the TypeScript SDK stops at
10 MiB), small enough that a runaway line costs a bounded amount of memory.
"""


@dataclass(frozen=True, slots=True)
class Segment:
    """Part of a line, as the pieces in which it arrived.

    ``more``: the line goes on in the next segment. ``newline``: the segment ends with the
    newline that ends the line. Both false: the stream ended here.
    """

    pieces: tuple[bytes, ...]
    newline: bool = False
    more: bool = False


Line = bytes | Segment


class LineSplitter:
    """Splits one stream, in any chunking, into the same lines."""

    def __init__(self, limit: int = SEGMENT_LIMIT) -> None:
        if limit < 4:
            raise ValueError("a segment must have room for one UTF-8 character")
        self._limit = limit
        self._pending: list[bytes] = []
        self._size = 0
        self._continues = False
        self.continued = 0
        """Segments given out so far that were not the end of their line."""

    @property
    def is_idle(self) -> bool:
        """Whether the next byte begins a line."""
        return not self._size and not self._continues

    @property
    def unfinished(self) -> bool:
        """Whether bytes are held that have not been given out in any segment."""
        return self._size > 0

    def feed(self, chunk: bytes) -> list[Line]:
        """The lines and segments that ``chunk`` completes, oldest first.

        Only the chunk is searched, never what is held, so that a line costs time proportional
        to its length however it was chunked.
        """
        lines: list[Line] = chunk.split(b"\n")  # type: ignore[assignment] # list is invariant
        rest: bytes = lines.pop()  # type: ignore[assignment] # a split gives nothing else
        if lines and (self._size or self._continues):
            lines[0:1] = self._finish(lines[0])  # type: ignore[arg-type] # as above
        if rest:
            lines += self._hold(rest)
        return lines

    def silence(self) -> list[Line]:
        """What is held, as a segment that goes on: the stream paused in mid-line."""
        pieces = self._take_characters()
        return [self._segment(pieces)] if pieces else []

    def end(self) -> list[Line]:
        """The last line, if the stream ended without a newline."""
        if not self._size and not self._continues:
            return []
        self._continues = False
        return [Segment(tuple(self._take()))]

    def _hold(self, chunk: bytes) -> list[Line]:
        segments: list[Line] = []
        while self._size + len(chunk) > self._limit:
            room = self._limit - self._size
            if room:
                self._pending.append(chunk[:room])
                self._size += room
                chunk = chunk[room:]
            segments.append(self._segment(self._take_characters()))
        if chunk:
            self._pending.append(chunk)
            self._size += len(chunk)
        return segments

    def _segment(self, pieces: list[bytes]) -> Segment:
        self._continues = True
        self.continued += 1
        return Segment(tuple(pieces), more=True)

    def _finish(self, last: bytes) -> list[Line]:
        segments = self._hold(last)
        pieces = self._take()
        if not self._continues:
            return [b"".join(pieces)]
        self._continues = False
        return [*segments, Segment(tuple(pieces), newline=True)]

    def _take(self) -> list[bytes]:
        pieces, self._pending, self._size = self._pending, [], 0
        return pieces

    def _take_characters(self) -> list[bytes]:
        """What is held but for the start of an incomplete UTF-8 character (three bytes at most).

        So both halves of a line that is cut here remain readable text.
        """
        pieces = self._take()
        tail = b"".join(pieces[-3:])
        kept = incomplete_character(tail)
        if kept:
            pieces[-3:] = [tail[: -len(kept)]] if len(tail) > len(kept) else []
            self._pending, self._size = [kept], len(kept)
        return pieces


def incomplete_character(piece: bytes) -> bytes:
    """The tail of ``piece`` that begins a UTF-8 character (RFC 3629) but does not finish it."""
    for back in range(1, min(3, len(piece)) + 1):
        byte = piece[-back]
        if byte & 0xC0 == 0x80:
            continue
        needed = 2 if byte >> 5 == 0b110 else 3 if byte >> 4 == 0b1110 else 4 if byte >> 3 == 0b11110 else 1
        return piece[-back:] if needed > back else b""
    return b""
