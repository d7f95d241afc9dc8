"""Blocking work, awaited."""

from __future__ import annotations

import threading

import anyio
import pytest

from mcp_tap.tap.threads import Worker
from tests.harness import LIMIT

pytestmark = pytest.mark.anyio


async def test_a_workers_value_is_awaited() -> None:
    assert await Worker(lambda: 7, "seven").result() == 7


async def test_what_a_worker_raises_is_raised_where_it_is_awaited() -> None:
    def fail() -> int:
        raise ZeroDivisionError

    worker = Worker(fail, "fails")
    with pytest.raises(ZeroDivisionError):
        await worker.result()


def test_a_worker_that_outlives_its_loop_ends_quietly() -> None:
    go = threading.Event()
    started: list[Worker[bool]] = []

    async def leave() -> None:
        started.append(Worker(lambda: go.wait(LIMIT), "late"))

    anyio.run(leave)
    go.set()
    started[0].thread.join(LIMIT)
    assert not started[0].thread.is_alive()
