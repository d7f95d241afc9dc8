"""Takes out of a recording what belongs to the machine and the person that made it.

What is replaced, and by what:

* the keys of ``start``: ``cwd``, ``path``, ``env``, ``pid`` and ``ppid``, by those of an invented user;
* the process number of ``spawn``;
* places of the machine (interpreters, package folders, temporary folders), wherever they occur: in
  messages, in stderr, in arguments, by the pairs that :func:`sanitise` is given.

Everything else stays byte for byte: a message is replaced within its own bytes, never parsed and
written again. The counts of ``exit`` are made to fit what the lines have become. Times, sessions
and process names stay: they say nothing about anybody.

Usage: python -m tests.recordings.sanitise OLD=NEW ... < RECORDING > FIXTURE
"""

from __future__ import annotations

import re
import sys
from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import Any

import orjson

from mcp_tap.record.reader import Record, read_record

Places = Sequence[tuple[str, str]]
"""What to replace by what; the first that fits is taken, so the longest come first."""

START = {
    "cwd": "/home/me/project",
    "pid": 4711,
    "ppid": 4700,
    "path": "/usr/local/bin:/usr/bin:/bin",
    "env": ["HOME", "LANG", "LOGNAME", "PATH", "SHELL", "TERM", "USER"],
}
SPAWN = {"pid": 4712}

PERSONAL = re.compile(rb"/(?:root|tmp|work|var/folders|Users|home/(?!me/))|\.e2e|node-v\d|@[a-z0-9-]+\.local")
"""What must not be left: places of a real machine."""


def sanitise(lines: Iterable[bytes], places: Places) -> list[bytes]:
    """The lines of a recording without personal details.

    Raises ValueError where one is no record, or holds what cannot be replaced in place.
    """
    made = []
    counts: dict[str, dict[str, int]] = defaultdict(lambda: {"lines": 0, "bytes": 0})
    for number, line in enumerate(lines, 1):
        line = replaced(line, places)
        record = read_record(line, number)
        if not isinstance(record, Record) or b'"b64":' in line:
            raise ValueError(f"line {number} cannot be sanitised")
        if record.dir == "tap":
            line = sanitised_event(line, record, counts)
        else:
            count(record, counts[f"{record.session} {record.dir}"])
        made.append(line)
    return made


def replaced(line: bytes, places: Places) -> bytes:
    """``line`` with each place replaced; paths look alike in JSON and outside it."""
    for old, new in places:
        line = line.replace(old.encode(), new.encode())
    return line


def count(record: Record, counts: dict[str, int]) -> None:
    """Count a line as the tap does."""
    counts["lines"] += not record.more
    counts["bytes"] += len(record.payload) + len(record.eol)


def sanitised_event(line: bytes, record: Record, counts: dict[str, dict[str, int]]) -> bytes:
    """A tap event with the keys of an invented user, and with counts that fit."""
    fields: dict[str, Any] = orjson.loads(line)
    if record.event == "start":
        fields |= {key: value for key, value in START.items() if key in fields}
    elif record.event == "spawn":
        fields |= SPAWN
    elif record.event == "exit":
        for what in ("lines", "bytes"):
            fields[what] = {stream: counts[f"{record.session} {stream}"][what] for stream in fields[what]}
    head, _, _ = line.partition(b'"event":')  # times keep their digits
    tail = orjson.dumps({key: value for key, value in fields.items() if key not in HEAD})
    return head + tail[1:] + b"\n"


HEAD = ("ts", "t", "session", "seq", "dir")


def personal(data: bytes) -> list[bytes]:
    """What is left of a real machine in ``data``; nothing, if it has been sanitised."""
    return sorted({found[0] for found in PERSONAL.finditer(data)})


if __name__ == "__main__":
    pairs = [tuple(argument.split("=", 1)) for argument in sys.argv[1:]]
    sys.stdout.buffer.writelines(sanitise(sys.stdin.buffer, [(old, new) for old, new in pairs]))
