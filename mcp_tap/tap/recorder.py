"""Chunk to line to record: stamped, numbered and written before the chunk is forwarded."""

from __future__ import annotations

import contextlib
import errno
import itertools
import os
import threading
import time
from collections.abc import Callable
from typing import Any

from mcp_tap.errors import one_line
from mcp_tap.record import schema
from mcp_tap.record.schema import First, MessageFrame
from mcp_tap.record.writer import RecordingFile
from mcp_tap.wire.lines import Line

CHECK_EVERY_NS = 1_000_000_000
"""Nanoseconds between looks whether the file is still there, and between attempts to open it.

A second: often enough not to lose much, seldom enough to cost nothing."""


class LogRefused(Exception):
    """Under ``stop``: a record could not be written, so nothing more may be forwarded."""


class Recorder:
    """Writes one session's records in the order of their numbers, from any thread.

    ``complain`` is called with one sentence when the log first fails. With ``stop`` set,
    a failure raises :class:`LogRefused` instead of being survived. ``max_size`` bounds the
    bytes of the session's records; None is no bound. The caller closes the recorder.
    """

    def __init__(
        self,
        file: RecordingFile,
        *,
        session: str,
        wall_ns: int,
        monotonic_ns: int,
        complain: Callable[[str], None],
        max_size: int | None = None,
        stop: bool = False,
    ) -> None:
        self.file = file
        self.session = session
        self._begun = (wall_ns, monotonic_ns)
        self._complain = complain
        self._max_size = max_size
        self._stop = stop
        self._lock = threading.Lock()
        self._seq = 0
        self._size = 0
        self._limited = False
        self._warned = False
        self._first_record = b""
        self._on_this_file = False
        self._sound = False
        """Nothing to be said before the next record, as far as was seen at the last look."""
        self._started = False
        self._lost = 0
        self._lost_bytes = 0
        self._lost_reason = ""
        self._checked = monotonic_ns - CHECK_EVERY_NS  # the first look is due at once
        self._first_at = 0.0
        self.first: First | None = None
        """What ended the session, once something has."""

    def start(self, fields: dict[str, Any]) -> None:
        """Record the session's first event, as of the moment the session began.

        Raises :class:`LogRefused` under ``stop``.
        """
        with self._lock:
            wall, _ = self._begun
            head = schema.head(wall, 0, self.session)
            self._first_record = self._numbered(head, schema.event_tail("start", fields))
            if not self._ready():
                self._lose([])
            self._started = True

    def event(self, event: str, *, at: tuple[int, int] | None = None, **fields: Any) -> None:
        """Record something that happened to the tap itself, now or ``at`` (wall, monotonic) ns.

        Never raises: where an event cannot be written, the next line cannot either.
        """
        with self._lock:
            ready = self._ready()
            record = self._numbered(self._head(at), schema.event_tail(event, fields))
            with contextlib.suppress(LogRefused):
                self._store(ready, [record], record)

    def ended_by(self, first: First) -> None:
        """Note what ended the session, unless something else has before."""
        if self.first is None:
            self.first = first
            self._first_at = time.monotonic()

    def settle(self, apparent: First, real: First, within: float) -> None:
        """What looked like one ending at most ``within`` seconds ago has turned out as another."""
        if self.first == apparent and time.monotonic() - self._first_at < within:
            self.first = real

    def lines(self, lines: list[Line], json_allowed: bool, middle: bytes) -> None:
        """Record lines that were completed at the same moment, now.

        ``middle`` is what their records say between ``seq`` and the payload. Raises
        :class:`LogRefused` under ``stop``.
        """
        with self._lock:
            self._record_lines(lines, json_allowed, middle)

    def message(self, message: bytes, frame: MessageFrame) -> None:
        """Record one line of strict JSON, now: what :meth:`lines` does, by the short way.

        Nearly every chunk is such a line, and both sides wait for it. Raises :class:`LogRefused`
        under ``stop``.
        """
        with self._lock:
            now = time.monotonic_ns()
            if self._sound and not self._limited and now - self._checked < CHECK_EVERY_NS:
                record = frame.record(time.time_ns(), now - self._begun[1], self._seq, message)
                if self._max_size is None or self._size + len(record) <= self._max_size:
                    self._seq += 1
                    written = self.file.append(record)
                    self._size += written
                    if written < len(record):
                        self._lose(self._unwritten([record], written))
                    return
            self._record_lines([message], True, frame.middle)

    def _record_lines(self, lines: list[Line], json_allowed: bool, middle: bytes) -> None:
        if self._limited:
            return
        ready, now = True, time.monotonic_ns()
        if not self._sound or now - self._checked >= CHECK_EVERY_NS:
            # What is said first was also said at its own, earlier moment.
            ready, now = self._ready(), time.monotonic_ns()
        head, seq = schema.head(time.time_ns(), now - self._begun[1], self.session), self._seq
        if json_allowed and schema.is_large_message(lines):
            self._record_large(ready, [b"%b%d%b" % (head, seq, middle), b'"msg":', lines[0], b"}\n"])
            return
        records: list[bytes] = []
        if json_allowed and schema.are_messages(lines):
            middle += b'"msg":'
            for message in lines:
                records.append(b"%b%d%b%b}\n" % (head, seq, middle, message))
                seq += 1
        else:
            for line in lines:
                body = schema.body(line, json_allowed=json_allowed)
                records.append(b"%b%d%b%b}\n" % (head, seq, middle, body))
                seq += 1
        self._seq = seq
        data = b"".join(records)
        if self._max_size is not None and self._size + len(data) > self._max_size:
            records = self._within_limit(records, self._max_size)
            data = b"".join(records)
        self._store(ready, records, data)

    def _record_large(self, ready: bool, parts: list[bytes]) -> None:
        """Record a message that is not to be copied. The lock is held."""
        self._seq += 1
        size = sum(map(len, parts))
        if not ready or (self._max_size is not None and self._size + size > self._max_size):
            record = b"".join(parts)
            records = [record] if not ready else self._within_limit([record], self._max_size or 0)
            self._store(ready, records, b"".join(records))
            return
        written = self.file.append_parts(parts)
        self._size += written
        if written < size:
            self._lose(self._unwritten([b"".join(parts)], written))

    def lose_for_lack_of_memory(self) -> None:
        """Account for a line that could not be held in memory; its size is not known any more."""
        with self._lock:
            self._seq += 1
            self._lost += 1
            self._sound = False
            self.file.error = OSError(errno.ENOMEM, os.strerror(errno.ENOMEM))
            self._lose([])

    def close(self) -> None:
        """Close the file; nothing may be recorded afterwards."""
        with self._lock:
            self.file.close()

    def _head(self, at: tuple[int, int] | None) -> bytes:
        wall, monotonic = at or (time.time_ns(), time.monotonic_ns())
        return schema.head(wall, monotonic - self._begun[1], self.session)

    def _numbered(self, head: bytes, tail: bytes) -> bytes:
        number, self._seq = self._seq, self._seq + 1
        return b"%b%d%b" % (head, number, tail)

    def _ready(self) -> bool:
        """Whether records can be appended now, after what must be said before them.

        That is the start record on a file that does not have it, and how much is missing
        after the log has failed. The lock is held.
        """
        self._sound = False
        if not self._file_is_there():
            return False
        if not self._on_this_file:
            if self._append([self._first_record], self._first_record):
                return False
            self.file.mark(self._first_record)
            self._on_this_file = True
        if self._lost:
            fields = {"records": self._lost, "bytes": self._lost_bytes, "reason": self._lost_reason}
            gap = self._numbered(self._head(None), schema.event_tail("gap", fields))
            if self._append([gap], gap):
                self._seq -= 1
                return False
            self._lost = self._lost_bytes = 0
        self._sound = True
        return True

    def _store(self, ready: bool, records: list[bytes], data: bytes) -> None:
        """Append ``records``, which joined are ``data``, or account for them as lost. The lock is held."""
        left = self._append(records, data) if ready else records
        if left:
            self._lose(left)

    def _append(self, records: list[bytes], data: bytes) -> list[bytes]:
        """Append what can be of ``records``, which joined are ``data``.

        Returns those that are not in the file; ``file.error`` says why.
        """
        written = self.file.append(data)
        self._size += written
        return [] if written == len(data) else self._unwritten(records, written)

    def _unwritten(self, records: list[bytes], written: int) -> list[bytes]:
        """Those of ``records`` that are not on file whole; what is there of one is taken off again."""
        ends = itertools.accumulate(map(len, records))
        whole = sum(end <= written for end in ends)
        fragment = written - sum(map(len, records[:whole]))
        if fragment:
            self.file.discard(fragment)
            self._size -= fragment
        return records[whole:]

    def _file_is_there(self) -> bool:
        now = time.monotonic_ns()
        if now - self._checked < CHECK_EVERY_NS:
            return self.file.is_open
        self._checked = now
        try:
            if not self.file.is_open:
                self.file.open()
                return True
            loss = self.file.loss()
            return loss is None or self._begin_anew(loss)
        except OSError as error:
            self.file.error = error
            return False

    def _begin_anew(self, loss: str) -> bool:
        """Open a file again that was removed or truncated: what it held counts as lost. Raises OSError."""
        self.file.close()
        self._on_this_file = False
        # All but the start record, which the file gets again.
        self._lost = self._seq - 1
        self._lost_bytes += self._size - len(self._first_record)
        self._lost_reason = f"the recording was {loss}"
        if self._stop:
            self.file.error = OSError(errno.ENOENT, self._lost_reason)
            return False
        self.file.open()
        more = "starting a new one" if loss == "removed" else "starting it again"
        self._warn_once(f"the recording {one_line(self.file.path)} was {loss}; {more}")
        return True

    def _lose(self, records: list[bytes]) -> None:
        self._sound = False
        error = self.file.error or OSError(errno.EIO, "nothing was written")
        what = refusal(self.file.path, error)
        self._lost += len(records)
        self._lost_bytes += sum(map(len, records))
        self._lost_reason = error.strerror or str(error)
        if self._stop:
            if self._started:
                # Now, while stderr is still open.
                self._warn_once(f"{what}; ending the session because of --on-log-error stop")
            raise LogRefused(what)
        self._warn_once(f"{what}; the session continues unrecorded")

    def _warn_once(self, sentence: str) -> None:
        if not self._warned:
            self._warned = True
            self._complain(sentence)

    def _within_limit(self, records: list[bytes], limit: int) -> list[bytes]:
        """The leading records that ``limit`` leaves room for, and a ``limit`` event."""
        room = limit - self._size
        kept = sum(end <= room for end in itertools.accumulate(map(len, records)))
        self._limited = True
        # The numbers of what is not recorded are given back: nothing is missing in between.
        self._seq -= len(records) - kept
        return [
            *records[:kept],
            self._numbered(self._head(None), schema.event_tail("limit", {"bytes": limit})),
        ]


def refusal(path: str, error: OSError) -> str:
    """Why the log failed, as the beginning of a sentence."""
    return f"cannot record to {one_line(path)}: {error.strerror or error}"
