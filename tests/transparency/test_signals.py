"""Every signal that the client sends reaches the server at once, once, each time."""

from __future__ import annotations

import os
import pty
import random
import signal
import subprocess
import time

import pytest

from tests.harness import (
    LIMIT,
    SIGNALS,
    Launcher,
    Reader,
    ended,
    events,
    is_running,
    python,
    read_all,
    read_exactly,
    read_line,
    send,
    unmeasured,
    wait_status,
    wait_until,
)
from tests.profiles import times

TELLS_EACH = """
def tell(number, frame):
    write(1, b'%s\\n' % signal.Signals(number).name.encode())
for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP, signal.SIGQUIT, signal.SIGUSR1, signal.SIGUSR2,
               signal.SIGCONT, signal.SIGWINCH, signal.SIGALRM):
    signal.signal(number, tell)
"""
UNTIL_EOF = "write(1, b'ready\\n')\nwhile line(): pass\n"


@pytest.mark.parametrize("number", [*SIGNALS, signal.SIGCONT, signal.SIGWINCH, signal.SIGALRM])
def test_a_signal_reaches_the_server_each_time(launcher: Launcher, number: signal.Signals) -> None:
    with ended(launcher.start(python(TELLS_EACH + UNTIL_EOF))) as process:
        assert read_line(process.stdout) == b"ready\n"
        for _ in range(3):
            process.send_signal(number)
            assert read_line(process.stdout) == number.name.encode() + b"\n"
        assert process.stdin is not None
        process.stdin.close()
        assert read_all(process.stdout) == b""
        assert wait_status(process) == 0
    if launcher.log is not None:
        told = [(event["name"], event["forwarded"]) for event in events(launcher.log, "signal")]
        assert told == [(number.name, True)] * 3


@pytest.mark.parametrize("number", SIGNALS)
def test_a_server_without_a_handler_dies_by_the_signal(launcher: Launcher, number: signal.Signals) -> None:
    server = python(f"signal.signal({int(number)}, signal.SIG_DFL)\n" + UNTIL_EOF)
    with ended(launcher.start(server)) as process:
        assert read_line(process.stdout) == b"ready\n"
        process.send_signal(number)
        assert process.wait(LIMIT) == -number
    if launcher.log is not None:
        assert events(launcher.log, "exit")[0]["first"] == "client-signal"


def test_the_last_output_of_a_graceful_handler_arrives(launcher: Launcher) -> None:
    server = python(
        """
def leave(*_):
    write(1, b'x' * 300_000); write(2, b'y' * 300_000)
    os._exit(3)
signal.signal(signal.SIGTERM, leave)
"""
        + UNTIL_EOF
    )
    with ended(launcher.start(server)) as process:
        assert read_line(process.stdout) == b"ready\n"
        process.send_signal(signal.SIGTERM)
        out, err = Reader(process.stdout, 4096, 0.002), Reader(process.stderr, 4096, 0.002)
        assert (out.all(), err.all()) == (b"x" * 300_000, b"y" * 300_000)
        assert wait_status(process) == 3


def test_claude_codes_way_of_stopping_a_server_leaves_nothing_behind(launcher: Launcher) -> None:
    # SIGINT with stdin open, SIGTERM, SIGKILL: a server that ignores the first two.
    server = python("""
signal.signal(signal.SIGINT, signal.SIG_IGN); signal.signal(signal.SIGTERM, signal.SIG_IGN)
write(1, b'%d\\n' % os.getpid())
while True: signal.pause()
""")
    with ended(launcher.start(server)) as process:
        pid = int(read_line(process.stdout))
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGKILL):
            process.send_signal(number)
        assert process.wait(LIMIT) == -signal.SIGKILL
        wait_until(lambda: not is_running(pid), "the end of the server")


