"""A launcher that exits while what it has started serves on, over the pipes that it has left."""

from __future__ import annotations

import os
import signal
import sys
import threading
import time

import pytest

from tests.harness import (
    LIMIT,
    Launcher,
    ended,
    events,
    is_running,
    python,
    read_all,
    read_line,
    recorded,
    send,
    wait_status,
    wait_until,
)

SERVES = """
import os, sys, time
time.sleep(float(sys.argv[1]))  # a server takes its time to boot
while True:
    request = b''
    while not request.endswith(b'\\n'):
        byte = os.read(0, 1)
        if not byte:
            time.sleep(0.4)  # and to put itself away
            os.write(1, b'bye\\n')
            os._exit(0)
        request += byte
    os.write(1, b'echo ' + request)
"""


def launcher_of(*words: str, code: int = 0) -> list[str]:
    """A program that starts another one and exits."""
    return python(f"import subprocess\nsubprocess.Popen({list(words)!r})\nos._exit({code})")


def serves(boot: float) -> list[str]:
    return [sys.executable, "-I", "-S", "-c", SERVES, str(boot)]


@pytest.mark.parametrize("boot", [0.0, 0.8])
@pytest.mark.parametrize("hesitation", [0.0, 0.8])
def test_what_a_launcher_has_started_serves_until_the_client_leaves(
    launcher: Launcher, boot: float, hesitation: float
) -> None:
    with ended(launcher.start(launcher_of(*serves(boot), code=5))) as process:
        threading.Event().wait(hesitation)  # longer than a stream is followed that nobody uses
        for number in range(3):
            send(process, b"%d\n" % number)
            assert read_line(process.stdout) == b"echo %d\n" % number
            threading.Event().wait(hesitation)
        assert process.stdin is not None
        process.stdin.close()
        assert read_all(process.stdout) == b"bye\n"
        assert wait_status(process) == 5
    if launcher.log is not None:
        assert recorded(launcher.log, "s2c") == b"echo 0\necho 1\necho 2\nbye\n"
        assert events(launcher.log, "exit")[0]["first"] == "client-eof"


def test_it_is_left_when_it_ends_by_itself(launcher: Launcher) -> None:
    served = "import os; os.write(1, os.read(0, 100))"
    with ended(launcher.start(launcher_of(sys.executable, "-I", "-S", "-c", served, code=5))) as process:
        threading.Event().wait(0.6)  # as above
        send(process, b"once\n")
        assert read_all(process.stdout) == b"once\n"
        assert wait_status(process) == 5


def test_an_ending_signal_of_the_clients_is_obeyed_at_once(tap: Launcher) -> None:
    with ended(tap.start(launcher_of(*serves(0)))) as process:
        send(process, b"x\n")
        assert read_line(process.stdout) == b"echo x\n"
        began = time.monotonic()
        process.send_signal(signal.SIGTERM)
        assert process.wait(LIMIT) == 0
        assert time.monotonic() - began < 2


def test_a_helper_that_reads_nothing_does_not_keep_a_client_that_leaves(tap: Launcher) -> None:
    with ended(tap.start(launcher_of("sleep", "100", code=3))) as process:
        assert process.stdin is not None
        process.stdin.close()
        assert process.wait(LIMIT) == 3
    assert tap.log is not None
    assert events(tap.log, "exit")[0]["left"] == 1


@pytest.mark.parametrize("words", [b"", b"anybody there?\n"])
def test_a_copy_of_the_server_that_reads_nothing_does_not_keep_the_client(
    tap: Launcher, words: bytes
) -> None:
    server = python("""
child = os.fork()
if child == 0:
    signal.pause()
write(1, b'%d\\n' % child)
time.sleep(0.3)
os._exit(8)
""")
    with ended(tap.start(server)) as process:
        copy = int(read_line(process.stdout))
        try:
            if words:
                send(process, words)
            began = time.monotonic()
            assert process.wait(LIMIT) == 8
            assert time.monotonic() - began < 10
            assert is_running(copy)
        finally:
            os.kill(copy, signal.SIGKILL)
    wait_until(lambda: not is_running(copy), "the end of the copy")


def test_a_server_that_goes_on_in_a_copy_of_itself_serves(launcher: Launcher) -> None:
    # A daemon: the parent exits when the child is up, with words of the client's waiting.
    server = python("""
if os.fork() == 0:
    while request := line():
        write(1, b'echo ' + request)
    os._exit(0)
time.sleep(0.3)
""")
    with ended(launcher.start(server)) as process:
        for number in range(20):
            send(process, b"%d\n" % number)
            assert read_line(process.stdout) == b"echo %d\n" % number
            threading.Event().wait(0.05)  # the client's own pace: a second in all
        assert process.stdin is not None
        process.stdin.close()
        assert read_all(process.stdout) == b""
        assert wait_status(process) == 0
