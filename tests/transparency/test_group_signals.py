"""A signal to the client's whole process group reaches the server once, as it does without the tap."""

from __future__ import annotations

import functools
import os
import shutil
import signal
import sys
from pathlib import Path

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
    records,
    send,
    wait_status,
    wait_until,
)

COUNTS = """
count = 0
def tell(number, frame):
    write(1, b'%d\\n' % number)
for number in NUMBERS: signal.signal(number, tell)
write(1, b'ready\\n')
while request := line(): write(1, b'echo ' + request)
"""
NUMBERS = [
    signal.SIGTERM, signal.SIGINT, signal.SIGHUP, signal.SIGQUIT, signal.SIGUSR1, signal.SIGUSR2,
    signal.SIGCONT, signal.SIGWINCH, signal.SIGALRM, signal.SIGRTMIN + 2,
]  # fmt: skip
COUNTER = python(f"NUMBERS = {[int(number) for number in NUMBERS]}\n{COUNTS}")


@pytest.mark.parametrize("number", NUMBERS)
def test_a_signal_to_the_group_reaches_the_server_once_and_one_to_the_tap_too(
    launcher: Launcher, number: int
) -> None:
    expected = []
    with ended(launcher.start(COUNTER, start_new_session=True)) as process:
        assert read_line(process.stdout) == b"ready\n"
        for turn in range(12):
            # In turns, so that no copy that was left behind could be taken for the next one.
            to_group = turn % 3 != 2
            if to_group:
                os.killpg(process.pid, number)
            else:
                os.kill(process.pid, number)
            expected.append((signal_name(number), not to_group, to_group or None))
            assert read_line(process.stdout) == b"%d\n" % number
            # Were it sent twice, the second would come before this echo.
            send(process, b"%d\n" % turn)
            assert read_line(process.stdout) == b"echo %d\n" % turn
            settle(launcher, turn + 1)
        assert process.stdin is not None
        process.stdin.close()
        assert read_all(process.stdout) == b""
        assert wait_status(process) == 0
    if launcher.log is not None:
        told = events(launcher.log, "signal")
        assert [(each["name"], each["forwarded"], each.get("shared")) for each in told] == expected


def settle(launcher: Launcher, count: int) -> None:
    """Wait until the tap has dealt with ``count`` signals: two at once are one, for any process."""
    log = launcher.log
    if log is not None:
        wait_until(lambda: log.read_bytes().count(b'"event":"signal"') == count, "the signal's record")


def signal_name(number: int) -> str:
    return signal.Signals(number).name if number in set(signal.Signals) else "SIGRTMIN+2"


ASYNCIO = """
import asyncio
async def main():
    try:
        write(1, b'ready\\n')
        await asyncio.sleep(30)  # at work until the signal comes
    finally:
        await asyncio.sleep(0.05)  # the clean-up that a second signal would cut short
        write(1, b'cleaned up\\n')
asyncio.run(main())
"""
KEYBOARD_INTERRUPT = """
try:
    write(1, b'ready\\n')
    time.sleep(30)  # as above
except KeyboardInterrupt:
    time.sleep(0.05)  # as above
    write(1, b'cleaned up\\n')
"""
ONCE_HANDLER = """
def once(*_):
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    time.sleep(0.05)  # as above
    write(1, b'cleaned up\\n')
    os._exit(0)
signal.signal(signal.SIGTERM, once)
write(1, b'ready\\n')
while True: signal.pause()
"""
NODE = """
process.once('SIGTERM', () => setTimeout(() => { console.log('cleaned up'); process.exit(0) }, 50));
setInterval(() => {}, 1000);
console.log('ready');
"""


