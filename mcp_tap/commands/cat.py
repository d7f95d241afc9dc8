"""``mcp-tap cat``: the raw bytes of one direction, exactly as they passed."""

from __future__ import annotations

import contextlib
import os
import shutil
import stat
import sys
import tempfile
from collections.abc import Iterator
from typing import BinaryIO

from mcp_tap.errors import ExitStatus, TapError, one_line
from mcp_tap.process.own_streams import warn_stderr
from mcp_tap.record.find import RecordingLocation, find_recordings
from mcp_tap.record.reader import Record, read_records
from mcp_tap.record.schema import Stream


def cat(
    what: str | None,
    stream: Stream,
    *,
    session: str | None = None,
    log_dir: str | None = None,
    out: BinaryIO | None = None,
) -> int:
    """Write the bytes of ``stream`` to ``out`` (default: stdout).

    Returns 0, or 1 with a word on stderr if the recording says that bytes are missing. Raises
    :class:`TapError` where nothing or more than one session is meant.
    """
    places = find_recordings(what, log_dir)
    if len(places) > 1:
        raise TapError(f"{what} contains {len(places)} recordings, but cat writes only one: name the file")
    with regular(places[0].path) as path:
        place = RecordingLocation(path, places[0].session)
        if place.session is None:
            place = the_session(place, session)
        return copy_stream(place, stream, out or sys.stdout.buffer)


@contextlib.contextmanager
def regular(path: str) -> Iterator[str]:
    """A file that can be read twice, as a recording has to be: a pipe's content is copied to one."""
    try:
        if stat.S_ISREG(os.stat(path).st_mode):
            yield path
            return
        with tempfile.NamedTemporaryFile() as copy, open(path, "rb") as pipe:
            shutil.copyfileobj(pipe, copy)
            copy.flush()
            yield copy.name
    except OSError as error:
        if error.filename != path:
            raise
        raise TapError(f"cannot read {one_line(path)}: {error.strerror}") from None


def the_session(place: RecordingLocation, prefix: str | None) -> RecordingLocation:
    """``place`` with its one session, or the one that ``prefix`` fits. Raises :class:`TapError`."""
    try:
        with open(place.path, "rb") as file:
            sessions = dict.fromkeys(item.session for item in read_records(file) if isinstance(item, Record))
    except OSError as error:
        raise TapError(f"cannot read {one_line(place.path)}: {error.strerror}") from None
    if not sessions:
        raise TapError(f"{place.path} contains no records: is it a recording?")
    fitting = [name for name in sessions if name.startswith(prefix or "")]
    if len(fitting) != 1:
        names = ", ".join(fitting or sessions)
        how = "none of them matches" if prefix and not fitting else "choose one with --session"
        raise TapError(f"{place.path} contains {len(sessions)} sessions ({names}): {how}")
    return RecordingLocation(place.path, fitting[0])


def copy_stream(place: RecordingLocation, stream: Stream, out: BinaryIO) -> int:
    """Write one session's stream; says on stderr what is known to be missing."""
    missing: list[str] = []
    with open(place.path, "rb") as file:
        for item in read_records(file):
            if not isinstance(item, Record):
                missing.append(f"line {item.number} was skipped ({item.reason})")
            elif item.session == place.session:
                if item.dir == stream:
                    out.write(item.payload + item.eol)
                elif item.event == "gap":
                    missing.append(f"{item.fields.get('records')} records that could not be written")
                elif item.event == "limit":
                    missing.append(f"everything after the size limit of {item.fields.get('bytes')} bytes")
    out.flush()
    for sentence in missing:
        warn_stderr(f"{place.path}: missing: {sentence}")
    return ExitStatus.FINDINGS if missing else ExitStatus.OK
