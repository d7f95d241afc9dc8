"""On which line of its file a record stands, for tools that point at lines of files."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator

BUFFER = 1 << 20
"""Bytes read at once: recordings are read from one end to the other."""

RECORD_HEAD = re.compile(rb'\{"ts":"[^"]*","t":[^,]*,"session":"([^"]*)","seq":(\d{1,18}),')
"""How every record begins: the order of its keys is part of the format."""

RecordKey = tuple[str, int]
"""A record's session and number."""


def locate_records(path: str, wanted: Collection[RecordKey]) -> dict[RecordKey, int]:
    """The lines of the file, counted from 1, on which the ``wanted`` records stand.

    The first one where a record lies in the file twice; what is not there is not in the result.
    Raises OSError.
    """
    found: dict[RecordKey, int] = {}
    if wanted:
        with open(path, "rb", buffering=BUFFER) as file:
            for number, key in enumerate(record_keys(file), 1):
                if key is not None and key in wanted:
                    found.setdefault(key, number)
    return found


def record_keys(lines: Iterable[bytes]) -> Iterator[RecordKey | None]:
    """Session and number of each line's record, None where it does not begin like one."""
    for line in lines:
        head = RECORD_HEAD.match(line)
        yield (head[1].decode(errors="replace"), int(head[2])) if head else None
