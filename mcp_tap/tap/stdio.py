"""The task group that owns a session, as soon as there is one."""

from __future__ import annotations

import asyncio
import contextlib

import anyio

from mcp_tap.tap.session import TapSession
from mcp_tap.tap.threads import Latch

STOP_GRACE = 2.0
"""Seconds that a server gets to end by itself when the recording may not go on without its log.

What the official SDKs give it."""


async def oversee(session: TapSession) -> None:
    """Wait until the server has ended and its output is drained."""
    async with anyio.create_task_group() as tasks:
        tasks.start_soon(end_if_refused, session)
        await opened(session.over)
        tasks.cancel_scope.cancel()


async def end_if_refused(session: TapSession) -> None:
    """End a session that may not go on unrecorded step by step, as a client would."""
    await opened(session.refused)
    if session.ended:
        return
    if "c2s" in session.links:
        session.links["c2s"].stop()
    session.server.terminate()
    with anyio.move_on_after(STOP_GRACE):
        await opened(session.server_gone)
    if not session.ended:
        session.server.kill()


async def opened(latch: Latch) -> None:
    """Wait for a latch that a thread opens."""
    # Not by way of anyio.from_thread, which waits for the loop's answer: at a session's end all
    # threads would queue for the interpreter, and the client for them.
    event, loop = anyio.Event(), asyncio.get_running_loop()

    def tell() -> None:
        with contextlib.suppress(RuntimeError):  # a closed loop has nobody left who waits
            loop.call_soon_threadsafe(event.set)

    latch.when_open(tell)
    await event.wait()
