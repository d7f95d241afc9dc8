"""Starting servers bare and through the tap, and looking at what a client can see of them."""

from __future__ import annotations

import contextlib
import json
import os
import select
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Any, Protocol

LIMIT = 30.0
"""Seconds that anything may take: far above what a slow machine needs, so that it means "never"."""

TAP = [sys.executable, "-m", "mcp_tap", "run"]


def python(code: str, *arguments: str) -> list[str]:
    """The command of a server written as Python code, started as fast as Python starts."""
    return [sys.executable, "-I", "-S", "-c", PRELUDE + code, *arguments]


PRELUDE = """
import os, sys, signal, time
def write(fd, data):
    while data:
        data = data[os.write(fd, data):]
def line():
    got = b''
    while not got.endswith(b'\\n'):
        byte = os.read(0, 1)
        if not byte: break
        got += byte
    return got
"""


@dataclass
class Launcher:
    """Starts a server as a client would: bare, or with the tap in its place."""

    log: Path | None
    options: list[str] = field(default_factory=list)

    @property
    def tapped(self) -> bool:
        return self.log is not None

    def command(self, server: list[str]) -> list[str]:
        if self.log is None:
            return server
        return [*TAP, "--log", str(self.log), *self.options, "--", *server]

    def start(self, server: list[str], **options: Any) -> subprocess.Popen[bytes]:
        """Start it on three pipes, unless told otherwise; the caller ends it (see ``ended``)."""
        streams: dict[str, Any] = {
            "stdin": subprocess.PIPE,
            "stdout": subprocess.PIPE,
            "stderr": subprocess.PIPE,
        }
        keywords: dict[str, Any] = streams | options
        process: subprocess.Popen[bytes] = subprocess.Popen(self.command(server), bufsize=0, **keywords)
        return process


def unmeasured() -> dict[str, str]:
    """The environment of a child that is killed: without coverage, which it could not hand in anyway."""
    return {name: value for name, value in os.environ.items() if not name.startswith("COVERAGE_PROCESS_")}


@contextlib.contextmanager
def ended(process: subprocess.Popen[bytes]) -> Iterator[subprocess.Popen[bytes]]:
    """``process``, which is gone and whose pipes are closed afterwards, whatever the test did."""
    try:
        yield process
    finally:
        for stream in (process.stdin, process.stdout, process.stderr):
            if stream is not None:
                stream.close()
        with contextlib.suppress(ProcessLookupError):
            process.kill()
        process.wait(LIMIT)


def read_exactly(stream: IO[bytes] | None, count: int) -> bytes:
    """``count`` bytes, or as many as come before the end; fails after ``LIMIT`` seconds."""
    assert stream is not None
    got = b""
    deadline = time.monotonic() + LIMIT
    while len(got) < count:
        if not select.select([stream], [], [], max(0.0, deadline - time.monotonic()))[0]:
            raise AssertionError(f"only {got!r} of {count} bytes came in time")
        part = os.read(stream.fileno(), min(count - len(got), 65536))
        if not part:
            break
        got += part
    return got


def read_line(stream: IO[bytes] | None) -> bytes:
    """One line with its newline, or what comes before the end."""
    got = b""
    while not got.endswith(b"\n"):
        byte = read_exactly(stream, 1)
        if not byte:
            break
        got += byte
    return got


def read_all(stream: IO[bytes] | None) -> bytes:
    """Everything to the end of the stream."""
    return read_exactly(stream, 1 << 40)


def send(process: subprocess.Popen[bytes], data: bytes) -> None:
    """Write ``data`` to the server's stdin."""
    assert process.stdin is not None
    process.stdin.write(data)


def write_until_refused(process: subprocess.Popen[bytes], block: bytes) -> None:
    """Write ``block`` again and again; fails if no EPIPE comes within ``LIMIT`` seconds."""
    deadline = time.monotonic() + LIMIT
    try:
        while time.monotonic() < deadline:
            send(process, block)
    except BrokenPipeError:
        return
    raise AssertionError("EPIPE did not come")


def talk_to(process: subprocess.Popen[bytes], data: bytes = b"") -> tuple[bytes, bytes, int]:
    """Send ``data``, close stdin, and read to the end: (stdout, stderr, wait status)."""
    out, err = process.communicate(data, LIMIT)
    return out, err, process.returncode


class HasDescriptor(Protocol):
    """A file or a socket."""

    def fileno(self) -> int: ...


class Reader:
    """Reads a stream to its end on a thread, as every client does that expects much."""

    def __init__(self, stream: HasDescriptor | None, piece: int = 65536, pause: float = 0.0) -> None:
        assert stream is not None
        self._stream, self._piece, self._pause = stream, piece, pause
        self._parts: list[bytes] = []
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()

    def _run(self) -> None:
        pace = threading.Event()
        while part := os.read(self._stream.fileno(), self._piece):
            self._parts.append(part)
            if self._pause:
                pace.wait(self._pause)  # a slow reader is what the test is about

    def all(self) -> bytes:
        self._thread.join(LIMIT)
        assert not self._thread.is_alive(), "the stream did not end"
        return b"".join(self._parts)


def wait_until(condition: Callable[[], bool], what: str) -> None:
    """Wait for something that no descriptor announces; fails after ``LIMIT`` seconds."""
    deadline = time.monotonic() + LIMIT
    pause = threading.Event()
    while not condition():
        assert time.monotonic() < deadline, f"{what} did not happen"
        pause.wait(0.005)


def is_running(pid: int) -> bool:
    """Whether process ``pid`` exists and is no zombie (Linux)."""
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except (FileNotFoundError, ProcessLookupError):
        return False
    return state not in "ZX"


def records(log: Path) -> list[dict[str, Any]]:
    """The records of a recording, each of which must be whole."""
    return [json.loads(line) for line in log.read_bytes().splitlines()]


def events(log: Path, name: str) -> list[dict[str, Any]]:
    """The tap events of that name."""
    return [record for record in records(log) if record.get("event") == name]


def recorded(log: Path, direction: str) -> bytes:
    """One direction's bytes, put together again by the rules of the format alone."""
    import base64

    whole = b""
    for raw in log.read_bytes().split(b"\n")[:-1]:
        record = json.loads(raw)
        if record["dir"] != direction:
            continue
        if "msg" in record:
            payload = raw[raw.index(b'"msg":') + 6 : raw.rindex(b"}")]
        elif "text" in record:
            payload = record["text"].encode()
        else:
            payload = base64.b64decode(record["b64"])
        whole += payload + record.get("eol", "\n").encode()
    return whole


def wait_status(process: subprocess.Popen[bytes]) -> int:
    """The exit code, or the negative number of the signal that ended it."""
    return process.wait(LIMIT)


SIGNALS = [signal.SIGTERM, signal.SIGINT, signal.SIGHUP, signal.SIGQUIT, signal.SIGUSR1, signal.SIGUSR2]
