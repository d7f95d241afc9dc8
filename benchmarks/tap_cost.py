"""What the tap costs, beside what a shell user would do instead.

    python benchmarks/tap_cost.py [--quick] [--json] [--rounds N] [--cpu N]

Three ways to reach the same server are measured in turns (A B C A B C ...), so that whatever
else the machine does hits all three: ``bare``, the ``tee pair`` (``tee file | server | tee
file``) and the ``tap``. Client and server are ``peer.c``, compiled into a temporary directory;
the client pins itself, and with it all that it starts, to one processor. The files lie in
that directory as well (``TMPDIR`` says on which disk). A figure is the median of its rounds;
one round before them warms up and does not count.

Trust the ratios: absolute numbers are this machine's at this moment. Nothing here is a
test. The exit status is 0 whatever comes out, 1 if nothing could be measured: it takes Linux,
a C compiler (``$CC`` or ``cc``) and the tap beside this very interpreter.

The tap is to be *installed* (``pip install .``), as it is where it is used: then its bytecode is
there. ``PYTHONDONTWRITEBYTECODE`` is taken out of the measured processes' environment.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Literal

Way = Literal["bare", "tee pair", "tap"]
WAYS: tuple[Way, ...] = ("bare", "tee pair", "tap")
BARE_AND_TAP: tuple[Way, ...] = ("bare", "tap")

TEE_PAIR = 'c2s=$1 s2c=$2; shift 2; tee "$c2s" | "$@" | tee "$s2c"'

PIPE_BUFFER = 65536
"""Bytes a buffering server writes at once."""

SMALL, BIG, HUGE = 200, 1_000_000, 200_000_000
"""Bytes of a small message, a big one, and a line that nobody should send; newline included."""

BOOT_MS = 300
"""Milliseconds that a typical server needs before it answers."""

IDLE_S = 2.0
"""Seconds for which the idle tap is watched."""

SETTLED_S = 0.5
"""Seconds after its last message in which the tap becomes idle."""

QUICK_TEES_US = 10.0
"""Microseconds of a round trip through the tee pair on a machine with quick system calls."""

NOTHING = "python -c pass"
IMPORTS = 'python -c "import anyio, ..."'
IMPORTED = "import anyio, anyio._backends._asyncio, orjson"


class CannotMeasureError(Exception):
    """What is missing, as a sentence."""


@dataclass(frozen=True, slots=True)
class Row:
    """One figure: ``value`` is what ``bar`` is set for; ``bar`` is None where it only informs.

    ``bare``, ``beside`` and ``tap`` are in ``unit``; ``beside_is`` says what ``beside`` measures.
    """

    name: str
    unit: str
    bare: float | None
    beside: float | None
    beside_is: str
    tap: float
    value: float
    value_unit: str
    at_most: bool
    bar: float | None

    @property
    def met(self) -> bool | None:
        """Whether the bar is met; None where there is none."""
        if self.bar is None:
            return None
        return self.value <= self.bar if self.at_most else self.value >= self.bar


@dataclass(frozen=True, slots=True)
class Amounts:
    """How much is measured: rounds, and what one round consists of."""

    rounds: int
    starts: int
    trips: int
    lines: int
    messages: int


DEFAULT = Amounts(rounds=13, starts=21, trips=20_000, lines=500_000, messages=300)
QUICK = Amounts(rounds=2, starts=3, trips=3_000, lines=100_000, messages=50)


class Bench:
    """The compiled peer, the tap, and a directory for everything that is written."""

    def __init__(self, directory: Path, cpu: int) -> None:
        self.directory = directory
        self.cpu = cpu
        self.peer = compile_peer(directory)
        self.tap = tap_command()
        self.recordings = directory / "recordings"
        self.environment = {
            name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"
        }
        # Where the tap's default directory is derived from: no option is given to it.
        self.environment["XDG_STATE_HOME"] = str(self.recordings)

    def reach(self, way: Way, *server: str) -> list[str]:
        """The command that starts ``peer server...`` the given way."""
        words = [self.peer, *server]
        if way == "tap":
            return [*self.tap, "run", "--", *words]
        if way == "tee pair":
            files = (str(self.recordings / "c2s"), str(self.recordings / "s2c"))
            return ["sh", "-c", TEE_PAIR, "sh", *files, *words]
        return words

    def client(self, mode: str, *words: str) -> list[int]:
        """What one run of the client prints, in nanoseconds."""
        self.recordings.mkdir()
        try:
            done = subprocess.run(
                [self.peer, mode, str(self.cpu), *words],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                cwd=self.directory,
                env=self.environment,
                check=False,
            )
            self._recorded(words)
        finally:
            shutil.rmtree(self.recordings)
        if done.returncode:
            raise CannotMeasureError(f"peer {mode} {' '.join(words)} failed with status {done.returncode}")
        return [int(number) for number in done.stdout.split()]

    def _recorded(self, words: tuple[str, ...]) -> None:
        """A tap that does not record is quick, but not what is measured."""
        if "run" not in words:
            return
        expected = int(words[0]) if words[0].isdecimal() else 0
        sizes = [path.stat().st_size for path in self.recordings.rglob("*.jsonl")]
        if len(sizes) != 1 or sizes[0] <= expected:
            raise CannotMeasureError("the tap has not recorded its session where XDG_STATE_HOME says")

    def session(self, *server: str) -> TapSession:
        """A tap with a running server, to look at."""
        self.recordings.mkdir()
        return TapSession(self.reach("tap", *server), self.environment, self.directory)


class TapSession:
    """A running tap; the methods are to be used in their order. Closed by :meth:`close`."""

    def __init__(self, command: list[str], environment: dict[str, str], directory: Path) -> None:
        self._process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, cwd=directory, env=environment
        )

    def ask(self) -> None:
        """Send one request of the size the peer expects."""
        assert self._process.stdin is not None
        start, end = b'{"jsonrpc":"2.0","id":1000000,"method":"', b'"}\n'
        self._process.stdin.write(start + b"x" * (SMALL - len(start) - len(end)) + end)
        self._process.stdin.flush()

    def take(self, size: int) -> None:
        """Read ``size`` bytes of what the server answers."""
        assert self._process.stdout is not None
        while size:
            chunk = self._process.stdout.read1(min(size, PIPE_BUFFER))  # type: ignore[attr-defined] # a BufferedReader
            if not chunk:
                raise CannotMeasureError("the tap's session ended early")
            size -= len(chunk)

    def kibibytes(self, field: str) -> int:
        """A memory figure out of ``/proc/PID/status``."""
        return status_field(Path(f"/proc/{self._process.pid}/status"), field)

    def ticks(self) -> int:
        """Processor time so far, in clock ticks."""
        text = Path(f"/proc/{self._process.pid}/stat").read_text()
        fields = text.rpartition(")")[2].split()
        return int(fields[11]) + int(fields[12])  # utime and stime, see proc(5)

    def wake_ups(self) -> int:
        """How often a thread of the tap has waited so far: what a loop that sleeps does, too."""
        tasks = Path(f"/proc/{self._process.pid}/task").iterdir()
        return sum(status_field(task / "status", "voluntary_ctxt_switches") for task in tasks)

    def close(self) -> None:
        """End the session as a client does."""
        self._process.communicate()


def status_field(file: Path, field: str) -> int:
    """The number behind ``field:`` in a status file of /proc."""
    for line in file.read_text().splitlines():
        name, _, value = line.partition(":")
        if name == field:
            return int(value.split()[0])
    raise CannotMeasureError(f"{file} has no {field}")


def compile_peer(directory: Path) -> str:
    """Compile ``peer.c`` into ``directory``; returns the program."""
    compiler = os.environ.get("CC", "cc")
    program = directory / "peer"
    source = Path(__file__).with_name("peer.c")
    try:
        subprocess.run([compiler, "-O2", "-o", str(program), str(source)], check=True)
    except (OSError, subprocess.CalledProcessError) as error:
        raise CannotMeasureError(f"cannot compile {source.name}: {error}") from None
    return str(program)


def tap_command() -> list[str]:
    """The tap that belongs to this interpreter."""
    script = Path(sys.executable).with_name("mcp-tap")
    return [str(script)] if script.exists() else [sys.executable, "-m", "mcp_tap"]


def median(figures: Sequence[float]) -> float:
    """The median, of which nothing here asks more."""
    return float(statistics.median(figures))


def against_tees(
    name: str, unit: str, figures: dict[Way, list[float]], *, at_most: bool, bar: float | None
) -> Row:
    """A row whose value is the tap's median as a multiple of the tee pair's."""
    bare, tees, tap = (median(figures[way]) for way in WAYS)
    return Row(name, unit, bare, tees, "tee pair", tap, tap / tees, "x", at_most, bar)


def round_trips(bench: Bench, amounts: Amounts) -> list[Row]:
    """Requests one after the other, each after the answer to the one before."""
    medians: dict[Way, list[float]] = {way: [] for way in WAYS}
    tails: dict[Way, list[float]] = {way: [] for way in WAYS}
    for number in range(amounts.rounds + 1):
        for way in WAYS:
            middle, tail = bench.client("trips", str(amounts.trips), *bench.reach(way, "answer", "0"))
            if number:
                medians[way].append(middle / 1e3)
                tails[way].append(tail / 1e3)
    # What Python does for a message takes the same on a machine whose system calls take half.
    bar = 2.3 if median(medians["tee pair"]) < QUICK_TEES_US else 1.7
    return [
        against_tees("round trip of 200 bytes, median", "us", medians, at_most=True, bar=bar),
        against_tees("round trip of 200 bytes, p99", "us", tails, at_most=True, bar=2.5),
    ]


def one_way(bench: Bench, amounts: Amounts) -> list[Row]:
    """As much as goes through from the server to the client."""
    lines, messages = amounts.lines, amounts.messages
    return [
        stream(bench, amounts, "200-byte lines, buffered by the server", lines, SMALL, PIPE_BUFFER, 0.25),
        stream(bench, amounts, "200-byte lines, one write a line", lines, SMALL, 0, None),
        stream(bench, amounts, "1 MB messages", messages, BIG, 0, 0.7),
    ]


def stream(
    bench: Bench, amounts: Amounts, name: str, count: int, size: int, buffer: int, bar: float | None
) -> Row:
    """One kind of stream; lines or messages a second, in thousands for the small ones."""
    unit, scale = ("k/s", 1e3) if size == SMALL else ("/s", 1.0)
    rates: dict[Way, list[float]] = {way: [] for way in WAYS}
    server = ("stream", str(count), str(size), str(buffer))
    for number in range(amounts.rounds + 1):
        for way in WAYS:
            (took,) = bench.client("drain", str(count * size), *bench.reach(way, *server))
            if number:
                rates[way].append(count / (took / 1e9) / scale)
    return against_tees(name, unit, rates, at_most=False, bar=bar)


def starts(bench: Bench, amounts: Amounts) -> list[Row]:
    """When the server runs, and when its first answer is there."""
    figures: dict[str, list[float]] = {}
    for number in range(amounts.starts + 1):
        for name, took in one_start(bench):
            if number:
                figures.setdefault(name, []).append(took / 1e6)
    medians = {name: median(values) for name, values in figures.items()}

    def row(name: str, bare: str, beside: str, tap: str, bar: float) -> Row:
        value = medians[tap] / medians[beside]
        return Row(name, "ms", medians[bare], medians[beside], beside, medians[tap], value, "x", True, bar)

    bare, tap = medians["bare, boots: answered"], medians["tap, boots: answered"]
    busy_bare, busy_tap = medians["bare, busy: answered"], medians["tap, busy: answered"]
    leaves_bare, leaves = medians["bare: leaves"], medians["tap: leaves"]
    boots = f"start: {BOOT_MS} ms boot, the first answer"
    return [
        row("start: the server runs", "bare: runs", NOTHING, "tap: runs", 3.0),
        row("start: the first answer", "bare: answered", NOTHING, "tap: answered", 5.5),
        row("start: the first answer", "bare: answered", IMPORTS, "tap: answered", 1.3),
        Row(boots, "ms", bare, None, "", tap, tap - bare, "ms", True, 10.0),
        Row(f"{boots}, busy", "ms", busy_bare, None, "", busy_tap, busy_tap - busy_bare, "ms", True, 10.0),
        Row("leaving after the server", "ms", leaves_bare, None, "", leaves, leaves, "ms", True, 4.0),
    ]


def one_start(bench: Bench) -> Iterator[tuple[str, int]]:
    """Everything that is compared, once."""
    yield NOTHING, bench.client("lasts", sys.executable, "-c", "pass")[0]
    for way in BARE_AND_TAP:
        runs, answered = bench.client("start", *bench.reach(way, "answer", "0"))
        yield f"{way}: runs", runs
        yield f"{way}: answered", answered
    yield IMPORTS, bench.client("lasts", sys.executable, "-c", IMPORTED)[0]
    for way in BARE_AND_TAP:
        yield f"{way}, boots: answered", bench.client("start", *bench.reach(way, "answer", str(BOOT_MS)))[1]
        yield f"{way}: leaves", bench.client("leaves", *bench.reach(way, "leave"))[0]
    with busy(bench.cpu):
        for way in BARE_AND_TAP:
            took = bench.client("start", *bench.reach(way, "answer", str(BOOT_MS)))[1]
            yield f"{way}, busy: answered", took


@contextmanager
def busy(cpu: int) -> Iterator[None]:
    """The processors taken by something else as well, which each then gets half of."""
    processors = {cpu} if cpu >= 0 else os.sched_getaffinity(0)
    spin = "import os, sys\nos.sched_setaffinity(0, {int(sys.argv[1])})\nwhile True: pass"
    spinning = [subprocess.Popen([sys.executable, "-c", spin, str(number)]) for number in processors]
    try:
        yield
    finally:
        for process in spinning:
            process.kill()
            process.wait()


def idle(bench: Bench) -> list[Row]:
    """The tap between two messages."""
    with closing(bench, "answer", "0") as session:
        for _ in range(100):
            session.ask()
            session.take(SMALL)
        time.sleep(SETTLED_S)
        resident = session.kibibytes("VmRSS") / 1024
        ticks, wake_ups = session.ticks(), session.wake_ups()
        time.sleep(IDLE_S)
        ticks, wake_ups = session.ticks() - ticks, session.wake_ups() - wake_ups
    busy_ms = ticks * 1000 / os.sysconf("SC_CLK_TCK")
    return [
        alone("memory when idle", "MB", resident, 30),
        alone(f"processor time in {IDLE_S:g} s of idleness", "ms", busy_ms, 0),
        alone(f"wake-ups in {IDLE_S:g} s of idleness", "", wake_ups, 0),
    ]


def huge_lines(bench: Bench) -> list[Row]:
    """The most memory the tap has held while one line of 200 MB passed."""
    return [
        alone("peak memory, a 200 MB line of JSON", "MB", peak(bench, "stream", "1", str(HUGE), "0"), 400),
        alone("peak memory, a 200 MB line not in UTF-8", "MB", peak(bench, "binary", str(HUGE)), 400),
    ]


def peak(bench: Bench, *server: str) -> float:
    """Mebibytes resident at most."""
    with closing(bench, *server) as session:
        session.ask()
        session.take(SMALL)
        session.ask()
        session.take(HUGE)
        return session.kibibytes("VmHWM") / 1024


@contextmanager
def closing(bench: Bench, *server: str) -> Iterator[TapSession]:
    """A tap's session that is ended, and its recording removed, in any case."""
    session = bench.session(*server)
    try:
        yield session
    finally:
        session.close()
        shutil.rmtree(bench.recordings)


