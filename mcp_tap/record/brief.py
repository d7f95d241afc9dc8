"""The two ends of a recording, for what is told in few words: how it began, how it ended.

A recording of any size costs at most four reads.
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from io import FileIO

HEAD = 16 * 1024
"""Bytes of a file's beginning: the start record and, mostly, the handshake."""

TAIL = 4 * 1024
"""Bytes of its end: the last messages and the exit record."""

LONG = 1024 * 1024
"""Bytes of an end in which not one whole line was found."""


@dataclass(frozen=True, slots=True)
class Ends:
    """Whole lines, with what ended them. ``whole`` says that ``head`` is all there is.

    The last line of all may be torn. ``tail`` is empty where a line of more than ``LONG`` bytes is
    the last one, and ``head`` where it is the first.
    """

    head: list[bytes]
    tail: list[bytes]
    whole: bool


def read_ends(path: str) -> Ends:
    """The ends of the file. Raises OSError."""
    with open(path, "rb", buffering=0) as file:
        size = os.fstat(file.fileno()).st_size
        if size <= HEAD + TAIL:
            return Ends(split(file.read()), [], whole=True)
        head = read_head(file, HEAD) or read_head(file, LONG)
        tail = read_tail(file, size, TAIL) or read_tail(file, size, LONG)
    return Ends(head, tail, whole=False)


def read_head(file: FileIO, most: int) -> list[bytes]:
    """The whole lines in the first bytes."""
    file.seek(0)
    data = file.read(most)
    return split(data[: data.rfind(b"\n") + 1])


def read_tail(file: FileIO, size: int, most: int) -> list[bytes]:
    """The whole lines in the last bytes; what begins before them is left out."""
    start = max(0, size - most - 1)
    file.seek(start)
    data = file.read(most + 1)
    return split(data[data.find(b"\n") + 1 :]) if b"\n" in data else []


def split(data: bytes) -> list[bytes]:
    """Lines as a binary file gives them: at 0x0A only."""
    lines = data.split(b"\n")
    last = lines.pop()
    return [line + b"\n" for line in lines] + ([last] if last else [])
