"""Who has sent a signal decides whether the server has it already."""

from __future__ import annotations

import os
import pty
import signal
import termios
import threading
from collections.abc import Iterator

import pytest

from mcp_tap.process import signals
from mcp_tap.process.signals import SI_KERNEL, SignalWatch, next_signal, reached_the_group, signal_name
from tests.harness import LIMIT

NUMBER = signal.SIGUSR2
SI_USER = 0
"""``si_code`` of kill(2)."""


@pytest.fixture
def blocked() -> Iterator[None]:
    """The signal blocked in every thread of ours, as the tap has it.

    A process that runs a part of the suite has others, so the tests send it to one thread.
    """
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {NUMBER, signal.SIGUSR1})
    yield
    while signal.sigpending() & {NUMBER, signal.SIGUSR1}:
        signal.sigwait({NUMBER, signal.SIGUSR1})
    signal.pthread_sigmask(signal.SIG_SETMASK, before)


@pytest.mark.usefixtures("blocked")
def test_each_signal_is_forwarded_and_told_until_the_watch_is_stopped() -> None:
    arrived: list[int] = []
    forwarded: list[int] = []
    told: list[tuple[str, bool]] = []
    heard = threading.Semaphore(0)

    def forward(number: int) -> bool:
        forwarded.append(number)
        return len(forwarded) < 2

    def tell(name: str, passed_on: bool, shared: bool) -> None:
        assert not shared
        told.append((name, passed_on))
        heard.release()

    watch = SignalWatch({NUMBER, signal.SIGUSR1}, None, arrived.append, forward, tell)
    thread = threading.Thread(target=watch.run)
    thread.start()
    assert thread.ident is not None
    for _ in range(2):
        signal.pthread_kill(thread.ident, NUMBER)
        assert heard.acquire(timeout=LIMIT)
    watch.stop()
    thread.join(LIMIT)
    assert not thread.is_alive()
    assert arrived == forwarded == [NUMBER, NUMBER]
    assert told == [("SIGUSR2", True), ("SIGUSR2", False)]


