"""What a member of the group has got, told without a guess."""

from __future__ import annotations

import functools
import os
import signal
import traceback
from collections.abc import Callable, Iterator

import pytest

from mcp_tap.process import sentinel
from mcp_tap.process.sentinel import Memory, Sentinel

NUMBERS = {int(signal.SIGUSR1), int(signal.SIGUSR2), int(signal.SIGRTMIN + 1)}
ME = os.getpid()


def alone(body: Callable[..., None]) -> Callable[..., None]:
    """Play a test in a process of one thread, with the signals blocked as the sentinel has them.

    A signal to a process with other threads would be theirs, and the process's end.
    """

    @functools.wraps(body)
    def play(*args: object, **named: object) -> None:
        child = os.fork()
        if child == 0:
            signal.pthread_sigmask(signal.SIG_BLOCK, NUMBERS)
            try:
                body(*args, **named)
            except BaseException:
                traceback.print_exc()
                os._exit(1)
            os._exit(0)
        assert os.waitpid(child, 0)[1] == 0

    return play


@alone
def test_a_signal_that_has_come_is_known_once_by_number_code_and_sender() -> None:
    memory = Memory(NUMBERS)
    me = os.getpid()
    for _ in range(2):
        os.kill(me, signal.SIGUSR1)
        assert not memory.has(signal.SIGUSR2, 0, me)
        assert memory.has(signal.SIGUSR1, 0, me)
        assert not memory.has(signal.SIGUSR1, 0, me)


@pytest.mark.parametrize(("code", "sender"), [(0, 1), (-6, 0)])
@alone
def test_a_copy_of_another_signal_is_no_answer_and_does_not_stay(code: int, sender: int) -> None:
    memory, me = Memory(NUMBERS), os.getpid()
    os.kill(me, signal.SIGUSR1)
    assert not memory.has(signal.SIGUSR1, code, me + sender)
    assert not memory.has(signal.SIGUSR1, 0, me)


@alone
def test_what_is_forgotten_is_no_answer_and_others_stay() -> None:
    memory = Memory(NUMBERS)
    me = os.getpid()
    os.kill(me, signal.SIGUSR1)
    os.kill(me, signal.SIGUSR2)
    assert memory.forget(signal.SIGUSR1)
    assert not memory.forget(signal.SIGUSR1)
    assert not memory.has(signal.SIGUSR1, 0, me)
    assert memory.has(signal.SIGUSR2, 0, me)


@alone
def test_real_time_signals_queue_and_are_known_as_often_as_they_came() -> None:
    memory, number, me = Memory(NUMBERS), int(signal.SIGRTMIN + 1), os.getpid()
    for _ in range(2):
        os.kill(me, number)
    assert [memory.has(number, 0, me) for _ in range(3)] == [True, True, False]


@pytest.fixture
def member() -> Iterator[Sentinel]:
    """A sentinel that shares this process's group, guarding a child that waits."""
    made = Sentinel.fork(NUMBERS)
    assert made is not None
    child = os.fork()
    if child == 0:
        signal.pause()
        os._exit(0)
    made.guard(child)
    yield made
    made.dismiss()
    made.dismiss()
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)


def test_it_answers_for_itself(member: Sentinel) -> None:
    assert member.shared((signal.SIGUSR1, 0, ME)) is False
    os.kill(member.pid, signal.SIGUSR1)
    assert member.shared((signal.SIGUSR1, 0, ME)) is True
    os.kill(member.pid, signal.SIGUSR1)
    member.forget(signal.SIGUSR1)
    assert member.shared((signal.SIGUSR1, 0, ME)) is False


def test_what_came_before_the_server_has_not_reached_it(member: Sentinel) -> None:
    os.kill(member.pid, signal.SIGUSR1)
    member._early = {int(signal.SIGUSR1)}
    assert member.shared((signal.SIGUSR1, 0, ME)) is False
    member.forget(signal.SIGUSR1)
    os.kill(member.pid, signal.SIGUSR1)
    assert member.shared((signal.SIGUSR1, 0, ME)) is True


def test_one_that_is_stopped_or_dead_or_speaks_of_another_group_does_not_answer(
    member: Sentinel, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patch:
        patch.setattr(os, "getpgid", lambda pid: -1)
        assert member.shared((signal.SIGUSR1, 0, ME)) is None
    monkeypatch.setattr(sentinel, "ANSWER_WITHIN_MS", 20)
    os.kill(member.pid, signal.SIGSTOP)
    os.waitpid(member.pid, os.WUNTRACED)
    assert member.shared((signal.SIGUSR1, 0, ME)) is None
    monkeypatch.setattr(sentinel, "ANSWER_WITHIN_MS", 1 << 30)  # it is not waited for a second time
    assert member.shared((signal.SIGUSR1, 0, ME)) is None
    monkeypatch.setattr(sentinel, "ANSWER_WITHIN_MS", 20_000)
    os.kill(member.pid, signal.SIGKILL)
    os.waitid(os.P_PID, member.pid, os.WEXITED | os.WNOWAIT)
    assert member.shared((signal.SIGUSR1, 0, ME)) is None


def test_where_senders_are_not_told_it_is_not_asked(
    member: Sentinel, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delattr("mcp_tap.process.sentinel._signal.sigtimedwait")
    os.kill(member.pid, signal.SIGUSR1)
    assert member.shared((signal.SIGUSR1, 0, ME)) is None


def test_without_a_descriptor_or_a_process_left_there_is_none(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail() -> int:
        raise BlockingIOError

    monkeypatch.setattr(os, "fork", fail)
    assert Sentinel.fork(NUMBERS) is None
