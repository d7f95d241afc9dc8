"""One direction from its source to its sink: record, then forward, to the stream's own end."""

from __future__ import annotations

from typing import NamedTuple

from mcp_tap.process.link import Link, SinkGone, Stopped
from mcp_tap.record.schema import First, Stream
from mcp_tap.tap.recorder import LogRefused
from mcp_tap.tap.stream import StreamRecorder

FEW_LINES = 4
"""Lines at most that are recorded and forwarded one by one; more are a batch, and stay one."""

FEW_BYTES = 16 * 1024
"""Bytes at most of such lines: together they fit in any pipe, so that each is still one write."""

FIRST_AT_EOF: dict[Stream, First] = {"c2s": "client-eof", "s2c": "server-eof"}
FIRST_AT_BROKEN_PIPE: dict[Stream, First] = {"s2c": "client-gone"}


class PumpEnd(NamedTuple):
    """How a stream ended: ``pipe_holders`` are processes that still held it when it was let go.

    ``pipe_holders`` is empty where the stream ended by itself, None where the system does not tell.
    ``refused``: the log could not be written, under ``--on-log-error stop``.
    """

    pipe_holders: frozenset[int] | None = frozenset()
    refused: bool = False


def pump(link: Link, stream: StreamRecorder) -> PumpEnd:
    """Copy until the source ends, the sink's reader goes away, or the link is stopped.

    Blocks; meant for a thread of its own. Both ends of the link are closed on return.
    """
    try:
        return copy(link, stream)
    except LogRefused:
        return PumpEnd(refused=True)
    finally:
        link.close_sink()
        link.close_source()


def parts_of(chunk: bytes) -> tuple[bytes, ...] | list[bytes]:
    """A few small lines each by itself, anything else as it came.

    Lines that were written one after the other would otherwise reach their reader in one
    piece, and some clients (the TypeScript SDK) then lose the last notification before a result.
    """
    if len(chunk) > FEW_BYTES or not 0 <= chunk.find(b"\n") < len(chunk) - 1:
        return (chunk,)
    if chunk.count(b"\n") > FEW_LINES:
        return (chunk,)
    *lines, rest = chunk.split(b"\n")
    parts = [line + b"\n" for line in lines]
    return [*parts, rest] if rest else parts


def copy(link: Link, stream: StreamRecorder) -> PumpEnd:
    """The loop itself: a chunk is recorded before any of it is forwarded."""
    recorder = stream.recorder
    chunk: bytes | None = None
    fed = 0
    """Bytes of the chunk that are recorded: of one that is forwarded line by line, some may not be."""
    try:
        while (chunk := link.receive(stream.patience)) != b"":
            if chunk is None:
                stream.silence()
                continue
            fed = 0
            for part in parts_of(chunk):
                stream.feed(part)
                fed += len(part)
                link.send(part)
    except SinkGone:
        # This has been written already; the next write is to fail as it would without the tap,
        # so the source is closed before anything else is done.
        left = (chunk or b"")[fed:] + link.drain_source()
        link.close_source()
        stream.undelivered(left)
        stream.end()
        recorder.event("broken_pipe", stream=stream.name)
        if stream.name in FIRST_AT_BROKEN_PIPE:
            recorder.ended_by(FIRST_AT_BROKEN_PIPE[stream.name])
        return PumpEnd()
    except Stopped as stopped:
        stream.undelivered((chunk or b"")[fed:] + link.drain_source())
        stream.end()
        return PumpEnd(pipe_holders=stopped.pipe_holders)
    stream.end()
    recorder.event("eof", stream=stream.name)
    if stream.name in FIRST_AT_EOF:
        recorder.ended_by(FIRST_AT_EOF[stream.name])
    return PumpEnd()