@pytest.mark.parametrize(
    ("server", "number"),
    [
        (python(ASYNCIO), signal.SIGINT),
        (python(KEYBOARD_INTERRUPT), signal.SIGINT),
        (python(ONCE_HANDLER), signal.SIGTERM),
        pytest.param(
            ["node", "-e", NODE], signal.SIGTERM,
            marks=pytest.mark.skipif(shutil.which("node") is None, reason="needs Node"),
        ),
    ],
    ids=["asyncio", "KeyboardInterrupt", "once", "node"],
)  # fmt: skip
def test_a_clean_up_is_not_cut_short_by_a_second_signal(
    launcher: Launcher, server: list[str], number: signal.Signals
) -> None:
    for _ in range(5):
        with ended(launcher.start(server, start_new_session=True)) as process:
            assert read_line(process.stdout) == b"ready\n"
            os.killpg(process.pid, number)
            assert read_line(process.stdout) == b"cleaned up\n"
            process.wait(LIMIT)


def test_a_group_that_is_stopped_and_continued_hears_of_it_once(launcher: Launcher) -> None:
    with ended(launcher.start(COUNTER, start_new_session=True)) as process:
        assert read_line(process.stdout) == b"ready\n"
        for turn in range(3):
            os.killpg(process.pid, signal.SIGSTOP)
            wait_until(lambda: state(process.pid) == "T", "the stop")
            os.killpg(process.pid, signal.SIGCONT)
            assert read_line(process.stdout) == b"%d\n" % signal.SIGCONT
            settle(launcher, turn + 1)
            send(process, b"%d\n" % turn)
            assert read_line(process.stdout) == b"echo %d\n" % turn
        assert process.stdin is not None
        process.stdin.close()
        assert wait_status(process) == 0


FORWARDS = """
import subprocess
child = subprocess.Popen(sys.argv[1:])
signal.signal(signal.SIGTERM, lambda *_: child.send_signal(signal.SIGTERM))
sys.exit(child.wait())
"""


def test_a_launcher_that_forwards_gets_each_signal_once_to_forward(launcher: Launcher) -> None:
    with ended(launcher.start([*python(FORWARDS), *COUNTER], start_new_session=True)) as process:
        assert read_line(process.stdout) == b"ready\n"
        for turn in range(3):
            os.kill(process.pid, signal.SIGTERM)
            assert read_line(process.stdout) == b"%d\n" % signal.SIGTERM
            settle(launcher, turn + 1)
            send(process, b"%d\n" % turn)
            assert read_line(process.stdout) == b"echo %d\n" % turn
        assert process.stdin is not None
        process.stdin.close()
        assert wait_status(process) == 0


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGKILL])
def test_nothing_of_the_group_is_left_when_the_tap_has_ended(launcher: Launcher, number: int) -> None:
    # The Python SDK waits for exactly this after it has signalled the group.
    server = python("signal.signal(signal.SIGTERM, signal.SIG_DFL)\nwrite(1, b'ready\\n')\nsignal.pause()")
    with ended(launcher.start(server, start_new_session=True)) as process:
        assert read_line(process.stdout) == b"ready\n"
        os.killpg(process.pid, number)
        assert process.wait(LIMIT) == -number
        if number == signal.SIGTERM:
            with pytest.raises(ProcessLookupError):
                os.killpg(process.pid, 0)
        else:
            wait_until(lambda: not group_exists(process.pid), "the end of the group")


def group_exists(group: int) -> bool:
    try:
        os.killpg(group, 0)
    except ProcessLookupError:
        return False
    return True


def test_a_server_in_a_group_of_its_own_gets_what_the_tap_gets(tap: Launcher) -> None:
    server = python(f"os.setsid()\nNUMBERS = {[int(signal.SIGTERM)]}\n{COUNTS}")
    with ended(tap.start(server, start_new_session=True)) as process:
        assert read_line(process.stdout) == b"ready\n"
        os.killpg(process.pid, signal.SIGTERM)
        assert read_line(process.stdout) == b"%d\n" % signal.SIGTERM
        assert process.stdin is not None
        process.stdin.close()
        assert wait_status(process) == 0


def sentinel_of(tap: int, server: int) -> int:
    """The tap's other child (Linux)."""
    (other,) = (int(pid) for pid in Path(f"/proc/{tap}/task/{tap}/children").read_text().split()
                if int(pid) != server)  # fmt: skip
    return other


