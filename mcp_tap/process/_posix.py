"""Starting the server on POSIX with exactly the surroundings that the tap was given.

Imported before the server is started: every millisecond here is one by which the server is
late, so ``_signal`` stands for ``signal`` (whose enums cost 3 ms) and ``ctypes`` is loaded in
the child alone. ``fork`` and ``exec`` are called here rather than through ``subprocess``
(10 ms), and that also gives what ``subprocess`` cannot: the environment untouched in its own
order, and the parent-death signal.
"""

from __future__ import annotations

import errno
import os
import sys

from mcp_tap.errors import ExitStatus, ServerNotStarted
from mcp_tap.process.own_streams import STDERR, STDOUT, OwnStreams
from mcp_tap.process.sentinel import Sentinel

TYPE_CHECKING = False
if TYPE_CHECKING:
    import signal as _signal
    from collections.abc import Callable, Iterable
    from typing import NoReturn

    from mcp_tap.process.signals import SignalWatch
else:
    import _signal

PASSED_OVER = (
    errno.ENOENT, errno.ENOTDIR, errno.ENAMETOOLONG, errno.ELOOP, errno.ESTALE, errno.ENODEV, errno.ETIMEDOUT,
)  # fmt: skip
"""Errors of one place on PATH after which C libraries look at the next."""

PR_SET_PDEATHSIG = 1
PR_SET_DUMPABLE = 4

SYNCHRONOUS = ("SIGSEGV", "SIGBUS", "SIGFPE", "SIGILL", "SIGTRAP", "SIGSYS")
UNBLOCKABLE = ("SIGKILL", "SIGSTOP")
NOT_FROM_A_CLIENT = (
    "SIGPIPE",  # the tap's own writes
    "SIGCHLD",  # the server's end
    "SIGXCPU",  # each process has its own limits, and meets them itself
    "SIGXFSZ",
    "SIGTSTP",  # the terminal stops the whole group
    "SIGTTIN",
    "SIGTTOU",
)


def forwarded_signals() -> set[int]:
    """Every signal by which a client can mean the server."""
    kept_out = {
        getattr(_signal, name, 0) for names in (SYNCHRONOUS, UNBLOCKABLE, NOT_FROM_A_CLIENT) for name in names
    }
    return {int(number) for number in _signal.valid_signals()} - {int(number) for number in kept_out}


class Signals:
    """Mask and dispositions as the client set them, and the tap's own meanwhile.

    ``hold()`` is called first of all: a signal that comes before the server runs then
    stays pending instead of ending the tap, and reaches the server.
    """

    def __init__(self, mask: Iterable[int], ignores_children: bool) -> None:
        self.mask = set(mask)
        self.ignores_children = ignores_children

    @classmethod
    def hold(cls) -> Signals:
        """Block what is to be forwarded; make the server's end visible to the tap."""
        mask = _signal.pthread_sigmask(_signal.SIG_BLOCK, forwarded_signals())
        ignores_children = _signal.getsignal(_signal.SIGCHLD) == _signal.SIG_IGN
        if ignores_children:
            # Inherited, it makes the kernel throw the exit status away.
            _signal.signal(_signal.SIGCHLD, _signal.SIG_DFL)
        return cls(mask, ignores_children)

    def put_back(self) -> None:  # pragma: no cover # between fork and exec nothing can be measured
        """In the child: undo what Python and the tap have changed.

        Python ignores SIGPIPE and SIGXFSZ at its start and hides what they were; the
        default is what clients start servers with (libuv, ``subprocess`` and Rust reset
        them). Handlers become the default before the mask is lifted, or a pending signal
        would run Python code instead of ending the process.
        """
        for name in ("SIGPIPE", "SIGXFSZ"):
            _signal.signal(getattr(_signal, name), _signal.SIG_DFL)
        if _signal.getsignal(_signal.SIGINT) != _signal.SIG_IGN:
            _signal.signal(_signal.SIGINT, _signal.SIG_DFL)
        if self.ignores_children:
            _signal.signal(_signal.SIGCHLD, _signal.SIG_IGN)
        _signal.pthread_sigmask(_signal.SIG_SETMASK, self.mask)


