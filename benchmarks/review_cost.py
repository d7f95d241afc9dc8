"""What it costs to read recordings, beside what a shell user would do instead.

    python benchmarks/review_cost.py [--quick] [--json] [--rounds N]

``mcp-tap stats``, with all its pairing and percentiles, against ``jq`` counting methods in the same
file, once by a filter into ``sort | uniq -c`` and once by ``reduce inputs``: the faster of the two is
the bar; and ``mcp-tap check`` against ``stats``. That in five mixes of messages of 300 bytes, and
``stats`` once more with 10 kB. Then ``mcp-tap sessions`` over a directory, ``--brief`` and in full,
against ``wc -l`` of the same files, and the start of ``check`` against its imports. Everything is
measured as a user would see it, whole processes with their start, in
turns (A B C A B C ...), all files in the page cache. A figure is the median of its rounds; one
round before them warms up and does not count.

Files lie in a temporary directory (``TMPDIR`` says on which disk; 1.7 GB are needed, 40 MB with
``--quick``). Trust the ratios: absolute numbers are this machine's at this moment. Nothing here is a
test. The exit status is 0 whatever comes out, 1 if nothing could be measured: it takes ``jq``, ``wc``
and the tap installed beside this very interpreter.

What bounds the full list: each record is parsed once (orjson, 1.2 µs of 300 bytes) and becomes a record,
a message and half an exchange (5 µs), while ``wc`` looks for one byte and does not know what a record is.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path

SMALL, LARGE = 300, 10_000
"""Bytes of a record."""

FILE_BYTES = 1_000_000
"""Bytes of a file in the directory that is listed."""

TOOLS = ("search_notes", "read_note", "list")
SESSION = "01m8mgpwt5nbk9nx"
MEGABYTE = 1_000_000

COUNT_METHODS = "jq -r 'select(.msg.method)|.msg.method' \"$1\" | sort | uniq -c"
REDUCE = "jq -n 'reduce inputs as $r ({}; if $r.msg.method then .[$r.msg.method]+=1 else . end)' \"$1\""
COUNT_LINES = 'wc -l "$1"/*.jsonl | tail -1'

Command = list[str]
Message = dict[str, object]


@dataclass(frozen=True, slots=True)
class Row:
    """One figure: seconds of ours and of the other's; ``bar`` is what ``ratio`` is to reach, if anything."""

    name: str
    ours: float
    other: float
    other_is: str
    ratio: float
    bar: float | None
    peak_mb: float | None = None


ME = {"name": "notes", "version": "1.0"}
SAYS = {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientInfo": ME,
    "io.modelcontextprotocol/clientCapabilities": {},
}
"""What each request of the era without a handshake says of its client."""

LISTED = [
    {
        "name": name,
        "description": "notes",
        "inputSchema": {"type": "object", "properties": {"q": {"type": "string"}}},
    }
    for name in TOOLS
]