@pytest.mark.parametrize("trouble", [signal.SIGKILL, signal.SIGSTOP])
def test_without_the_sentinel_a_signal_is_rather_passed_on_twice_than_never(
    tap: Launcher, trouble: signal.Signals
) -> None:
    server = python(f"NUMBERS = {[int(signal.SIGUSR1)]}\nwrite(1, b'%d\\n' % os.getpid())\n{COUNTS}")
    with ended(tap.start(server, start_new_session=True)) as process:
        pid = int(read_line(process.stdout))
        assert read_line(process.stdout) == b"ready\n"
        sentinel = sentinel_of(process.pid, pid)
        os.kill(sentinel, trouble)
        wait_until(lambda: state(sentinel) in "TZ", "the trouble")
        for _ in range(3):
            os.kill(process.pid, signal.SIGUSR1)
            assert read_line(process.stdout) == b"%d\n" % signal.SIGUSR1
        os.killpg(process.pid, signal.SIGUSR1)
        assert read_line(process.stdout) == b"%d\n" % signal.SIGUSR1
        assert process.stdin is not None
        process.stdin.close()
        assert wait_status(process) == 0
    wait_until(lambda: not is_running(sentinel), "the end of the sentinel")


def state(pid: int) -> str:
    return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]


def test_the_sentinel_holds_nothing_that_was_handed_to_the_server(tap: Launcher) -> None:
    reader, writer = os.pipe()
    server = python("write(1, b'%d\\n' % os.getpid()); line()")
    with ended(tap.start(server, pass_fds=(writer,))) as process:
        os.close(writer)
        pid = int(read_line(process.stdout))
        sentinel = sentinel_of(process.pid, pid)
        held = Path(f"/proc/{sentinel}/fd")
        wait_until(lambda: len(list(held.iterdir())) == 2, "two descriptors of its own")
        theirs = {os.readlink(fd) for fd in Path(f"/proc/{pid}/fd").iterdir()}
        assert not {os.readlink(fd) for fd in held.iterdir()} & theirs
        assert process.stdin is not None
        process.stdin.close()
        assert wait_status(process) == 0
        assert os.read(reader, 1) == b""
    os.close(reader)


LIVES_ON = python("""
for number in (signal.SIGTERM, signal.SIGHUP, signal.SIGINT): signal.signal(number, signal.SIG_IGN)
write(1, b'%d\\n' % os.getpid())
while True: time.sleep(1)  # whatever becomes of its streams
""")
WITHOUT_DEATH_SIGNAL = """
import sys
from mcp_tap.process import _posix
_posix.die_with = lambda parent: None
if "macOS" in sys.argv[1]:
    import os, signal, _signal
    del signal.sigwaitinfo, signal.sigtimedwait, _signal.sigwaitinfo, _signal.sigtimedwait, os.waitid
    sys.platform = "darwin"
from mcp_tap.cli import main
sys.exit(main(sys.argv[2:]))
"""


def has_ended(pid: int) -> bool:
    return not is_running(pid)


@pytest.mark.parametrize("how", ["no death signal", "as on macOS", "another user"])
def test_a_killed_tap_takes_the_server_along_where_the_kernel_does_not(log: Path, how: str) -> None:
    server = LIVES_ON
    command = [sys.executable, "-c", WITHOUT_DEATH_SIGNAL, how, "run", "--log", str(log), "--"]
    if how == "another user":
        if os.geteuid() != 0 or shutil.which("setpriv") is None:
            pytest.skip("needs root and setpriv")
        server = ["setpriv", "--reuid=65534", "--clear-groups", "sh", "-c", "echo $$; exec sleep 100"]
        command = [sys.executable, "-m", "mcp_tap", "run", "--log", str(log), "--"]
    for _ in range(5):
        with ended(Launcher(None).start([*command, *server])) as process:
            pid = int(read_line(process.stdout))
            process.kill()
            wait_until(functools.partial(has_ended, pid), "the end of the server")


def test_a_server_that_outlives_its_streams_is_left_alone_when_it_ends_by_itself(tap: Launcher) -> None:
    with ended(tap.start(python("os._exit(4)"))) as process:
        assert wait_status(process) == 4
    assert tap.log is not None
    assert records(tap.log)[-1]["event"] == "exit"
