"""What it costs to read recordings, beside what a shell user would do instead.

    python benchmarks/review_cost.py [--quick] [--json] [--rounds N]

``mcp-tap stats``, with all its pairing and percentiles, against ``jq`` counting methods in the same
file, once by a filter into ``sort | uniq -c`` and once by ``reduce inputs``: the faster of the two is
the bar. Once with messages of 300 bytes, once of 10 kB. Then ``mcp-tap sessions`` over a directory,
``--brief`` and in full, against ``wc -l`` of the same files, and ``mcp-tap check`` against
``stats``. Everything is measured as a user would see it, whole processes with their start, in
turns (A B C A B C ...), all files in the page cache. A figure is the median of its rounds; one
round before them warms up and does not count.

Files lie in a temporary directory (``TMPDIR`` says on which disk; 1.7 GB are needed, 40 MB with
``--quick``). Trust the ratios: absolute numbers are this machine's at this moment. Nothing here is a
test. The exit status is 0 whatever comes out, 1 if nothing could be measured: it takes ``jq``, ``wc``
and the tap installed beside this very interpreter.

What bounds the full list: each record is parsed once (orjson, 0.6 µs of 300 bytes) and counted (1.3
µs), while ``wc`` looks for one byte and does not know what a record is.
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
from dataclasses import asdict, dataclass
from pathlib import Path

SMALL, LARGE = 300, 10_000
"""Bytes of a record."""

FILE_BYTES = 1_000_000
"""Bytes of a file in the directory that is listed."""

TOOLS = (b"search_notes", b"read_note", b"list")
SESSION = b"01m8mgpwt5nbk9nx"
MEGABYTE = 1_000_000

COUNT_METHODS = "jq -r 'select(.msg.method)|.msg.method' \"$1\" | sort | uniq -c"
REDUCE = "jq -n 'reduce inputs as $r ({}; if $r.msg.method then .[$r.msg.method]+=1 else . end)' \"$1\""
COUNT_LINES = 'wc -l "$1"/*.jsonl | tail -1'

Command = list[str]


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


def record(seq: int, direction: bytes, body: bytes, session: bytes) -> bytes:
    head = b'{"ts":"2026-11-29T18:37:40.140210Z","t":%.6f,"session":"%b","seq":%d,"dir":"%b",'
    return head % (seq * 0.0003, session, seq, direction) + body + b"}\n"


def compact(value: object) -> bytes:
    return b'"msg":' + json.dumps(value, separators=(",", ":")).encode()


TOOL_LIST = [
    {
        "name": name.decode(),
        "description": "notes",
        "inputSchema": {"type": "object", "properties": {"q": {"type": "string"}}},
        "outputSchema": {"type": "object", "properties": {"n": {"type": "integer"}}},
    }
    for name in TOOLS
]


def beginning(*, structured: bool) -> list[tuple[bytes, bytes]]:
    """Start, handshake, and the list of tools; direction and body of each record."""
    me = {"name": "notes", "version": "1.0"}
    tools = [tool if structured else {**tool, "outputSchema": None} for tool in TOOL_LIST]
    tools = [{key: value for key, value in tool.items() if value is not None} for tool in tools]
    said: list[tuple[bytes, dict[str, object]]] = [
        (b"c2s", {"id": 0, "method": "initialize",
                  "params": {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": me}}),
        (b"s2c", {"id": 0, "result": {"protocolVersion": "2025-11-25",
                                      "capabilities": {"tools": {}, "logging": {}}, "serverInfo": me}}),
        (b"c2s", {"method": "notifications/initialized"}),
        (b"c2s", {"id": 1, "method": "tools/list"}),
        (b"s2c", {"id": 1, "result": {"tools": tools}}),
    ]  # fmt: skip
    return [
        (b"tap", b'"event":"start","format":1,"tap":"0.1.0","argv":["x"],"cwd":"/","pid":1,"name":"notes"'),
        (b"tap", b'"event":"spawn","pid":2,"exe":"/x"'),
        *((direction, compact({"jsonrpc": "2.0", **message})) for direction, message in said),
    ]


CALL = b'"msg":{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":"%b","arguments":{"q":"%b"}}}'
RESULT = b'"msg":{"jsonrpc":"2.0","id":%d,"result":{"content":[{"type":"text","text":"%b"}],"isError":false}}'
WATCHED = (
    b'"msg":{"jsonrpc":"2.0","id":%d,"method":"tools/call",'
    b'"params":{"name":"%b","arguments":{"q":"%b"},"_meta":{"progressToken":%d}}}'
)
PROGRESS = (
    b'"msg":{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":%d,"progress":1}}'
)
LOG = b'"msg":{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":"%b"}}'
STRUCTURED = (
    b'"msg":{"jsonrpc":"2.0","id":%d,"result":{"content":[{"type":"text","text":"%b"}],'
    b'"structuredContent":{"n":%d},"isError":false}}'
)
ENDING = (
    (b"tap", b'"event":"eof","stream":"c2s"'),
    (b"tap", b'"event":"exit","code":0,"signal":null,"first":"client-eof"'),
)


def write_recording(
    path: Path, records: int, size: int, session: bytes = SESSION, *, lively: bool = False
) -> None:
    """A session with its handshake, and calls of three tools in records of about ``size`` bytes.

    ``lively`` has a report of progress, a log message and a line of stderr for each call, and structured
    results.
    """
    padding = b"y" * max(0, size - 190)
    with open(path, "wb") as file:
        seq = 0
        for direction, body in beginning(structured=lively):
            file.write(record(seq, direction, body, session))
            seq += 1
        id = 2
        while seq < records - len(ENDING):
            tool = TOOLS[id % 3]
            said = [(b"c2s", CALL % (id, tool, padding)), (b"s2c", RESULT % (id, padding))]
            if lively:
                said = [
                    (b"c2s", WATCHED % (id, tool, padding, id)),
                    (b"s2c", PROGRESS % id),
                    (b"s2c", LOG % padding),
                    (b"stderr", b'"text":"%b"' % padding),
                    (b"s2c", STRUCTURED % (id, padding, id)),
                ]
            for direction, body in said:
                file.write(record(seq, direction, body, session))
                seq += 1
            id += 1
        for direction, body in ENDING:
            file.write(record(seq, direction, body, session))
            seq += 1


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


def measure_stats(directory: Path, name: str, records: int, size: int, bar: float, rounds: int) -> Row:
    path = directory / f"{name}.jsonl"
    write_recording(path, records, size)
    ours = tap("stats", str(path))
    commands = [ours, shell(COUNT_METHODS, path), shell(REDUCE, path)]
    stats, count, reduce = in_turns(commands, rounds)
    other, other_is = min((count, "jq | sort | uniq -c"), (reduce, "jq reduce"))
    row = Row(
        f"stats, {records:,} records of {size:,} bytes",
        stats,
        other,
        other_is,
        other / stats,
        bar,
        peak_of(ours),
    )
    path.unlink()
    return row


def measure_sessions(directory: Path, files: int, rounds: int) -> list[Row]:
    place = directory / "many"
    place.mkdir()
    for at in range(files):
        session = b"%016d" % at
        write_recording(
            place / f"20261129T183740.123Z-notes-{session.decode()}.jsonl",
            FILE_BYTES // SMALL,
            SMALL,
            session,
        )
    full, brief = tap("sessions", str(place)), tap("sessions", "--brief", str(place))
    ours, quick, lines = in_turns([full, brief, shell(COUNT_LINES, place)], rounds)
    what = f"{files:,} files of {FILE_BYTES // MEGABYTE} MB"
    return [
        Row(f"sessions --brief, {what}", quick, lines, "wc -l", lines / quick, None, peak_of(brief)),
        Row(f"sessions, {what}", ours, lines, "wc -l", lines / ours, None, peak_of(full)),
    ]


def measure_check(directory: Path, name: str, records: int, rounds: int, *, lively: bool) -> Row:
    """``check`` beside ``stats``: it may take three times as long."""
    path = directory / "checked.jsonl"
    write_recording(path, records, SMALL, lively=lively)
    ours = tap("check", str(path))
    check, stats = in_turns([ours, tap("stats", str(path))], rounds)
    row = Row(
        f"check, {records:,} records of {name}", check, stats, "stats", stats / check, 1 / 3, peak_of(ours)
    )
    path.unlink()
    return row


def print_rows(rows: list[Row]) -> None:
    for row in rows:
        bar = "" if row.bar is None else f" (bar {row.bar:.3g})"
        print(f"{row.name}: {row.ours:.2f} s, {row.peak_mb:.0f} MB resident")
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
            measure_stats(directory, "small", small, SMALL, 1.5, rounds),
            measure_stats(directory, "large", large, LARGE, 5.0, rounds),
            *measure_sessions(directory, files, rounds),
            measure_check(directory, "calls", small, rounds, lively=False),
            measure_check(directory, "calls with progress, log and stderr", small, rounds, lively=True),
        ]
    if options.json:
        print(json.dumps([asdict(row) for row in rows], indent=2))
    else:
        print_rows(rows)
    return 0


if __name__ == "__main__":
    sys.exit(main())
