"""Blocking work on a thread of its own, waited for by a task or by whoever has no event loop yet."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Generic, TypeVar

T = TypeVar("T")


class Worker(Generic[T]):
    """Runs ``function`` on a daemon thread at once; :meth:`value` is what it returned.

    A daemon: where a blocking call cannot be interrupted (Windows), it must not keep the
    interpreter from exiting. Not cancellable: whoever started the worker makes its function return.
    """

    def __init__(self, function: Callable[[], T], name: str) -> None:
        self._function = function
        self._lock = threading.Lock()
        self._ended = False
        self._when_ended: list[Callable[[], object]] = []
        self._value: T | None = None
        self._error: BaseException | None = None
        self.thread = threading.Thread(target=self._run, daemon=True, name=name)
        self.thread.start()

    def value(self) -> T:
        """Wait for the function's end; returns what it returned, raises what it raised."""
        if not self._ended:  # or it may be waiting for whoever waits here: see when_ended
            self.thread.join()
        if self._error is not None:
            raise self._error
        return self._value  # type: ignore[return-value] # set, where there was no error

    def when_ended(self, call: Callable[[], object]) -> bool:
        """Have ``call`` called on the worker's thread at its end; False if that is past."""
        with self._lock:
            if not self._ended:
                self._when_ended.append(call)
            return not self._ended

    def _run(self) -> None:
        try:
            self._value = self._function()
        except BaseException as error:
            self._error = error
        with self._lock:
            self._ended = True
        for call in self._when_ended:
            call()
