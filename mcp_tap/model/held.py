"""Lines that are recorded in parts."""

from __future__ import annotations

from dataclasses import dataclass, field

from mcp_tap.model.message import Message, OddMessage, read_line

JOINED_LIMIT = 64 * 1024 * 1024
"""Bytes up to which a line is put together from the records that hold it; the tap's own limit for one."""


@dataclass(slots=True, eq=False)
class HeldLine:
    """A line that is recorded in parts, as far as it has come; of one too long to be read, its size."""

    pieces: list[bytes] = field(default_factory=list)
    size: int = 0

    def hold(self, piece: bytes) -> None:
        """Take the next part."""
        self.size += len(piece)
        self.pieces.append(piece)
        if self.size > JOINED_LIMIT:
            self.pieces.clear()

    def read(self, *, whole: bool) -> Message:
        """What the line is; ``whole`` as in ``read_line``."""
        if self.size > JOINED_LIMIT:
            return OddMessage("not-json", why=f"too long to parse ({self.size:,} bytes)", flaw="too-large")
        return read_line(b"".join(self.pieces), whole=whole)
