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

from mcp_tap.process.sentinel import Sentinel, Signal

SI_KERNEL = 0x80
"""``si_code`` of what the kernel sends by itself, such as the terminal's ^C (sigaction(2))."""

STOP = getattr(signal, "SIGUSR1", 0)
"""What ends the watch, sent by the tap to its thread alone."""

UNKNOWN = 0
"""The sender where the system does not tell."""

OnSignal = Callable[[str, bool, bool], None]
"""Called with the signal's name, whether it was passed on, and whether its sender has sent it to all."""

OnArrival = Callable[[int], None]
"""Called with a signal's number before it can bring anything about."""


class SignalWatch:
    """Waits for ``numbers`` on the calling thread and hands each to ``forward``.

    ``forward`` returns False if there is nobody left to get it; it is not called for what the
    server has got as well. :meth:`run` returns after :meth:`stop`.
    """

    def __init__(
        self,
        numbers: set[int],
        sentinel: Sentinel | None,
        on_arrival: OnArrival,
        forward: Callable[[int], bool],
        on_signal: OnSignal,
    ) -> None:
        self._numbers = numbers
        self._sentinel = sentinel
        self._on_arrival = on_arrival
        self._forward = forward
        self._on_signal = on_signal
        self._stopping = False
        self._thread: int | None = None
        self._running = threading.Event()

    def run(self) -> None:
        """Block and forward until stopped; what has come by then is dealt with, too."""
        self._thread = threading.get_ident()
        self._running.set()
        while not self._is_stop(signal := next_signal(self._numbers)):
            self._deal_with(signal)
        # Once each: a client that never ceases must not keep the tap.
        for number in sorted(pending() & self._numbers):
            self._deal_with(next_signal({number}))

    def _is_stop(self, signal: Signal) -> bool:
        number, _, sender = signal
        return self._stopping and number == STOP and sender in (os.getpid(), UNKNOWN)

    def _deal_with(self, signal: Signal) -> None:
        number = signal[0]
        self._on_arrival(number)
        has_got = self._has_the_server_got(signal)
        forwarded = not has_got and self._forward(number)
        if forwarded and self._sentinel is not None:
            self._sentinel.forget(number)
        self._on_signal(signal_name(number), forwarded, has_got and signal[1] != SI_KERNEL)

    def _has_the_server_got(self, signal: Signal) -> bool:
        number, code, _ = signal
        if code == SI_KERNEL and number in OF_TERMINALS:
            # Certain by itself; pressed twice it may be one signal to the tap and two to the sentinel.
            if self._sentinel is not None:
                self._sentinel.forget(number)
            return True
        shared = None if self._sentinel is None else self._sentinel.shared(signal)
        return code == SI_KERNEL and reached_the_group(number) if shared is None else shared

    def stop(self) -> None:
        """Make :meth:`run` return, from any thread."""
        self._stopping = True
        self._running.wait()
        assert self._thread is not None
        signal.pthread_kill(self._thread, STOP)


def next_signal(numbers: set[int]) -> Signal:
    """Wait for one of ``numbers``; returns it with its sender, as far as the system tells."""
    if hasattr(signal, "sigwaitinfo"):
        info = signal.sigwaitinfo(numbers)
        return info.si_signo, info.si_code, info.si_pid
    number = int(signal.sigwait(numbers))  # macOS does not tell the sender
    by_terminal = number in (signal.SIGINT, signal.SIGQUIT) and terminal_could_send()
    return number, SI_KERNEL if by_terminal else 0, UNKNOWN


OF_TERMINALS = frozenset(
    getattr(signal, name) for name in ("SIGINT", "SIGQUIT", "SIGWINCH") if hasattr(signal, name)
)
"""What a terminal sends to its whole foreground group, always."""


def reached_the_group(number: int) -> bool:
    """Whether a signal of the kernel's went to the server as well, which shares the group.

    For where the sentinel cannot tell.

    A terminal's signals do. A session leader is told alone that its terminal is gone, and a
    timer (SIGALRM) that the client has left behind is the tap's alone.
    """
    if number in (signal.SIGHUP, signal.SIGCONT):
        return os.getsid(0) != os.getpid()
    return number in OF_TERMINALS


def pending() -> set[int]:
    """The signals that have come and that nobody has waited for yet; none where the system does not tell."""
    return {int(number) for number in signal.sigpending()} if hasattr(signal, "sigpending") else set()


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