def alone(name: str, unit: str, value: float, bar: float) -> Row:
    """A figure of the tap's own."""
    return Row(name, unit, None, None, "", value, value, unit, True, bar)


def measure(bench: Bench, amounts: Amounts) -> list[Row]:
    """Every row, in the order of the table."""
    return [
        *round_trips(bench, amounts),
        *one_way(bench, amounts),
        *starts(bench, amounts),
        *idle(bench),
        *huge_lines(bench),
    ]


COLUMNS = ("", "unit", "bare", "beside", "tap", "value", "bar", "met")


def cells(row: Row) -> tuple[str, ...]:
    """One row of the table as text."""
    sign = "<=" if row.at_most else ">="
    bar = "" if row.bar is None else f"{sign} {row.bar:g} {row.value_unit}".rstrip()
    verdict = {True: "yes", False: "NO", None: ""}[row.met]
    name = f"{row.name} ({row.beside_is})" if row.beside_is not in ("", "tee pair") else row.name
    value = f"{row.value:.{2 if row.value_unit == 'x' else 1}f} {row.value_unit}"
    return (name, row.unit, figure(row.bare), figure(row.beside), figure(row.tap), value, bar, verdict)


def figure(number: float | None) -> str:
    """A number with about three digits."""
    if number is None:
        return ""
    return f"{number:.0f}" if number >= 100 else f"{number:.1f}"