LEGACY_BEGINNING: list[tuple[str, Message]] = [
    ("c2s", {"id": 0, "method": "initialize",
             "params": {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": ME}}),
    ("s2c", {"id": 0, "result": {"protocolVersion": "2025-11-25",
                                 "capabilities": {"tools": {}, "logging": {}}, "serverInfo": ME}}),
    ("c2s", {"method": "notifications/initialized"}),
    ("c2s", {"id": 1, "method": "tools/list"}),
    ("s2c", {"id": 1, "result": {"tools": LISTED}}),
]  # fmt: skip

HINTS: Message = {"resultType": "complete", "ttlMs": 0, "cacheScope": "private"}

MODERN_BEGINNING: list[tuple[str, Message]] = [
    ("c2s", {"id": 0, "method": "server/discover", "params": {"_meta": SAYS}}),
    (
        "s2c",
        {"id": 0, "result": HINTS | {"supportedVersions": ["2026-07-28"], "capabilities": {"tools": {}}}},
    ),
    ("c2s", {"id": 1, "method": "tools/list", "params": {"_meta": SAYS}}),
    ("s2c", {"id": 1, "result": HINTS | {"tools": LISTED}}),
]  # fmt: skip


def call(id: object, number: int, padding: str, **more: object) -> Message:
    """The call of a tool."""
    params = {"name": TOOLS[number % 3], "arguments": {"q": padding}, **more}
    return {"id": id, "method": "tools/call", "params": params}


def returned(id: object, padding: str, **more: object) -> Message:
    """Its result."""
    return {"id": id, "result": {"content": [{"type": "text", "text": padding}], "isError": False, **more}}


def integer_ids(number: int, padding: str) -> list[tuple[str, Message]]:
    """Calls as most clients number them."""
    return [("c2s", call(number, number, padding)), ("s2c", returned(number, padding))]


def string_ids(number: int, padding: str) -> list[tuple[str, Message]]:
    """Calls with strings for ids."""
    return [("c2s", call(f"r{number}", number, padding)), ("s2c", returned(f"r{number}", padding))]


def errors(number: int, padding: str) -> list[tuple[str, Message]]:
    """Of a hundred calls three are answered by an error, and in three the tool fails."""
    answer = returned(number, padding)
    if number % 100 in (11, 44, 77):
        answer = {"id": number, "error": {"code": -32603, "message": padding}}
    elif number % 100 in (22, 55, 88):
        answer = returned(number, padding, isError=True)
    return [("c2s", call(number, number, padding)), ("s2c", answer)]


def progress(number: int, padding: str) -> list[tuple[str, Message]]:
    """Calls with a progress token of their own, a report of progress and a log message."""
    token = f"p{number}"
    return [
        ("c2s", call(number, number, padding, _meta={"progressToken": token})),
        ("s2c", {"method": "notifications/progress",
                 "params": {"progressToken": token, "progress": 1, "message": padding}}),
        ("s2c", {"method": "notifications/message", "params": {"level": "info", "data": padding}}),
        ("s2c", returned(number, padding)),
    ]  # fmt: skip


def modern(number: int, padding: str) -> list[tuple[str, Message]]:
    """Calls of 2026-07-28."""
    short = padding[:-60]  # each request says who its client is
    return [
        ("c2s", call(number, number, short, _meta=SAYS)),
        ("s2c", returned(number, padding, resultType="complete")),
    ]


Mix = Callable[[int, str], list[tuple[str, Message]]]

MIXES: dict[str, Mix] = {
    "integer ids": integer_ids,
    "string ids": string_ids,
    "3 % errors, 3 % isError": errors,
    "progress and log messages": progress,
    "2026-07-28": modern,
}
"""What messages are like in one recording and another."""


def record(seq: int, direction: str, body: bytes, session: str) -> bytes:
    head = '{"ts":"2026-11-29T18:37:40.140210Z","t":%.6f,"session":"%s","seq":%d,"dir":"%s",'
    return (head % (seq * 0.0003, session, seq, direction)).encode() + body + b"}\n"


def compact(message: Message) -> bytes:
    return b'"msg":' + json.dumps({"jsonrpc": "2.0", **message}, separators=(",", ":")).encode()


START = b'"event":"start","format":1,"tap":"0.1.0","argv":["x"],"cwd":"/","pid":1,"name":"notes"'
ENDING = (b'"event":"eof","stream":"c2s"', b'"event":"exit","code":0,"signal":null,"first":"client-eof"')


def write_recording(
    path: Path, records: int, size: int, mix: Mix = integer_ids, session: str = SESSION
) -> None:
    """A session with its handshake, and calls of three tools in records of about ``size`` bytes."""
    padding = "y" * max(61, size - 190)
    beginning = MODERN_BEGINNING if mix is modern else LEGACY_BEGINNING
    with open(path, "wb") as file:
        seq = 0

        def write(direction: str, body: bytes) -> None:
            nonlocal seq
            file.write(record(seq, direction, body, session))
            seq += 1

        write("tap", START)
        write("tap", b'"event":"spawn","pid":2,"exe":"/x"')
        for direction, message in beginning:
            write(direction, compact(message))
        number = 2
        while seq < records - len(ENDING):
            for direction, message in mix(number, padding):
                write(direction, compact(message))
            number += 1
        for event in ENDING:
            write("tap", event)


def seconds_of(command: Command) -> float:
    """Wall clock seconds of one run."""
    begun = time.perf_counter()
    subprocess.run(command, stdout=subprocess.DEVNULL, check=True)
    return time.perf_counter() - begun


def in_turns(commands: list[Command], rounds: int) -> list[float]:
    """The median of each command."""
    taken: list[list[float]] = [[] for _ in commands]
    for at in range(rounds + 1):
        for times, command in zip(taken, commands, strict=True):
            seconds = seconds_of(command)
            if at:
                times.append(seconds)
    return [statistics.median(times) for times in taken]


def peak_of(command: Command) -> float:
    """Megabytes that a run has resident at most."""
    pid = os.posix_spawn(
        command[0],
        command,
        os.environ,
        file_actions=[(os.POSIX_SPAWN_OPEN, 1, os.devnull, os.O_WRONLY, 0)],
    )
    used = os.wait4(pid, 0)[2]
    assert isinstance(used, resource.struct_rusage)
    return used.ru_maxrss * 1024 / MEGABYTE


def shell(script: str, path: Path) -> Command:
    return ["sh", "-c", script, "sh", str(path)]


def tap(*words: str) -> Command:
    return [sys.executable, "-m", "mcp_tap", *words]


def jq_of(path: Path) -> list[Command]:
    """Both ways to count methods in the shell."""
    return [shell(COUNT_METHODS, path), shell(REDUCE, path)]


def measure_large(directory: Path, records: int, rounds: int) -> Row:
    path = directory / "large.jsonl"
    write_recording(path, records, LARGE)
    ours = tap("stats", str(path))
    stats, count, reduce = in_turns([ours, *jq_of(path)], rounds)
    other, other_is = min((count, "jq | sort | uniq -c"), (reduce, "jq reduce"))
    name = f"stats, {records:,} records of {LARGE:,} bytes"
    row = Row(name, stats, other, other_is, other / stats, 5.0, peak_of(ours))
    path.unlink()
    return row


def measure_mixes(directory: Path, records: int, rounds: int) -> list[Row]:
    """``stats`` beside ``jq`` and ``check`` beside ``stats``, in each mix."""
    rows: list[Row] = []
    taken: dict[str, float] = {}
    for name, mix in MIXES.items():
        path = directory / "mix.jsonl"
        write_recording(path, records, SMALL, mix)
        ours, checking = tap("stats", str(path)), tap("check", str(path))
        stats, check, count, reduce = in_turns([ours, checking, *jq_of(path)], rounds)
        other, other_is = min((count, "jq | sort | uniq -c"), (reduce, "jq reduce"))
        what = f"{records:,} records, {name}"
        rows.append(Row(f"stats, {what}", stats, other, other_is, other / stats, 1.2, peak_of(ours)))
        rows.append(Row(f"check, {what}", check, stats, "stats", stats / check, 1 / 3, peak_of(checking)))
        taken[name] = stats
        path.unlink()
    slowest, fastest = max(taken, key=taken.__getitem__), min(taken, key=taken.__getitem__)
    ratio = taken[fastest] / taken[slowest]
    name = f"stats, slowest mix ({slowest})"
    rows.append(Row(name, taken[slowest], taken[fastest], f"fastest ({fastest})", ratio, 1 / 1.6))
    return rows


def measure_start(directory: Path, rounds: int) -> Row:
    """``check`` of a recording of a session in which nothing was said, beside what it cannot do without."""
    path = directory / "empty.jsonl"
    path.write_bytes(record(0, "tap", START, SESSION))
    ours = tap("check", str(path))
    bare = [sys.executable, "-c", "import rich.console, orjson"]
    check, imports = in_turns([ours, bare], max(rounds, 10))
    return Row("check, nothing said", check, imports, "its imports", imports / check, 1 / 1.6, peak_of(ours))


def measure_sessions(directory: Path, files: int, rounds: int) -> list[Row]:
    place = directory / "many"
    place.mkdir()
    for at in range(files):
        session = f"{at:016d}"
        path = place / f"20261129T183740.123Z-notes-{session}.jsonl"
        write_recording(path, FILE_BYTES // SMALL, SMALL, session=session)
    full, brief = tap("sessions", str(place)), tap("sessions", "--brief", str(place))
    ours, quick, lines = in_turns([full, brief, shell(COUNT_LINES, place)], rounds)
    what = f"{files:,} files of {FILE_BYTES // MEGABYTE} MB"
    return [
        Row(f"sessions --brief, {what}", quick, lines, "wc -l", lines / quick, None, peak_of(brief)),
        Row(f"sessions, {what}", ours, lines, "wc -l", lines / ours, None, peak_of(full)),
    ]


def print_rows(rows: list[Row]) -> None:
    for row in rows:
        bar = "" if row.bar is None else f" (bar {row.bar:.3g})"
        resident = "" if row.peak_mb is None else f", {row.peak_mb:.0f} MB resident"
        print(f"{row.name}: {row.ours:.2f} s{resident}")
        print(f"    {row.other_is}: {row.other:.2f} s, that is {row.ratio:.2f} times ours{bar}")


def main() -> int:
    parser = argparse.ArgumentParser(description="What it costs to read recordings.", allow_abbrev=False)
    parser.add_argument("--quick", action="store_true", help="small files, one round: a smoke test")
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--rounds", type=int, default=3)
    options = parser.parse_args()
    missing = [tool for tool in ("jq", "wc") if shutil.which(tool) is None]
    if missing:
        print(f"cannot measure: {' and '.join(missing)} missing", file=sys.stderr)
        return 1
    small, large, files = (20_000, 1000, 10) if options.quick else (1_000_000, 40_000, 1000)
    rounds = 1 if options.quick else options.rounds
    with tempfile.TemporaryDirectory(prefix="mcp-tap-review-") as name:
        directory = Path(name)
        rows = [
            measure_start(directory, rounds),
            *measure_mixes(directory, small, rounds),
            measure_large(directory, large, rounds),
            *measure_sessions(directory, files, rounds),
        ]
    if options.json:
        print(json.dumps([asdict(row) for row in rows], indent=2))
    else:
        print_rows(rows)
    return 0


if __name__ == "__main__":
    sys.exit(main())
