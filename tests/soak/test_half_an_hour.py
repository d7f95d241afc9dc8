"""What only shows in a long session: memory, descriptors and latency that creep.

``SOAK_MINUTES`` makes it shorter or longer than half an hour.
"""

from __future__ import annotations

import os
import random
import select
import statistics
import subprocess
import time
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from tests.harness import Launcher, Reader, ended, events, python, read_exactly, send, wait_status

pytestmark = pytest.mark.soak

MINUTES = float(os.environ.get("SOAK_MINUTES", "30"))
SAMPLES = 40
SLACK = 4 << 20
"""Bytes by which a session's memory may differ: an allocator's arenas come and go."""

IDLE = 0.02
"""Seconds in which a session that owes nothing has to be silent."""

PINGS = 50
"""Small round trips whose median is one figure of latency."""

ECHO = """
said = 0
while request := line():
    if b'"method":"log"' in request:
        said += 1
        write(2, b'log %d \\xff\\n' % said)
        continue
    if b'"method":"notify"' in request:
        write(1, b'{"jsonrpc":"2.0","method":"notifications/progress"}\\nno JSON\\n')
    write(1, request)
"""

NOTIFIED = b'{"jsonrpc":"2.0","method":"notifications/progress"}\nno JSON\n'


class Sample(NamedTuple):
    """How the tap stands at one moment: bytes resident, descriptors, threads, seconds a round trip."""

    memory: int
    descriptors: int
    threads: int
    latency: float


@pytest.mark.timeout(MINUTES * 60 + 120)
def test_a_long_session_costs_at_its_end_what_it_costs_at_its_beginning(log: Path) -> None:
    tap = Launcher(log, ["--max-log-size", "20G"])
    dice = random.Random(30)
    samples: list[Sample] = []
    sent = 0
    with ended(tap.start(python(ECHO))) as process:
        complaints = Reader(process.stderr)
        begun = time.monotonic()
        for number in range(SAMPLES):
            until = begun + MINUTES * 60 * (number + 1) / SAMPLES
            while time.monotonic() < until:
                sent += exchange(process, dice)
            latency = statistics.median(round_trip(process) for _ in range(PINGS))
            sent += PINGS
            samples.append(stand(process.pid, latency))
        assert process.stdin is not None
        process.stdin.close()
        complained = complaints.all().count(b"\n")
        assert wait_status(process) == 0
    with log.open("rb") as file:
        counted = sum(1 for record in file if b'"dir":"c2s"' in record[:200])
    [end] = events_at_the_end(log)
    print(f"{sent} messages, {log.stat().st_size >> 20} MB", *samples, sep="\n")
    assert end["lines"]["c2s"] == sent <= counted
    assert end["lines"]["stderr"] == complained
    first, last = samples[SAMPLES // 4 : SAMPLES // 2], samples[-SAMPLES // 4 :]
    assert max(each.memory for each in last) <= max(each.memory for each in first) + SLACK
    assert {each.descriptors for each in last} == {each.descriptors for each in first}
    assert {each.threads for each in last} == {each.threads for each in first}
    # The machine has other work at times, so the best of each is held against the other.
    assert min(each.latency for each in last) <= 1.5 * min(each.latency for each in first)


def exchange(process: subprocess.Popen[bytes], dice: random.Random) -> int:
    """One thing that happens in a session, and what it must bring; returns the messages sent."""
    kind = dice.choice(["small", "small", "batch", "large", "notify", "log", "idle"])
    match kind:
        case "idle":
            assert process.stdout is not None
            assert not select.select([process.stdout], [], [], IDLE)[0]
            return 0
        case "log":
            send(process, message("log", 10))
            return 1
        case "batch":
            lines = b"".join(message("echo", dice.randrange(400)) for _ in range(20))
            send(process, lines)
            assert read_exactly(process.stdout, len(lines)) == lines
            return 20
        case _:
            size = 1 << dice.randrange(10, 18) if kind == "large" else dice.randrange(400)
            line = message("notify" if kind == "notify" else "echo", size)
            expected = (NOTIFIED if kind == "notify" else b"") + line
            send(process, line)
            assert read_exactly(process.stdout, len(expected)) == expected
            return 1


def message(method: str, size: int) -> bytes:
    return b'{"jsonrpc":"2.0","id":1,"method":"%s","params":"%s"}\n' % (method.encode(), b"x" * size)


def round_trip(process: subprocess.Popen[bytes]) -> float:
    line = message("echo", 150)
    begun = time.perf_counter()
    send(process, line)
    assert read_exactly(process.stdout, len(line)) == line
    return time.perf_counter() - begun


def stand(pid: int, latency: float) -> Sample:
    status = dict(line.split(":", 1) for line in Path(f"/proc/{pid}/status").read_text().splitlines())
    return Sample(
        int(status["VmRSS"].split()[0]) << 10,
        len(os.listdir(f"/proc/{pid}/fd")),
        int(status["Threads"]),
        latency,
    )


def events_at_the_end(log: Path) -> list[dict[str, Any]]:
    """The ``exit`` event, without reading all that came before."""
    with log.open("rb") as file:
        file.seek(max(0, log.stat().st_size - 4096))
        tail = log.with_suffix(".tail")
        tail.write_bytes(file.read().partition(b"\n")[2])
    return events(tail, "exit")