def test_sigkill_of_the_whole_group_ends_the_server_too(launcher: Launcher) -> None:
    server = python("""
write(1, b'%d\\n' % os.getpid())
while True: signal.pause()
""")
    with ended(launcher.start(server, start_new_session=True)) as process:
        pid = int(read_line(process.stdout))
        assert os.getpgid(pid) == process.pid
        os.killpg(process.pid, signal.SIGKILL)
        assert process.wait(LIMIT) == -signal.SIGKILL
        wait_until(lambda: not is_running(pid), "the end of the server")


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP, signal.SIGUSR1])
def test_a_signal_in_the_first_milliseconds_ends_the_server_as_it_would(
    tap: Launcher, number: signal.Signals
) -> None:
    # Wherever it hits (the interpreter's start, before the fork, before the exec, before the
    # pumps), the client sees the death that it has ordered, and no server is left.
    dice = random.Random(number)
    server = python("write(1, b'started\\n'); signal.pause()")
    for _ in range(times(0.24)):
        with ended(tap.start(server, env=unmeasured())) as process:
            until = time.monotonic() + dice.random() * 0.1
            while time.monotonic() < until:
                os.sched_yield()
            process.send_signal(number)
            out = Reader(process.stdout)
            assert process.wait(LIMIT) == -number
            assert out.all() in (b"", b"started\n")


def test_control_c_at_a_terminal_reaches_the_server_exactly_once(launcher: Launcher) -> None:
    server = python(
        TELLS_EACH
        + """
write(1, b'ready\\n')
while request := line():
    write(1, b'echo ' + request)
"""
    )
    with terminal(launcher, server) as (process, master):
        assert read_line(process.stdout) == b"ready\n"
        os.write(master, b"\x03")
        assert read_line(process.stdout) == b"SIGINT\n"
        os.write(master, b"\x1c")
        assert read_line(process.stdout) == b"SIGQUIT\n"
        # Were one sent twice, the second would come before this echo.
        send(process, b"no more\n")
        assert read_line(process.stdout) == b"echo no more\n"
        assert process.stdin is not None
        process.stdin.close()
        assert wait_status(process) == 0
    if launcher.log is not None:
        told = [(event["name"], event["forwarded"]) for event in events(launcher.log, "signal")]
        assert told == [("SIGINT", False), ("SIGQUIT", False)]


def test_a_hang_up_of_the_terminal_reaches_the_server(launcher: Launcher) -> None:
    with terminal(launcher, python(TELLS_EACH + UNTIL_EOF)) as (process, master):
        assert read_line(process.stdout) == b"ready\n"
        hang_up(master)
        heard = {read_line(process.stdout)}
        assert heard <= {b"SIGHUP\n", b"SIGCONT\n"}
        assert process.stdin is not None
        process.stdin.close()
        heard |= set(read_all(process.stdout).splitlines(keepends=True))
        assert b"SIGHUP\n" in heard
        assert wait_status(process) == 0


def hang_up(master: int) -> None:
    """Close the terminal's other side; the number stays valid for the caller to close."""
    null = os.open(os.devnull, os.O_RDWR)
    os.dup2(null, master)
    os.close(null)


class terminal:  # noqa: N801 # used as a function
    """A server on pipes whose session has a terminal, as its leader and in the foreground."""

    def __init__(self, launcher: Launcher, server: list[str]) -> None:
        self._launcher, self._server = launcher, server

    def __enter__(self) -> tuple[subprocess.Popen[bytes], int]:
        self._master, slave = pty.openpty()
        name = os.ttyname(slave)

        def take_terminal() -> None:
            os.setsid()
            os.close(os.open(name, os.O_RDWR))  # the first terminal a leader opens is its own

        self._process = self._launcher.start(self._server, preexec_fn=take_terminal)
        os.close(slave)
        return self._process, self._master

    def __exit__(self, *_: object) -> None:
        with ended(self._process):
            pass
        os.close(self._master)


def test_a_stdin_that_is_at_its_end_from_the_start_is_seen_so(launcher: Launcher) -> None:
    server = python("write(1, b'eof' if not line() else b'data')")
    with ended(launcher.start(server, stdin=subprocess.DEVNULL)) as process:
        assert read_exactly(process.stdout, 3) == b"eof"
        assert wait_status(process) == 0
