"""The tap ends when the server has ended, and as the server has ended."""

from __future__ import annotations

import os
import signal
import time

import pytest

from tests.harness import (
    LIMIT,
    Launcher,
    Reader,
    ended,
    events,
    is_running,
    python,
    read_all,
    read_line,
    wait_status,
    wait_until,
    write_until_refused,
)


@pytest.mark.parametrize("code", [0, 1, 2, 3, 42, 125, 126, 127, 128, 137, 255])
def test_the_exit_code_is_the_servers(launcher: Launcher, code: int) -> None:
    with ended(launcher.start(python(f"os._exit({code})"))) as process:
        # stdin stays open: the client has not closed anything.
        assert process.wait(LIMIT) == code
    if launcher.log is not None:
        exit_event = events(launcher.log, "exit")[0]
        assert (exit_event["code"], exit_event["signal"], exit_event["first"]) == (code, None, "server-exit")


@pytest.mark.parametrize(
    "number",
    [
        signal.SIGTERM, signal.SIGKILL, signal.SIGINT, signal.SIGHUP, signal.SIGQUIT, signal.SIGABRT,
        signal.SIGSEGV, signal.SIGPIPE, signal.SIGUSR1, signal.SIGALRM, signal.SIGXFSZ, signal.SIGRTMIN + 3,
    ],
)  # fmt: skip
def test_the_tap_dies_by_the_signal_that_ended_the_server(launcher: Launcher, number: int) -> None:
    default = "" if number == signal.SIGKILL else f"signal.signal({int(number)}, signal.SIG_DFL)\n"
    server = python(default + f"os.kill(os.getpid(), {int(number)}); signal.pause()")
    with ended(launcher.start(server)) as process:
        assert process.wait(LIMIT) == -number
    if launcher.log is not None:
        name = signal.Signals(number).name if number in set(signal.Signals) else "SIGRTMIN+3"
        assert events(launcher.log, "exit")[0]["signal"] == name


def test_a_server_that_ends_while_the_client_writes_to_it_is_seen_to_end(launcher: Launcher) -> None:
    server = python("line(); os._exit(6)")
    with ended(launcher.start(server)) as process:
        write_until_refused(process, b"x" * 1000 + b"\n")
        assert process.wait(LIMIT) == 6


def test_a_grandchild_that_holds_the_output_does_not_keep_the_tap(tap: Launcher) -> None:
    server = python("""
child = os.fork()
if child == 0:
    signal.pause()
write(1, b'%d\\n' % child)
os._exit(8)
""")
    with ended(tap.start(server)) as process:
        grandchild = int(read_line(process.stdout))
        try:
            began = time.monotonic()
            assert process.wait(LIMIT) == 8
            assert time.monotonic() - began < LIMIT / 2
            assert is_running(grandchild)
            assert read_all(process.stdout) == b""
        finally:
            os.kill(grandchild, signal.SIGKILL)
    assert tap.log is not None
    assert events(tap.log, "exit")[0]["left"] == 1


def test_a_grandchild_that_goes_on_writing_does_not_keep_the_tap_either(tap: Launcher) -> None:
    server = python("""
signal.signal(signal.SIGPIPE, signal.SIG_DFL)
if os.fork() == 0:
    while True:
        write(1, b'still here\\n')
        time.sleep(0.05)  # chatter that never falls silent
write(1, b'done\\n')
os._exit(8)
""")
    with ended(tap.start(server)) as process:
        out = Reader(process.stdout)
        assert process.wait(LIMIT) == 8
        assert b"done\n" in out.all()


def test_a_grandchilds_last_words_arrive_with_the_servers(launcher: Launcher) -> None:
    # A launcher that ends at once, before the program that it started.
    server = python("""
if os.fork() == 0:
    time.sleep(0.05)  # after its parent has ended
    write(1, b'late\\n')
    os._exit(0)
write(1, b'early\\n')
os._exit(0)
""")
    with ended(launcher.start(server)) as process:
        assert read_all(process.stdout) == b"early\nlate\n"
        assert wait_status(process) == 0


def test_no_second_core_is_dumped(tap: Launcher) -> None:
    # prctl(PR_GET_DUMPABLE) cannot be asked of a dead process: WCOREDUMP tells.
    import resource

    def allow_cores() -> None:
        hard = resource.getrlimit(resource.RLIMIT_CORE)[1]
        resource.setrlimit(resource.RLIMIT_CORE, (hard, hard))

    server = python("""
import resource
resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
os.kill(os.getpid(), signal.SIGSEGV)
""")
    process = tap.start(server, preexec_fn=allow_cores)
    with ended(process):
        status = os.waitpid(process.pid, 0)[1]
        process.returncode = os.waitstatus_to_exitcode(status)
    assert os.WTERMSIG(status) == signal.SIGSEGV
    assert not os.WCOREDUMP(status)


def test_the_servers_zombie_does_not_outlive_the_tap(tap: Launcher) -> None:
    with ended(tap.start(python("write(1, b'%d\\n' % os.getpid())"))) as process:
        server = int(read_line(process.stdout))
        assert process.wait(LIMIT) == 0
    wait_until(lambda: not os.path.exists(f"/proc/{server}"), "the end of the server's process entry")
