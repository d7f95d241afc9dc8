"""The server gets what the tap was given: environment, limits, masks, descriptors, group."""

from __future__ import annotations

import contextlib
import fcntl
import json
import os
import resource
import signal
import socket
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.harness import LIMIT, Launcher, ended, python, read_line, send, wait_status

TELL = """
import json, resource
def text(path):
    with open(path, 'rb') as file: return file.read().decode('latin-1')
def state(fd):
    try: os.fstat(fd)
    except OSError: return 'closed'
    return 'open'
status = dict(l.split(':\\t', 1) for l in text('/proc/self/status').splitlines() if ':\\t' in l)
numbers = []
for name in os.listdir('/proc/self/fd'):
    try: numbers.append((int(name), os.readlink('/proc/self/fd/' + name)))
    except OSError: pass
report = {
    'environ': text('/proc/self/environ'),
    'argv': sys.argv[1:],
    'cwd': os.getcwd(),
    'umask': status['Umask'],
    'limits': text('/proc/self/limits'),
    'nice': os.nice(0),
    'blocked': status['SigBlk'],
    'ignored': status['SigIgn'],
    'group is the clients': os.getpgrp() == int(os.environ.get('CLIENT_GROUP', '0')),
    'session': os.getsid(0),
    'standard': [state(fd) for fd in (0, 1, 2)],
    'others': sorted(pair for pair in numbers if pair[0] > 2 and not pair[1].startswith('/proc/')),
    'blocking': [os.get_blocking(fd) if state(fd) == 'open' else None for fd in (0, 1, 2)],
}
data = json.dumps(report).encode() + b'\\n'
target = os.environ.get('REPORT')
if target:
    fd = os.open(target, os.O_WRONLY | os.O_CREAT, 0o644)
    write(fd, data)
else:
    write(1, data)
"""


def reported(launcher: Launcher, *arguments: str, **options: Any) -> dict[str, Any]:
    """What the server says of its surroundings."""
    with ended(launcher.start(python(TELL, *arguments), **options)) as process:
        report: dict[str, Any] = json.loads(read_line(process.stdout))
        assert wait_status(process) == 0
    return report


def both(log: Path, *arguments: str, **options: Any) -> tuple[dict[str, Any], dict[str, Any]]:
    """Bare and tapped."""
    return reported(Launcher(None), *arguments, **options), reported(Launcher(log), *arguments, **options)


def group() -> dict[str, str]:
    return {"CLIENT_GROUP": str(os.getpgrp())}


@pytest.mark.parametrize(
    "environment",
    [
        {"PATH": "/usr/bin:/bin"},
        {"LC_ALL": "C", "Z": "1", "A": "2"},
        {"LANG": "C", "EMPTY": "", "PYTHONPATH": "/nowhere"},
        {"LC_CTYPE": "C.UTF-8"},
        {"LC_CTYPE": "C", "BYTES": os.fsdecode(b"\xff\xfe")},
        {},
    ],
)
def test_the_environment_is_the_same_byte_for_byte(log: Path, environment: dict[str, str]) -> None:
    bare, tapped = both(log, env=environment)
    assert tapped["environ"] == bare["environ"]


def test_everything_else_is_the_same(log: Path, tmp_path: Path) -> None:
    def surroundings() -> None:
        os.umask(0o027)
        os.nice(3)
        resource.setrlimit(resource.RLIMIT_NOFILE, (200, 300))
        resource.setrlimit(resource.RLIMIT_STACK, (4 << 20, resource.RLIM_INFINITY))
        signal.signal(signal.SIGHUP, signal.SIG_IGN)
        signal.signal(signal.SIGUSR2, signal.SIG_IGN)
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        signal.signal(signal.SIGCHLD, signal.SIG_IGN)
        signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGUSR1, signal.SIGWINCH})

    directory = tmp_path / "a directory"
    directory.mkdir()
    words = ["--", "a b", "", "'\"$HOME\\", "*", "--log", "ü", os.fsdecode(b"\xff"), "--"]
    bare, tapped = both(log, *words, preexec_fn=surroundings, cwd=directory, env=group())
    assert tapped == bare
    assert bare["argv"] == words
    assert bare["umask"] == "0027"
    assert bare["group is the clients"]


def test_the_default_signals_are_the_same(log: Path) -> None:
    bare, tapped = both(log, env=group())
    assert (tapped["ignored"], tapped["blocked"]) == (bare["ignored"], bare["blocked"])


def test_an_inherited_descriptor_is_the_servers_alone(launcher: Launcher) -> None:
    server = python("""
write(3, b'hello on 3\\n')
assert os.read(3, 100) == b'and back\\n'
os.close(3)
line()
""")
    ours, theirs = socket.socketpair()

    def as_three() -> None:
        os.dup2(theirs.fileno(), 3)

    process = launcher.start(server, preexec_fn=as_three, pass_fds=(3,)) if theirs.fileno() == 3 else None
    if process is None:
        process = start_with_three(launcher, server, theirs)
    theirs.close()
    ours.settimeout(LIMIT)
    with ended(process), ours:
        assert ours.recv(100) == b"hello on 3\n"
        ours.sendall(b"and back\n")
        # The end comes though the server lives on: the tap holds no copy.
        assert ours.recv(100) == b""
        assert process.poll() is None
        send(process, b"go\n")
        assert wait_status(process) == 0