class Child:
    """The running server, and the tap's ends of its three pipes.

    ``stdin``, ``stdout`` and ``stderr`` are descriptors, None where the tap's own was closed
    at start; whoever pumps them closes them. ``exe`` is the file that was executed.
    """

    def __init__(
        self,
        pid: int,
        argv: list[str],
        exe: str,
        sentinel: Sentinel | None,
        stdin: int | None,
        stdout: int | None,
        stderr: int | None,
    ) -> None:
        self.pid = pid
        self.exe = exe
        self._argv = argv
        self._sentinel = sentinel
        self.stdin = stdin
        self.stdout = stdout
        self.stderr = stderr

    def wait(self) -> tuple[int | None, int | None]:
        """Block until the server has ended: (exit code, None) or (None, signal number).

        It stays a zombie until :meth:`reap`, so that a signal sent meanwhile cannot hit
        another process with its number.
        """
        ended = self._wait()
        if self._sentinel is not None:
            self._sentinel.end()
        return ended

    def _wait(self) -> tuple[int | None, int | None]:
        waitid: Callable[[int, int, int], os.waitid_result | None] | None = getattr(os, "waitid", None)
        if waitid is None:  # macOS before Python 3.13
            return code_or_signal(os.waitstatus_to_exitcode(os.waitpid(self.pid, 0)[1]))
        result = waitid(os.P_PID, self.pid, os.WEXITED | os.WNOWAIT)
        assert result is not None  # only WNOHANG makes it None
        if result.si_code == os.CLD_EXITED:
            return result.si_status, None
        return None, result.si_status

    def reap(self) -> None:
        """Take the zombie away, after the last signal was sent, and the sentinel with it."""
        if self._sentinel is not None:
            self._sentinel.dismiss()
        try:
            os.waitpid(self.pid, 0)
        except ChildProcessError:  # where wait() has taken it
            return

    def send_signal(self, number: int) -> bool:
        """Pass a signal on; False if the server is not there any more."""
        try:
            os.kill(self.pid, number)
        except OSError:
            return False
        return True

    def make_watch(
        self,
        on_arrival: Callable[[int], None],
        forward: Callable[[int], bool],
        on_signal: Callable[[str, bool, bool], None],
    ) -> SignalWatch:
        """What waits for the client's signals; loaded when the server is running."""
        from mcp_tap.process.signals import SignalWatch

        return SignalWatch(forwarded_signals(), self._sentinel, on_arrival, forward, on_signal)

    def is_copy(self, pid: int) -> bool:
        """Whether process ``pid`` runs what the server ran, as a fork of it does; True if unknown."""
        try:
            with open(f"/proc/{pid}/cmdline", "rb") as file:
                words = file.read().split(b"\0")[:-1][-len(self._argv) :]
        except OSError:
            return True
        own = [os.fsencode(word) for word in self._argv]
        # The interpreter of a script stands before it, and the script may have been found on PATH.
        return words[1:] == own[1:] and words[:1] != [] and base(words[0]) == base(own[0])

    def terminate(self) -> bool:
        """Ask the server to end."""
        return self.send_signal(_signal.SIGTERM)

    def kill(self) -> bool:
        """End the server."""
        return self.send_signal(_signal.SIGKILL)


def base(path: bytes) -> bytes:
    """The name of a file."""
    return path.rpartition(b"/")[2]


def code_or_signal(exitcode: int) -> tuple[int | None, int | None]:
    """``os.waitstatus_to_exitcode`` taken apart: negative is a signal."""
    return (exitcode, None) if exitcode >= 0 else (None, -exitcode)