def table(rows: list[Row]) -> str:
    """The rows below one another; beside the tap stands the tee pair, or what the name says."""
    lines = [COLUMNS, *map(cells, rows)]
    widths = [max(len(line[column]) for line in lines) for column in range(len(COLUMNS))]
    return "\n".join(
        "  ".join(
            cell.ljust(width) if column in (0, 1) else cell.rjust(width)
            for column, (cell, width) in enumerate(zip(line, widths, strict=True))
        ).rstrip()
        for line in lines
    )


def read_arguments() -> argparse.Namespace:
    """The options of this script."""
    parser = argparse.ArgumentParser(description="What the tap costs, beside a pair of tees.")
    parser.add_argument("--quick", action="store_true", help="a smoke run: rough figures within seconds")
    parser.add_argument("--json", action="store_true", help="print JSON instead of a table")
    parser.add_argument("--rounds", type=int, help="rounds of each measurement (and as many starts)")
    parser.add_argument("--cpu", type=int, help="the processor to use (default: the last; -1: do not pin)")
    return parser.parse_args()


def main() -> int:
    """Measure and print; the exit status says whether that was possible."""
    arguments = read_arguments()
    amounts = QUICK if arguments.quick else DEFAULT
    if arguments.rounds:
        amounts = Amounts(arguments.rounds, arguments.rounds, amounts.trips, amounts.lines, amounts.messages)
    if sys.platform != "linux":
        print("tap_cost: only Linux tells what is measured here", file=sys.stderr)
        return 1
    cpu = max(os.sched_getaffinity(0)) if arguments.cpu is None else arguments.cpu
    try:
        with tempfile.TemporaryDirectory(prefix="tap-cost-") as directory:
            rows = measure(Bench(Path(directory), cpu), amounts)
    except CannotMeasureError as error:
        print(f"tap_cost: {error}", file=sys.stderr)
        return 1
    if arguments.json:
        python = f"{platform.python_implementation()} {platform.python_version()}"
        made = [{**asdict(row), "met": row.met} for row in rows]
        print(json.dumps({"python": python, "system": platform.platform(), "rows": made}, indent=2))
    else:
        print(table(rows))
    return 0


if __name__ == "__main__":
    sys.exit(main())
