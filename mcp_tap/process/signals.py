"""The client's signals, passed on to the server at once.

They stay blocked in every thread and one thread waits for them: that loses none, needs no
handler, and on Linux tells who sent them.
"""

from __future__ import annotations

import os
import signal
import sys
import threading
from collections.abc import Callable

SI_KERNEL = 0x80
"""``si_code`` of what the kernel sends by itself, such as the terminal's ^C (sigaction(2))."""

OnSignal = Callable[[str, bool], None]
"""Called with the signal's name and whether it was passed on."""


class SignalWatch:
    """Waits for ``numbers`` on the calling thread and hands each to ``forward``.

    ``forward`` returns False if there is nobody left to get it. :meth:`run` returns after
    :meth:`stop`.
    """

    def __init__(self, numbers: set[int], forward: Callable[[int], bool], on_signal: OnSignal) -> None:
        self._numbers = numbers
        self._forward = forward
        self._on_signal = on_signal
        self._stopping = False
        self._thread: int | None = None
        self._running = threading.Event()

    def run(self) -> None:
        """Block and forward until stopped."""
        self._thread = threading.get_ident()
        self._running.set()
        while True:
            number, by_kernel = next_signal(self._numbers)
            if self._stopping:
                return
            forwarded = not (by_kernel and reached_the_group(number)) and self._forward(number)
            self._on_signal(signal_name(number), forwarded)

    def stop(self) -> None:
        """Make :meth:`run` return, from any thread."""
        self._stopping = True
        self._running.wait()
        assert self._thread is not None
        signal.pthread_kill(self._thread, signal.SIGUSR1)


def next_signal(numbers: set[int]) -> tuple[int, bool]:
    """Wait for one of ``numbers``; returns it, and whether the kernel itself has sent it."""
    if hasattr(signal, "sigwaitinfo"):
        info = signal.sigwaitinfo(numbers)
        return info.si_signo, info.si_code == SI_KERNEL
    number = int(signal.sigwait(numbers))  # macOS does not tell the sender
    return number, number in (signal.SIGINT, signal.SIGQUIT) and terminal_could_send()


def reached_the_group(number: int) -> bool:
    """Whether a signal of the kernel's went to the server as well, which shares the group.

    A terminal's signals do. A session leader is told alone that its terminal is gone, and a
    timer (SIGALRM) that the client has left behind is the tap's alone.
    """
    if number in (signal.SIGHUP, signal.SIGCONT):
        return os.getsid(0) != os.getpid()
    return number in (signal.SIGINT, signal.SIGQUIT, signal.SIGWINCH)


def terminal_could_send() -> bool:
    """Whether ^C at the terminal would be sent to the tap's process group just now.

    A client that has taken the terminal over (raw mode) sends its signals itself.
    """
    import termios

    try:
        terminal = os.open("/dev/tty", os.O_RDWR | os.O_NOCTTY)
    except OSError:
        return False
    try:
        local_modes = termios.tcgetattr(terminal)[3]
        return bool(local_modes & termios.ISIG) and os.tcgetpgrp(terminal) == os.getpgrp()
    except (OSError, termios.error):
        return False
    finally:
        os.close(terminal)


def signal_name(number: int) -> str:
    """``SIGTERM``; ``SIGRTMIN+3`` for what has no name of its own."""
    try:
        return signal.Signals(number).name
    except ValueError:
        if sys.platform != "win32" and signal.SIGRTMIN < number < signal.SIGRTMAX:
            return f"SIGRTMIN+{number - signal.SIGRTMIN}"
        return f"signal {number}"
