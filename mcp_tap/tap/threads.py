"""Blocking work on a thread of its own, and the signs by which threads tell what has happened."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Generic, TypeVar

T = TypeVar("T")

STACK = 1024 * 1024
"""Bytes of a thread's stack, where the system's default of eight times that may be all that a limit
(``ulimit -v``) leaves to the tap. A line of JSON, nested as deeply as it may be, takes a tenth."""


class Latch:
    """Something that happens once: whoever asked for it is called, on the thread that opens it."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._calls: list[Callable[[], object]] = []
        self._event = threading.Event()

    def open(self) -> None:
        """It has happened. Repeating it is harmless."""
        with self._lock:
            self._event.set()
            calls, self._calls = self._calls, []
        for call in calls:
            call()

    @property
    def is_open(self) -> bool:
        """Whether it has happened."""
        return self._event.is_set()

    def wait(self, seconds: float | None = None) -> bool:
        """Wait for it on this thread, for so long at most if that is told; whether it has happened."""
        return self._event.wait(seconds)

    def when_open(self, call: Callable[[], object]) -> None:
        """Have ``call`` called once it happens, at once if it has."""
        with self._lock:
            if not self.is_open:
                self._calls.append(call)
                return
        call()


class Worker(Generic[T]):
    """Runs ``function`` on a daemon thread at once, and then ``on_end``, also if it has raised.

    A daemon: where a blocking call cannot be interrupted (Windows), it must not keep the
    interpreter from exiting. Not cancellable: whoever started the worker makes its function return.
    """

    def __init__(
        self, function: Callable[[], T], name: str, on_end: Callable[[Worker[T]], object] = bool
    ) -> None:
        self._function = function
        self._on_end = on_end
        self._value: T | None = None
        self.error: BaseException | None = None
        """What the function has raised."""
        self._done = False
        threading.stack_size(STACK)
        self.thread = threading.Thread(target=self._run, daemon=True, name=name)
        self.thread.start()

    def value(self) -> T:
        """Wait for the function's end; returns what it returned, raises what it raised."""
        if not self._done:
            self.thread.join()
        if self.error is not None:
            raise self.error
        return self._value  # type: ignore[return-value] # set, where there was no error

    def _run(self) -> None:
        try:
            self._value = self._function()
        except BaseException as error:
            self.error = error
        self._done = True
        self._on_end(self)
