"""One stream's chunks as records."""

from __future__ import annotations

import orjson

from mcp_tap.record.schema import CR, MessageFrame, Stream
from mcp_tap.tap.recorder import Recorder
from mcp_tap.wire.lines import Line, LineSplitter

SILENCE = 1.0
"""Seconds after which an unfinished line is recorded as it stands.

So that a server that waits at a prompt can be seen doing so; longer than any pause between
the chunks of one message."""


class StreamRecorder:
    """One stream's chunks as records. Used by one thread at a time."""

    def __init__(self, recorder: Recorder, name: Stream) -> None:
        self.name = name
        self.recorder = recorder
        self._given = 0
        self.byte_count = 0
        self._splitter = LineSplitter()
        self._json_allowed = name != "stderr"
        self._frame = MessageFrame(recorder.session, name)
        self.patience: float | None = None
        """Seconds of silence after which :meth:`silence` is due; None: never."""

    @property
    def line_count(self) -> int:
        """Lines so far: each counts where it ends, be it by a newline or by the stream."""
        return self._given - self._splitter.continued

    def feed(self, chunk: bytes) -> None:
        """Record the lines that ``chunk`` completes; call it before forwarding the chunk."""
        self.byte_count += len(chunk)
        if self._json_allowed and self._splitter.is_idle and chunk.find(b"\n") + 1 == len(chunk):
            message = chunk[:-1]
            if is_message(message):
                self._given += 1
                self.recorder.message(message, self._frame)
                return
        try:
            lines = self._splitter.feed(chunk)
            if lines:
                self._given += len(lines)
                self.recorder.lines(lines, self._json_allowed, self._frame.middle)
        except MemoryError:
            # The pipe may not fail with the log: a line that cannot be held is one that is lost.
            self._splitter = LineSplitter()
            self.recorder.lose_for_lack_of_memory()
        self.patience = SILENCE if self._splitter.unfinished else None

    def undelivered(self, data: bytes) -> None:
        """Record what the stream's reader never gets, after an event that says so."""
        if data:
            lines = data.count(b"\n") + (not data.endswith(b"\n"))
            self.recorder.event("undelivered", stream=self.name, lines=lines, bytes=len(data))
            self.feed(data)

    def silence(self) -> None:
        """Record an unfinished line as it stands."""
        self.patience = None
        self._record(self._splitter.silence())

    def end(self) -> None:
        """Record what the stream ended with, if not with a newline."""
        self.patience = None
        self._record(self._splitter.end())

    def _record(self, lines: list[Line]) -> None:
        if lines:
            self._given += len(lines)
            self.recorder.lines(lines, self._json_allowed, self._frame.middle)


def is_message(line: bytes) -> bool:
    """Whether a chunk's only line is strict JSON that ended in a bare newline."""
    try:
        orjson.loads(line)
    except orjson.JSONDecodeError:
        return False
    return line[-1] != CR