def spawn(argv: list[str], own: OwnStreams, signals: Signals) -> Child:
    """Start ``argv`` as POSIX ``execvp`` would, on pipes. Call it from the main thread.

    The main thread, since the parent-death signal comes when the *thread* that started the
    child ends. Raises :class:`ServerNotStarted`, and OSError where the system has no descriptor
    or process left.
    """
    opened: set[int] = set()
    theirs: list[int | None] = [None, None, None]
    ours: list[int | None] = [None, None, None]
    # Before there is any pipe of the server's that it could inherit.
    sentinel = Sentinel.fork(forwarded_signals())
    started = False
    try:
        for fd in sorted({0, 1, 2} - own.closed):
            if fd == STDERR and own.merged:
                theirs[STDERR] = theirs[STDOUT]
                continue
            reading, writing = pipe(opened)
            theirs[fd], ours[fd] = (reading, writing) if fd == 0 else (writing, reading)
        told, telling = pipe(opened)
        parent = os.getpid()
        pid = os.fork()
        if pid == 0:  # pragma: no cover # as above
            become(argv, theirs, signals, parent, telling)
        if sentinel is not None:
            sentinel.guard(pid)
        for fd in {telling, *(end for end in theirs if end is not None)}:
            opened.remove(fd)
            os.close(fd)
        exe = outcome(argv[0], pid, read_all(told))
        if hasattr(os, "sched_yield"):
            os.sched_yield()  # where there is one processor for both, the server comes first
        opened.difference_update(end for end in ours if end is not None)
        started = True
    finally:
        for fd in opened:
            os.close(fd)
        if sentinel is not None and not started:
            sentinel.dismiss()
    return Child(pid, argv, exe, sentinel, *ours)


def pipe(opened: set[int]) -> tuple[int, int]:
    """A pipe whose ends exec closes, noted in ``opened``."""
    ends = os.pipe()
    opened.update(ends)
    return ends


def become(
    argv: list[str], ends: list[int | None], signals: Signals, parent: int, telling: int
) -> NoReturn:  # pragma: no cover # as above
    """In the child: take the tap's surroundings and execute ``argv``; tell only a failure."""
    number = errno.ENOEXEC
    try:
        die_with(parent)
        for fd, end in enumerate(ends):
            if end is not None:
                os.dup2(end, fd)
        put_environment_back()
        signals.put_back()
        number = execute(argv, telling)
    except OSError as error:
        number = error.errno or number
    finally:
        os.write(telling, b"errno %d\n" % number)
        os._exit(ExitStatus.NOT_FOUND)


def die_with(parent: int) -> None:  # pragma: no cover # as above
    """On Linux, let a SIGKILL of the tap take the server along."""
    if sys.platform != "linux":
        return
    try:
        prctl(PR_SET_PDEATHSIG, int(_signal.SIGKILL))
    except (ImportError, OSError, AttributeError):
        return
    if os.getppid() != parent:  # it died before the call
        os._exit(ExitStatus.TAP_FAILED)


def prctl(option: int, value: int) -> None:
    """Linux ``prctl(2)``; raises ImportError or OSError where there is none."""
    import _ctypes

    # What ctypes itself calls; ctypes would define its types first, which takes a millisecond.
    program = _ctypes.dlopen(None, 0)  # type: ignore[arg-type] # dlopen(3) takes NULL
    function = _ctypes.dlsym(program, "prctl")
    _ctypes.call_function(function, (option, value, 0, 0, 0))


def put_environment_back() -> None:
    """Undo the one change that Python makes: ``LC_CTYPE``, set where the locale is C (PEP 538).

    The environment itself is handed over by ``execv`` as the C library holds it, so that
    order, duplicates and entries without "=" stay as they came.
    """
    if "LC_CTYPE" not in os.environ:
        return
    try:
        with open("/proc/self/environ", "rb") as file:
            entries = file.read().split(b"\0")
    except OSError:  # no such file outside Linux: what Python has set stays
        return
    original = [entry for entry in entries if entry.startswith(b"LC_CTYPE=")]
    if original:
        os.putenv(b"LC_CTYPE", original[0].partition(b"=")[2])
    else:
        os.unsetenv(b"LC_CTYPE")


