"""Blocking work, waited for with and without an event loop."""

from __future__ import annotations

import threading

import anyio
import pytest

from mcp_tap.tap.stdio import result_of
from mcp_tap.tap.threads import Worker
from tests.harness import LIMIT


def fail() -> int:
    raise ZeroDivisionError


@pytest.mark.anyio
async def test_a_workers_value_is_awaited() -> None:
    assert await result_of(Worker(lambda: 7, "seven")) == 7


@pytest.mark.anyio
async def test_what_a_worker_raises_is_raised_where_it_is_awaited() -> None:
    worker = Worker(fail, "fails")
    with pytest.raises(ZeroDivisionError):
        await result_of(worker)


@pytest.mark.anyio
async def test_several_tasks_may_await_one_worker_before_and_after_its_end() -> None:
    go = threading.Event()
    worker = Worker(lambda: go.wait(LIMIT), "gate")
    with anyio.fail_after(LIMIT):
        async with anyio.create_task_group() as tasks:
            for _ in range(3):
                tasks.start_soon(result_of, worker)
            await anyio.lowlevel.checkpoint()
            go.set()
        assert await result_of(worker)


def test_without_an_event_loop_a_workers_value_is_waited_for() -> None:
    go = threading.Event()
    worker = Worker(lambda: go.wait(LIMIT), "gate")
    threading.Timer(0.01, go.set).start()
    assert worker.value()
    with pytest.raises(ZeroDivisionError):
        Worker(fail, "fails").value()


def test_a_worker_that_outlives_its_loop_ends_quietly() -> None:
    go = threading.Event()
    worker = Worker(lambda: go.wait(LIMIT), "late")

    async def leave() -> None:
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(result_of, worker)
            await anyio.lowlevel.checkpoint()
            tasks.cancel_scope.cancel()

    anyio.run(leave)
    go.set()
    worker.thread.join(LIMIT)
    assert not worker.thread.is_alive()
