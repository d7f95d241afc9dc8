"""Whatever one side has seen is in the file, at whatever instant the tap is killed."""

from __future__ import annotations

import json
import os
import random
import signal
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from tests.harness import (
    LIMIT,
    Launcher,
    ended,
    is_running,
    python,
    read_line,
    recorded,
    unmeasured,
    wait_until,
)
from tests.profiles import times

PARTS = 10
"""Tests that the rounds are dealt to, so that several processors share them."""

ROUNDS = times(0.4)
"""Rounds of each of them."""

ECHO_IN_JSON = python("""
import json
write(2, b'%d\\n' % os.getpid())
number = 0
while True:
    os.read(0, 65536)
    lines = []
    for _ in range(20):
        text = b'x' * (number % 3000)
        lines.append(b'{"jsonrpc":"2.0","id":%d,"result":{"text":"%s"}}\\n' % (number, text))
        number += 1
    write(1, b''.join(lines))
    write(2, b'log %d\\n' % number)
""")


def one_round(directory: Path, number: int) -> None:
    """Talk, kill at a random moment, and compare what was seen with what is on file."""
    dice = random.Random(number)
    launcher = Launcher(directory / f"{number}.jsonl")
    with ended(launcher.start(ECHO_IN_JSON, env=unmeasured())) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        server = int(read_line(process.stderr))
        seen: list[bytes] = []
        told: list[bytes] = []

        def read(fd: int, into: list[bytes]) -> None:
            while part := os.read(fd, dice.choice([100, 5000, 65536])):
                into.append(part)

        assert process.stderr is not None
        readers = [
            threading.Thread(target=read, args=(process.stdout.fileno(), seen)),
            threading.Thread(target=read, args=(process.stderr.fileno(), told)),
        ]
        for reader in readers:
            reader.start()
        until = time.monotonic() + dice.random() * 0.05
        while time.monotonic() < until:
            process.stdin.write(b'{"jsonrpc":"2.0","id":1,"method":"go"}\n')
        process.kill()
        assert process.wait(LIMIT) == -signal.SIGKILL
        for reader in readers:
            reader.join(LIMIT)
            assert not reader.is_alive()
        wait_until(lambda: not is_running(server), "the end of the server")
    assert launcher.log is not None
    on_file = recorded(launcher.log, "s2c")
    whole_lines = b"".join(seen).rpartition(b"\n")
    assert on_file.startswith(whole_lines[0] + whole_lines[1])
    whole_lines = b"".join(told).rpartition(b"\n")
    assert recorded(launcher.log, "stderr")[len(b"%d\n" % server) :].startswith(
        whole_lines[0] + whole_lines[1]
    )
    # The kernel may cut the write that is under way short: of that line nothing was forwarded.
    whole_records = launcher.log.read_bytes().split(b"\n")[:-1]
    numbers = [json.loads(line)["seq"] for line in whole_records]
    assert numbers == list(range(len(numbers)))


@pytest.mark.parametrize("part", range(PARTS))
def test_killed_at_random_moments_the_file_has_all_that_the_client_has_received(
    tmp_path: Path, part: int
) -> None:
    numbers = range(part * ROUNDS, (part + 1) * ROUNDS)
    with ThreadPoolExecutor(4) as pool:
        for result in [pool.submit(one_round, tmp_path, number) for number in numbers]:
            result.result(LIMIT * 4)
