"""Blocking work on a thread of its own, awaited by a task."""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Callable
from typing import Generic, TypeVar

import anyio
from anyio import from_thread
from anyio.lowlevel import current_token

T = TypeVar("T")


class Worker(Generic[T]):
    """Runs ``function`` on a daemon thread at once; :meth:`result` awaits what it returns.

    A daemon, unlike anyio's own worker threads: where a blocking call cannot be interrupted
    (Windows), it must not keep the interpreter from exiting. Not cancellable: whoever started
    the worker makes its function return.
    """

    def __init__(self, function: Callable[[], T], name: str) -> None:
        self._function = function
        self._done = anyio.Event()
        self._token = current_token()
        self._value: T | None = None
        self._error: BaseException | None = None
        self.thread = threading.Thread(target=self._run, daemon=True, name=name)
        self.thread.start()

    async def result(self) -> T:
        """What the function returned; raises what it raised."""
        await self._done.wait()
        if self._error is not None:
            raise self._error
        return self._value  # type: ignore[return-value] # set, where there was no error

    def _run(self) -> None:
        try:
            self._value = self._function()
        except BaseException as error:
            self._error = error
        # A loop that has closed meanwhile has nobody left who waits.
        with contextlib.suppress(RuntimeError):
            from_thread.run_sync(self._done.set, token=self._token)
