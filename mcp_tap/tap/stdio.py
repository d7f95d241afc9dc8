"""The task group that owns a session's end: one task a stream, one for the server."""

from __future__ import annotations

import contextlib
from typing import TypeVar

import anyio
from anyio import from_thread
from anyio.lowlevel import current_token

from mcp_tap.record.schema import Stream
from mcp_tap.tap.session import Session, SessionEnd
from mcp_tap.tap.threads import Worker

STOP_GRACE = 2.0
"""Seconds that a server gets to end by itself when the recording may not go on without its log.

What the official SDKs give it."""

T = TypeVar("T")


async def oversee(session: Session) -> SessionEnd:
    """Wait until the server has ended and its output is drained."""
    async with anyio.create_task_group() as tasks:
        for name in session.pumps:
            tasks.start_soon(follow_pump, session, name)
        await result_of(session.server_end)
    return session.finish()


async def follow_pump(session: Session, name: Stream) -> None:
    """Wait for a stream's end; end the session if it may not go on unrecorded."""
    end = await result_of(session.pumps[name])
    if end.refused and not session.ended:
        await stop_server(session)


async def stop_server(session: Session) -> None:
    """End the session step by step, as a client would."""
    if "c2s" in session.links:
        session.links["c2s"].stop()
    session.server.terminate()
    with anyio.move_on_after(STOP_GRACE):
        await result_of(session.server_end)
    if not session.ended:
        session.server.kill()


async def result_of(worker: Worker[T]) -> T:
    """What the worker's function returned; raises what it raised."""
    ended, token = anyio.Event(), current_token()

    def tell() -> None:
        # A loop that has closed meanwhile has nobody left who waits.
        with contextlib.suppress(RuntimeError):
            from_thread.run_sync(ended.set, token=token)

    if worker.when_ended(tell):
        await ended.wait()
    return worker.value()