@pytest.mark.usefixtures("blocked")
def test_a_signal_from_the_kernel_is_not_forwarded_where_it_reached_the_group(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    came = iter(
        [
            (signal.SIGINT, SI_KERNEL, 0),
            (signal.SIGALRM, SI_KERNEL, 0),
            (signal.SIGINT, 0, 7),
            (signal.SIGUSR1, 0, os.getpid()),
        ]
    )
    monkeypatch.setattr(signals, "next_signal", lambda numbers: next(came))
    told: list[tuple[str, bool]] = []

    def tell(name: str, passed_on: bool, shared: bool) -> None:
        assert not shared
        told.append((name, passed_on))
        watch._stopping = len(told) == 3

    watch = SignalWatch({NUMBER}, None, lambda number: None, lambda number: True, tell)
    watch.run()
    assert told == [("SIGINT", False), ("SIGALRM", True), ("SIGINT", True)]


@pytest.mark.usefixtures("blocked")
@pytest.mark.parametrize("sender", [os.getpid(), 0], ids=["told", "not told"])
def test_what_has_come_before_the_stop_is_dealt_with(monkeypatch: pytest.MonkeyPatch, sender: int) -> None:
    """One the watch has in hand as it is stopped, one that still waits behind the stop."""
    # Signals are handed out by number: the stop comes before what the whole process was sent.
    came = iter([(signal.SIGTERM, 0, 7), (signal.SIGUSR1, 0, sender), (NUMBER, 0, 7)])
    monkeypatch.setattr(signals, "next_signal", lambda numbers: next(came))
    monkeypatch.setattr(signals, "pending", lambda: {int(NUMBER), int(signal.SIGCHLD)})
    told: list[str] = []

    def tell(name: str, *_: bool) -> None:
        told.append(name)

    watch = SignalWatch({NUMBER, signal.SIGUSR1}, None, lambda number: None, lambda number: False, tell)
    watch._stopping = True
    watch.run()
    assert told == ["SIGTERM", "SIGUSR2"]


@pytest.mark.parametrize(("leader", "number", "reached"), [
    (False, signal.SIGHUP, True), (True, signal.SIGHUP, False), (True, signal.SIGCONT, False),
    (False, signal.SIGINT, True), (True, signal.SIGQUIT, True), (False, signal.SIGALRM, False),
])  # fmt: skip
def test_a_session_leader_alone_hears_that_its_terminal_is_gone(
    monkeypatch: pytest.MonkeyPatch, leader: bool, number: signal.Signals, reached: bool
) -> None:
    monkeypatch.setattr(os, "getsid", lambda pid: os.getpid() if leader else 1)
    assert reached_the_group(number) is reached


@pytest.mark.usefixtures("blocked")
def test_where_the_sender_is_not_told_the_terminal_is_looked_at(monkeypatch: pytest.MonkeyPatch) -> None:
    signal.pthread_kill(threading.get_ident(), NUMBER)
    assert next_signal({NUMBER}) == (NUMBER, SI_USER, os.getpid())
    monkeypatch.delattr(signal, "sigwaitinfo")
    monkeypatch.setattr(signals, "terminal_could_send", lambda: True)
    signal.pthread_kill(threading.get_ident(), NUMBER)
    assert next_signal({NUMBER}) == (NUMBER, SI_USER, 0)
    monkeypatch.setattr(signal, "sigwait", lambda numbers: signal.SIGINT)
    assert next_signal({signal.SIGINT}) == (signal.SIGINT, SI_KERNEL, 0)
    monkeypatch.setattr(signals, "terminal_could_send", lambda: False)
    assert next_signal({signal.SIGINT}) == (signal.SIGINT, SI_USER, 0)


@pytest.mark.parametrize(("raw", "foreground", "expected"), [
    (False, True, True), (True, True, False), (False, False, False),
])  # fmt: skip
def test_a_terminal_sends_control_c_in_cooked_mode_to_its_foreground_group(
    monkeypatch: pytest.MonkeyPatch, raw: bool, foreground: bool, expected: bool
) -> None:
    master, slave = pty.openpty()
    modes = termios.tcgetattr(slave)
    if raw:
        modes[3] &= ~termios.ISIG
        termios.tcsetattr(slave, termios.TCSANOW, modes)
    real = os.open
    monkeypatch.setattr(
        os, "open", lambda path, flags: os.dup(slave) if path == "/dev/tty" else real(path, flags)
    )
    monkeypatch.setattr(os, "tcgetpgrp", lambda fd: os.getpgrp() if foreground else 1)
    assert signals.terminal_could_send() is expected
    monkeypatch.undo()
    os.close(master)
    os.close(slave)


def test_without_a_terminal_none_could_have_sent_it(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(path: str, flags: int) -> int:
        raise OSError

    monkeypatch.setattr(os, "open", fail)
    assert not signals.terminal_could_send()
    monkeypatch.undo()
    monkeypatch.setattr(os, "open", lambda path, flags: os.dup(0))
    monkeypatch.setattr(termios, "tcgetattr", lambda fd: (_ for _ in ()).throw(termios.error))
    assert not signals.terminal_could_send()


@pytest.mark.usefixtures("blocked")
def test_what_nobody_has_waited_for_is_pending(monkeypatch: pytest.MonkeyPatch) -> None:
    assert NUMBER not in signals.pending()
    signal.pthread_kill(threading.get_ident(), NUMBER)
    assert NUMBER in signals.pending()
    monkeypatch.delattr(signal, "sigpending")
    assert signals.pending() == set()
    monkeypatch.undo()


def test_every_signal_has_a_name() -> None:
    assert signal_name(15) == "SIGTERM"
    assert signal_name(signal.SIGRTMIN + 2) == "SIGRTMIN+2"
    assert signal_name(1000) == "signal 1000"
    assert SI_KERNEL == 0x80
