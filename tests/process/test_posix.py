"""What of starting and ending processes the transparency suite cannot reach."""

from __future__ import annotations

import errno
import os
import signal
import subprocess
import sys

import pytest

from mcp_tap.errors import ServerNotStarted
from mcp_tap.process import _posix
from mcp_tap.process._posix import (
    Child,
    code_or_signal,
    executable_candidates,
    forwarded_signals,
    not_started,
    outcome,
    put_environment_back,
)
from tests.harness import LIMIT


def test_no_signal_is_forwarded_that_is_the_taps_own_or_a_fault_of_its_code() -> None:
    numbers = forwarded_signals()
    for name in (
        "SIGTERM",
        "SIGINT",
        "SIGHUP",
        "SIGQUIT",
        "SIGUSR1",
        "SIGUSR2",
        "SIGCONT",
        "SIGWINCH",
        "SIGALRM",
    ):
        assert getattr(signal, name) in numbers
    for name in ("SIGKILL", "SIGSTOP", "SIGSEGV", "SIGBUS", "SIGPIPE", "SIGCHLD", "SIGTSTP", "SIGXFSZ"):
        assert getattr(signal, name) not in numbers


@pytest.mark.parametrize(
    ("code", "expected"),
    [("raise SystemExit(7)", (7, None)), ("import os; os.kill(os.getpid(), 15)", (None, 15))],
)
@pytest.mark.parametrize("waitid", [True, False])
def test_the_end_of_a_child_is_told_and_its_number_is_kept_until_it_is_reaped(
    monkeypatch: pytest.MonkeyPatch, code: str, expected: tuple[int | None, int | None], waitid: bool
) -> None:
    process = subprocess.Popen([sys.executable, "-I", "-S", "-c", code])
    child = Child(process.pid, ["python"], "python", None, None, None, None)
    if not waitid:
        monkeypatch.delattr(os, "waitid")
    assert child.wait() == expected
    # A zombie takes signals; where waitpid alone could be used there is none left.
    assert child.send_signal(signal.SIGTERM) is waitid
    assert child.terminate() is waitid
    assert child.kill() is waitid
    child.reap()
    assert not child.send_signal(signal.SIGTERM)
    child.reap()
    process.returncode = 0  # it was waited for behind subprocess' back


def test_an_exit_code_and_a_signal_are_told_apart() -> None:
    assert code_or_signal(3) == (3, None)
    assert code_or_signal(-9) == (None, 9)


def test_the_candidates_are_those_of_execvp(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "/a::/b/")
    assert executable_candidates("x") == ["/a/x", "x", "/b/x"]
    assert executable_candidates("./x") == ["./x"]
    assert executable_candidates("") == [""]
    monkeypatch.delenv("PATH")
    assert executable_candidates("x") == ["/bin/x", "/usr/bin/x"]


def test_a_child_that_told_no_failure_was_started(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "/a:/b")
    assert outcome("x", 0, b"0\n1\n") == "/b/x"
    # A signal has ended it before its first attempt.
    assert outcome("x", 0, b"") == "x"


def test_a_reason_that_has_no_words_of_its_own_is_the_systems() -> None:
    error = not_started(sys.executable, errno.E2BIG, [sys.executable])
    assert isinstance(error, ServerNotStarted)
    assert str(error).endswith(": Argument list too long")
    assert error.status == 126


def test_where_proc_is_not_there_the_environment_stays(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object, **__: object) -> None:
        raise FileNotFoundError

    monkeypatch.setenv("LC_CTYPE", "C.UTF-8")
    monkeypatch.setattr("builtins.open", fail)
    put_environment_back()
    monkeypatch.undo()


@pytest.mark.parametrize("original", [b"A=1\0LC_CTYPE=C\0", b"A=1\0", b"LC_CTYPE=C\0"])
def test_the_variable_that_python_sets_is_what_it_was(
    monkeypatch: pytest.MonkeyPatch, original: bytes
) -> None:
    import io

    calls: list[tuple[bytes, ...]] = []
    monkeypatch.setenv("LC_CTYPE", "C.UTF-8")
    monkeypatch.setattr("builtins.open", lambda *_: io.BytesIO(original))
    monkeypatch.setattr(os, "putenv", lambda *words: calls.append(words))
    monkeypatch.setattr(os, "unsetenv", lambda *words: calls.append(words))
    put_environment_back()
    monkeypatch.undo()
    assert calls == ([(b"LC_CTYPE", b"C")] if b"LC_CTYPE" in original else [(b"LC_CTYPE",)])


def test_die_by_a_signal_leaves_no_core_and_returns_from_one_that_does_not_end_a_process() -> None:
    code = """
import resource, sys
from mcp_tap.process import _posix
_posix.die_by(int(sys.argv[1]))
print(resource.getrlimit(resource.RLIMIT_CORE)[0])
"""

    def end(number: int) -> tuple[int, bytes]:
        command = [sys.executable, "-c", code, str(int(number))]
        done = subprocess.run(command, capture_output=True, timeout=LIMIT, check=False)
        return done.returncode, done.stdout

    assert end(signal.SIGTERM) == (-15, b"")
    assert end(signal.SIGKILL) == (-9, b"")
    assert end(signal.SIGWINCH) == (0, b"0\n")


def test_a_prctl_that_is_not_there_is_survived(monkeypatch: pytest.MonkeyPatch) -> None:
    died: list[int] = []

    def fail(option: int, value: int) -> None:
        raise ImportError

    monkeypatch.setattr(_posix, "prctl", fail)
    monkeypatch.setattr(os, "kill", lambda pid, number: died.append(number))
    monkeypatch.setattr(signal, "signal", lambda *_: None)
    import resource

    monkeypatch.setattr(resource, "setrlimit", lambda *_: None)
    _posix.die_by(signal.SIGWINCH)
    assert died == [signal.SIGWINCH]
