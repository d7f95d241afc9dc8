"""Which recording the user means: a file, a directory, a session, or nothing."""

from __future__ import annotations

import os
from dataclasses import dataclass

from mcp_tap.errors import TapError, one_line
from mcp_tap.record.paths import SUFFIX, default_directory
from mcp_tap.record.reader import Record, read_records


@dataclass(frozen=True, slots=True)
class RecordingLocation:
    """A recording file, and the one session in it that is meant (None: all)."""

    path: str
    session: str | None = None


def find_recordings(what: str | None, directory: str | None = None) -> list[RecordingLocation]:
    """The recordings that ``what`` names, oldest first.

    A file; a directory (all in it); a session id, or the beginning or end of one, looked for in
    ``directory``; None for the newest in ``directory``, which is by default where ``run`` puts
    recordings. Raises :class:`TapError` where there is none, or more than one session fits.
    """
    if what == "":
        raise TapError("the recording's name is empty: specify a file, a directory or a session id")
    if what is not None:
        if os.path.isdir(what):
            places = [RecordingLocation(path) for path in recordings_in(what)]
            if not places:
                raise TapError(f"no recordings (*{SUFFIX}) in {what}")
            return places
        if os.path.exists(what):
            return [RecordingLocation(what)]
    place = directory or default_directory()
    paths = recordings_in(place)
    if what is None:
        if not paths:
            raise TapError(
                f"no recordings in {place} yet: start a server with mcp-tap run, or try mcp-tap demo"
            )
        return [RecordingLocation(paths[-1])]
    return [find_session(what, paths, place)]


def find_session(prefix: str, paths: list[str], place: str) -> RecordingLocation:
    """The one session whose id begins or ends with ``prefix``. Raises :class:`TapError`."""
    found = {
        session: path
        for path in paths
        for session in sessions_of(path)
        if session.startswith(prefix) or session.endswith(prefix)
    }
    if not found:
        raise TapError(f"{prefix} is not a file, a directory or the id of a session in {place}")
    if len(found) > 1 and prefix not in found:
        some = ", ".join(sorted(found)[:NAMED]) + (", …" if len(found) > NAMED else "")
        raise TapError(f"{prefix} matches {len(found)} sessions ({some}): use more of the id")
    session = prefix if prefix in found else next(iter(found))
    return RecordingLocation(found[session], session)


def recordings_in(directory: str) -> list[str]:
    """The recordings directly in ``directory``, oldest first: names sort by start, else by change."""
    try:
        with os.scandir(directory) as entries:
            files = [entry.path for entry in entries if entry.name.endswith(SUFFIX) and entry.is_file()]
    except FileNotFoundError:
        return []
    except OSError as error:
        raise TapError(f"cannot search {one_line(directory)} for recordings: {error.strerror}") from None
    return sorted(files, key=lambda path: (changed_ns(path), path))


def changed_ns(path: str) -> int:
    """When a file was last written to; 0 for one that is gone meanwhile."""
    try:
        return os.stat(path).st_mtime_ns
    except OSError:
        return 0


def sessions_of(path: str) -> list[str]:
    """The sessions in a file: from its name where ``run`` has named it, else by reading it."""
    stem = os.path.basename(path).removesuffix(SUFFIX).rpartition("-")[2]
    if len(stem) == SESSION_LENGTH and stem.isalnum():
        return [stem]
    with open(path, "rb") as file:
        return list(dict.fromkeys(item.session for item in read_records(file) if isinstance(item, Record)))


NAMED = 4
"""Sessions that a sentence names where several match."""

SESSION_LENGTH = 16
"""Characters of a session id: see ``schema.new_session_id``."""