def execute(argv: list[str], telling: int) -> int:  # pragma: no cover # as above
    """Execute the first candidate that can be; the errno of the failure otherwise."""
    denied = 0
    number = errno.ENOENT
    if not argv[0]:  # which execv refuses with a ValueError of its own
        return number
    for index, path in enumerate(executable_candidates(argv[0])):
        os.write(telling, b"%d\n" % index)
        try:
            os.execv(path, argv)
        except OSError as error:
            number = error.errno or number
        if number == errno.ENOEXEC:
            # A script without a "#!" line: POSIX has execvp give it to the shell.
            try:
                os.execv("/bin/sh", ["/bin/sh", path, *argv[1:]])
            except OSError:
                return number
        if number == errno.EACCES:
            denied = number
        elif number not in PASSED_OVER:
            return number
    return denied or number


def executable_candidates(command: str) -> list[str]:
    """Where POSIX ``execvp`` looks for ``command``, in order; an empty PATH entry is the cwd."""
    if "/" in command or not command:
        return [command]
    return [os.path.join(directory, command) for directory in searched_path().split(":")]


def searched_path() -> str:
    """PATH, or what the C library takes where there is none."""
    return os.environ.get("PATH", os.defpath)


def read_all(fd: int) -> bytes:
    """Everything up to the end of ``fd``."""
    parts = []
    while part := os.read(fd, 4096):
        parts.append(part)
    return b"".join(parts)


def outcome(command: str, pid: int, told: bytes) -> str:
    """The executed file, from what the child told: the candidates it tried, then the errno."""
    candidates = executable_candidates(command)
    lines = told.decode().split("\n")[:-1]
    if not lines or not lines[-1].startswith("errno "):
        # It told nothing after its last attempt: exec succeeded, or a signal ended it there.
        return candidates[int(lines[-1])] if lines else command
    os.waitpid(pid, 0)
    number = int(lines[-1].split()[1])
    raise not_started(command, number, [path for path in candidates if os.path.exists(path)])


def not_started(command: str, number: int, existing: list[str]) -> ServerNotStarted:
    """Why ``command`` could not be executed, as a sentence and a status."""
    if number in PASSED_OVER and not existing:
        where = "no such file" if "/" in command else f"not found on PATH ({searched_path()})"
        return ServerNotStarted(f"cannot start {command!r}: {where}", ExitStatus.NOT_FOUND)
    path = existing[0] if existing else command
    if number == errno.ENOENT:
        reason = "its interpreter (named in the script's first line) or its loader does not exist"
    elif os.path.isdir(path):
        reason = "it is a directory"
    elif number == errno.EACCES:
        reason = "it is not executable (try chmod +x)"
    else:
        reason = os.strerror(number)
    place = path if "/" in command else f"{path} (found on PATH {searched_path()})"
    return ServerNotStarted(f"cannot start {command!r}: {place}: {reason}", ExitStatus.NOT_EXECUTABLE)


def exit_status(code: int) -> int:
    """An exit code as ``sys.exit`` takes it."""
    return code


def die_by(number: int) -> None:
    """End this process by signal ``number``, so that the client sees the server's wait status.

    The server has dumped its core already, if it was to: the tap leaves none. The core
    limit alone does not prevent one where the kernel pipes cores to a program (core(5)).
    Returns only if the signal does not end a process.
    """
    import contextlib
    import resource

    resource.setrlimit(resource.RLIMIT_CORE, (0, resource.getrlimit(resource.RLIMIT_CORE)[1]))
    if sys.platform == "linux":
        with contextlib.suppress(ImportError, OSError, AttributeError):
            prctl(PR_SET_DUMPABLE, 0)
    with contextlib.suppress(OSError, ValueError):  # SIGKILL; 32 and 33, which the C library keeps
        _signal.signal(number, _signal.SIG_DFL)
    os.kill(os.getpid(), number)
    _signal.pthread_sigmask(_signal.SIG_UNBLOCK, {number})
