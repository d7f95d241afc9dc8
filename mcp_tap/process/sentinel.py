"""A process beside the server that gets what its process group gets, and outlives the tap by a moment.

It is asked whether a signal of the tap's went to the whole group, and so to the server as well:
only the kernel knows, and it tells a member of the group by signalling it. It answers from its own
pending signals, so nothing is guessed from a clock. And it is the guardian: when the tap dies
without a word, it ends the server. Linux does that by itself but for a server that has changed its
user (setpriv, gosu), other systems do not.

Refused after trials: the server in a group of its own (a kill of the client's group would miss
what the server has started, and a terminal would stop it), and the tap in one of its own (which
a session's leader cannot have).

Imported before the server is started: imports nothing that costs time.
"""

from __future__ import annotations

import os

from mcp_tap.process.own_streams import open_descriptors

TYPE_CHECKING = False
if TYPE_CHECKING:
    import signal as _signal
    from typing import NoReturn
else:
    import _signal

ANSWER_WITHIN_MS = 200
"""Milliseconds for an answer, which takes 0.2, on a machine that is very busy. After that the signal
is passed on, since twice is better than never, and no other answer is waited for."""

SEVERAL = 1024
"""Bytes of orders or answers read at once; one has less than 64."""

Signal = tuple[int, int, int]
"""Number, ``si_code`` and sender, as ``siginfo_t`` has them: what two processes of a group get alike."""


class Sentinel:
    """The tap's side. ``fork`` before the server, ``guard`` as soon as there is one, ``dismiss`` at last."""

    def __init__(self, pid: int, asking: int, answers: int) -> None:
        self.pid = pid
        self._server: int | None = None
        self._early: set[int] = set()
        """What the tap had got before the server was there; the sentinel, which is older, has it too."""
        self._silent = False
        self._asking = asking
        self._answers = answers
        self._asked = 0
        self._heard = b""

    @classmethod
    def fork(cls, numbers: set[int]) -> Sentinel | None:
        """Start it, with ``numbers`` blocked by the caller; None where the system has nothing left for it."""
        pipes: list[int] = []
        try:
            pipes += os.pipe()
            pipes += os.pipe()
            pid = os.fork()
        except OSError:
            for fd in pipes:
                os.close(fd)
            return None
        asked, asking, answers, answering = pipes
        if pid == 0:  # pragma: no cover # it closes what would measure it
            stand_by(asked, answering, numbers)
        os.close(asked)
        os.close(answering)
        os.set_blocking(asking, False)
        return cls(pid, asking, answers)

    def guard(self, server: int) -> None:
        """From now on ``server``, just forked, is what signals are about, and what ends with the tap."""
        self._server = server
        self._early = {int(number) for number in _signal.sigpending()}
        self._order(b"guard %d\n" % server)

    def shared(self, signal: Signal) -> bool | None:
        """Whether the server has got ``signal`` as well; None if the sentinel does not answer.

        Each signal is asked for once; one that was not shared is to be forgotten as soon as it
        is passed on.
        """
        if signal[0] in self._early:
            self._early.remove(signal[0])
            return False
        return self._ask(b"ask", *signal) if self._in_our_group() else None

    def forget(self, number: int) -> None:
        """What the group has got of this signal up to now is dealt with.

        A copy that came too late for its question would be taken for the next signal, which
        would then reach nobody.
        """
        self._ask(b"forget", number)

    def end(self) -> None:
        """The server has ended: so may this, while the tap has other things to do."""
        os.kill(self.pid, _signal.SIGKILL)

    def dismiss(self) -> None:
        """See it gone before the tap's own end: nobody else may be told of it, or wait for it."""
        if not self.pid:
            return
        os.close(self._asking)
        os.close(self._answers)
        self.end()
        os.waitpid(self.pid, 0)
        self.pid = 0

    def _in_our_group(self) -> bool:
        try:
            return self._server is not None and os.getpgid(self._server) == os.getpgrp()
        except OSError:  # it is gone
            return False

    def _ask(self, verb: bytes, *values: int) -> bool | None:
        if not hasattr(_signal, "sigtimedwait"):
            return None
        self._asked += 1
        words = b" ".join(b"%d" % value for value in (self._asked, *values))
        return self._answer() if self._order(b"%s %s\n" % (verb, words)) else None

    def _order(self, order: bytes) -> bool:
        try:
            return os.write(self._asking, order) == len(order)
        except OSError:  # it is dead, or has been stopped for thousands of orders
            return False

    def _answer(self) -> bool | None:
        import select

        waiter = select.poll()
        waiter.register(self._answers, select.POLLIN)
        while True:
            *answers, self._heard = self._heard.split(b"\n")
            for number, verdict in (answer.split() for answer in answers):
                if int(number) == self._asked:  # or it is late
                    return verdict == b"yes"
            if not waiter.poll(0 if self._silent else ANSWER_WITHIN_MS):
                self._silent = True
                return None
            self._silent = False
            heard = os.read(self._answers, SEVERAL)
            if not heard:
                return None
            self._heard += heard


def stand_by(asked: int, answering: int, numbers: set[int]) -> NoReturn:  # pragma: no cover # as above
    """The sentinel's own life: from here to the tap's end."""
    memory = Memory(numbers)
    server = 0
    heard = b""
    try:
        _signal.pthread_sigmask(_signal.SIG_BLOCK, _signal.valid_signals())
        for fd in open_descriptors() or range(asked):
            if fd not in (asked, answering):
                close(fd)
        while part := os.read(asked, SEVERAL):
            *orders, heard = (heard + part).split(b"\n")
            for order in orders:
                verb, *words = order.split()
                values = list(map(int, words))
                if verb == b"guard":
                    server = values[0]
                    continue
                number, *signal = values
                found = memory.has(*signal) if verb == b"ask" else memory.forget(*signal)
                os.write(answering, b"%d %s\n" % (number, b"yes" if found else b"no"))
        if server:
            os.kill(server, _signal.SIGKILL)
    finally:
        os._exit(0)


def close(fd: int) -> None:  # pragma: no cover # as above
    """Close what may be closed already."""
    try:
        os.close(fd)
    except OSError:
        return


class Memory:
    """The signals that this process has got and that were not asked for yet."""

    def __init__(self, numbers: set[int]) -> None:
        self._numbers = numbers
        self._got: list[Signal] = []

    def has(self, *signal: int) -> bool:
        """Whether ``signal`` has come; what is left of its number is forgotten, but for queues.

        Only a real-time signal can have come twice. Of the others a copy from another sender
        stays behind where the tap's own was merged with one that it alone was sent.
        """
        self._take()
        found = signal in self._got
        if found and signal[0] >= getattr(_signal, "SIGRTMIN", 1 << 30):
            self._got.remove((signal[0], signal[1], signal[2]))
        else:
            self.forget(signal[0])
        return found

    def forget(self, number: int) -> bool:
        """Whatever has come of this number is dealt with; whether that was anything."""
        self._take()
        before = len(self._got)
        self._got = [each for each in self._got if each[0] != number]
        return len(self._got) < before

    def _take(self) -> None:
        wait = getattr(_signal, "sigtimedwait", None)
        while wait is not None and (info := wait(self._numbers, 0)) is not None:
            self._got.append((info.si_signo, info.si_code, info.si_pid))
