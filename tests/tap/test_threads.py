"""Blocking work, and the signs by which threads tell what has happened."""

from __future__ import annotations

import threading

import anyio
import pytest

from mcp_tap.tap.stdio import opened
from mcp_tap.tap.threads import Latch, Worker
from tests.harness import LIMIT


def fail() -> int:
    raise ZeroDivisionError


def test_a_workers_value_is_waited_for() -> None:
    go = threading.Event()
    worker = Worker(lambda: go.wait(LIMIT), "gate")
    threading.Timer(0.01, go.set).start()
    assert worker.value()
    assert worker.value()


def test_what_a_worker_raises_is_raised_where_it_is_waited_for() -> None:
    with pytest.raises(ZeroDivisionError):
        Worker(fail, "fails").value()


def test_a_workers_end_is_told_once_on_its_thread_also_if_it_has_raised() -> None:
    ended: list[tuple[BaseException | None, bool]] = []
    for function in (int, fail):
        worker = Worker(
            function, "tells", lambda it: ended.append((it.error, threading.current_thread() is it.thread))
        )
        worker.thread.join(LIMIT)
    assert ended[0] == (None, True)
    assert isinstance(ended[1][0], ZeroDivisionError)


def test_whoever_asked_is_called_once_when_a_latch_opens_and_later_ones_at_once() -> None:
    latch, called = Latch(), list[str]()
    latch.when_open(lambda: called.append("before"))
    assert called == []
    latch.open()
    latch.open()
    latch.when_open(lambda: called.append("after"))
    assert called == ["before", "after"]


@pytest.mark.anyio
async def test_several_tasks_may_await_one_latch_before_and_after_it_opens() -> None:
    latch = Latch()
    with anyio.fail_after(LIMIT):
        async with anyio.create_task_group() as tasks:
            for _ in range(3):
                tasks.start_soon(opened, latch)
            await anyio.lowlevel.checkpoint()
            threading.Thread(target=latch.open).start()
        await opened(latch)


def test_a_latch_that_opens_after_the_loop_has_closed_opens_quietly() -> None:
    latch = Latch()

    async def leave() -> None:
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(opened, latch)
            await anyio.lowlevel.checkpoint()
            tasks.cancel_scope.cancel()

    anyio.run(leave)
    latch.open()