def start_with_three(launcher: Launcher, server: list[str], end: socket.socket) -> subprocess.Popen[bytes]:
    """Start with ``end`` as descriptor 3, as Node does with its ipc channel."""
    held = os.dup(3) if descriptor_is_open(3) else None
    os.dup2(end.fileno(), 3, inheritable=True)
    try:
        return launcher.start(server, pass_fds=(3,))
    finally:
        if held is None:
            os.close(3)
        else:
            os.dup2(held, 3, inheritable=False)
            os.close(held)


def descriptor_is_open(fd: int) -> bool:
    try:
        os.fstat(fd)
    except OSError:
        return False
    return True


@pytest.mark.parametrize("closed", [(0,), (1,), (2,), (0, 1), (0, 1, 2)])
def test_a_closed_standard_descriptor_is_closed_in_the_server(
    log: Path, tmp_path: Path, closed: tuple[int, ...]
) -> None:
    def close_them() -> None:
        for fd in closed:
            os.close(fd)

    seen = []
    for launcher in (Launcher(None), Launcher(log)):
        target = tmp_path / "report"
        target.unlink(missing_ok=True)
        with ended(
            launcher.start(python(TELL), preexec_fn=close_them, env={"REPORT": str(target)})
        ) as process:
            assert process.wait(LIMIT) == 0
        seen.append(json.loads(target.read_bytes())["standard"])
    assert seen[1] == seen[0]
    assert [fd for fd in (0, 1, 2) if seen[0][fd] == "closed"] == list(closed)


def open_pipe(_: Path) -> tuple[int, int]:
    return os.pipe()


def open_sockets(_: Path) -> tuple[int, int]:
    left, right = socket.socketpair()
    return left.detach(), right.detach()


@pytest.mark.parametrize("make", [open_pipe, open_sockets])
def test_nonblocking_mode_is_never_seen_on_a_shared_description(
    tap: Launcher, tmp_path: Path, make: Callable[[Path], tuple[int, int]]
) -> None:
    server = python("""
while request := line():
    write(1, request); write(2, request)
write(1, b'x' * 100_000)
""")
    ours_in, theirs_in = reversed(make(tmp_path)) if make is open_pipe else make(tmp_path)
    ours_out, theirs_out = make(tmp_path)
    ours_err, theirs_err = make(tmp_path)

    def blocking() -> bool:
        flags = [fcntl.fcntl(fd, fcntl.F_GETFL) for fd in (theirs_in, theirs_out, theirs_err)]
        return not any(flag & os.O_NONBLOCK for flag in flags)

    process = tap.start(server, stdin=theirs_in, stdout=theirs_out, stderr=theirs_err)
    try:
        with ended(process):
            os.write(ours_in, b"ping\n")
            assert os.read(ours_out, 100) == b"ping\n"
            assert os.read(ours_err, 100) == b"ping\n"
            assert blocking()
            os.close(ours_in)
            os.close(theirs_in)
            theirs_in = os.dup(theirs_out)
            got = 0
            while got < 100_000:
                got += len(os.read(ours_out, 65536))
                assert blocking()
            assert process.wait(LIMIT) == 0
            assert blocking()
    finally:
        for fd in (theirs_in, theirs_out, theirs_err, ours_out, ours_err):
            os.close(fd)


def test_regular_files_serve_as_all_three(launcher: Launcher, tmp_path: Path) -> None:
    (tmp_path / "in").write_bytes(b'{"a":1}\nlast')
    server = python("""
data = b''
while chunk := os.read(0, 100): data += chunk
write(1, data); write(2, b'done')
""")
    names = (("in", "rb"), ("out", "wb"), ("err", "wb"))
    with contextlib.ExitStack() as files:
        stdin, out, err = (files.enter_context((tmp_path / name).open(mode)) for name, mode in names)
        process = files.enter_context(ended(launcher.start(server, stdin=stdin, stdout=out, stderr=err)))
        assert process.wait(LIMIT) == 0
    assert (tmp_path / "out").read_bytes() == b'{"a":1}\nlast'
    assert (tmp_path / "err").read_bytes() == b"done"


def test_the_null_device_serves_as_all_three(launcher: Launcher) -> None:
    server = python("write(1, b'x' * 200_000); write(2, b'x'); os._exit(0 if not line() else 1)")
    null = subprocess.DEVNULL
    with ended(launcher.start(server, stdin=null, stdout=null, stderr=null)) as process:
        assert process.wait(LIMIT) == 0


def test_a_terminal_serves_as_all_three(tap: Launcher) -> None:
    import pty

    master, slave = pty.openpty()
    server = python("write(1, b'got ' + line()); write(2, b'bye\\n')")
    process = tap.start(server, stdin=slave, stdout=slave, stderr=slave)
    os.close(slave)
    try:
        with ended(process):
            os.write(master, b"hello\n")
            seen = b""
            while seen.count(b"\n") < 3:
                seen += os.read(master, 1000)
            assert sorted(seen.split(b"\r\n")) == [b"", b"bye", b"got hello", b"hello"]
            assert process.wait(LIMIT) == 0
    finally:
        os.close(master)
