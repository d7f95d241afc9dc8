"""Starting the server on Windows. What POSIX does by fork and exec, CreateProcess does here.

There are no signals to pass on: ^C and ^Break reach every process of the console, the server
too, and a client that ends the tap by TerminateProcess closes the server's stdin with it.
"""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import threading
from collections.abc import Callable

from mcp_tap.errors import ExitStatus, ServerNotStarted
from mcp_tap.process.command_line import windows_command_line
from mcp_tap.process.own_streams import OwnStreams


class Signals:
    """Console events end the server, not the tap, which has its last words to bring over."""

    @classmethod
    def hold(cls) -> Signals:
        """Ignore ^C and ^Break in the tap alone (a handler is not inherited, SIG_IGN may be)."""
        for name in ("SIGINT", "SIGBREAK"):
            if hasattr(signal, name):
                signal.signal(getattr(signal, name), lambda *_: None)
        return cls()


class Child:
    """The running server, and the tap's ends of its three pipes; see ``_posix.Child``."""

    def __init__(self, process: subprocess.Popen[bytes], exe: str) -> None:
        self._process = process
        self.pid = process.pid
        self.exe = exe
        self.stdin, self.stdout, self.stderr = (
            None if stream is None else keep_descriptor(stream.fileno())
            for stream in (process.stdin, process.stdout, process.stderr)
        )
        for stream in (process.stdin, process.stdout, process.stderr):
            if stream is not None:
                stream.close()

    def wait(self) -> tuple[int | None, int | None]:
        """Block until the server has ended; Windows knows exit codes alone."""
        return self._process.wait(), None

    def reap(self) -> None:
        """Nothing to reap."""

    def send_signal(self, number: int) -> bool:
        """There are no signals to pass on."""
        return False

    def make_watch(
        self,
        on_arrival: Callable[[int], None],
        forward: Callable[[int], bool],
        on_signal: Callable[[str, bool, bool], None],
    ) -> ConsoleWatch:
        """What waits for signals, of which there are none."""
        return ConsoleWatch()

    def is_copy(self, pid: int) -> bool:
        """Never asked: see ``_threaded``."""
        return True

    def terminate(self) -> bool:
        """End the server: nothing gentler reaches a process without a console."""
        return self.kill()

    def kill(self) -> bool:
        """End the server."""
        self._process.kill()
        return True


class ConsoleWatch:
    """A watch that has nothing to forward."""

    def __init__(self) -> None:
        self._stopped = threading.Event()

    def run(self) -> None:
        """Block until stopped."""
        self._stopped.wait()

    def stop(self) -> None:
        """Make :meth:`run` return."""
        self._stopped.set()


def spawn(argv: list[str], own: OwnStreams, signals: Signals) -> Child:
    """Start ``argv`` on pipes; raises :class:`ServerNotStarted`.

    A bare name is resolved through PATH and PATHEXT, which CreateProcess does for ``.exe``
    alone.
    """
    exe = resolve(argv[0])
    shell = os.environ.get("COMSPEC", "cmd.exe")
    try:
        line = windows_command_line(exe, argv, shell)
        process = subprocess.Popen(
            line,
            executable=None if line.startswith(f'"{shell}"') else exe,
            stdin=None if 0 in own.closed else subprocess.PIPE,
            stdout=None if 1 in own.closed else subprocess.PIPE,
            stderr=None if 2 in own.closed else subprocess.PIPE,
            bufsize=0,
            close_fds=True,
        )
    except (OSError, ValueError) as error:
        raise ServerNotStarted(
            f"cannot start {argv[0]!r}: {exe}: {error}", ExitStatus.NOT_EXECUTABLE
        ) from None
    return Child(process, exe)


def resolve(command: str) -> str:
    """The file that ``command`` names, or raises :class:`ServerNotStarted`."""
    # Where PATHEXT is missing (the TypeScript SDK does not pass it on) shutil.which has a default
    # of its own, so the environment need not be touched, which the server would see.
    found = shutil.which(command)
    if found is None:
        path = os.environ.get("PATH", os.defpath)
        raise ServerNotStarted(f"cannot start {command!r}: not found on PATH ({path})", ExitStatus.NOT_FOUND)
    return found


def keep_descriptor(fd: int) -> int:
    """A descriptor that outlives the stream object which owns ``fd``."""
    return os.dup(fd)


def exit_status(code: int) -> int:
    """An exit code as ``sys.exit`` takes it: 0xC0000005 and its like as the same bits, signed."""
    return code - (1 << 32) if code >= 1 << 31 else code


def die_by(number: int) -> None:
    """Never needed: no process of Windows ends by a signal."""
