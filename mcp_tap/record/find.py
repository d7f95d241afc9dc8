"""Which recording the user means: a file, a directory, a session, a server, or nothing."""

from __future__ import annotations

import contextlib
import os
from dataclasses import dataclass
from typing import NamedTuple

from mcp_tap.errors import TapError, one_line
from mcp_tap.record.paths import SUFFIX, default_directory, safe_name
from mcp_tap.record.reader import Record, read_record, read_records


@dataclass(frozen=True, slots=True)
class RecordingLocation:
    """A recording file, and the one session in it that is meant (None: all)."""

    path: str
    session: str | None = None


def find_recordings(
    what: str | None, directory: str | None = None, *, every: bool = False
) -> list[RecordingLocation]:
    """The recordings that ``what`` names, oldest first.

    A file; a directory (all in it); a session id, or the beginning or end of one; the name of a server,
    for the session of it that started last (for all of them with ``every``). Ids and names are looked for
    in ``directory``, which is by default where ``run`` puts recordings; None stands for the newest one
    there. What comes first here wins. Raises :class:`TapError` where there is none, or more than one
    session fits.
    """
    if what == "":
        raise TapError("the recording's name is empty: specify a file, a directory, a session id or a server")
    place = directory or default_directory()
    if what is None:
        paths = recordings_in(place)
        if not paths:
            raise TapError(
                f"no recordings in {place} yet: start a server with mcp-tap run, or try mcp-tap demo"
            )
        return [RecordingLocation(paths[-1])]
    if os.path.isdir(what):
        if places := [RecordingLocation(path) for path in recordings_in(what)]:
            return places
    elif os.path.exists(what):
        return [RecordingLocation(what)]
    return find_sessions(what, place, every)


def find_sessions(what: str, place: str, every: bool) -> list[RecordingLocation]:
    """The session whose id begins or ends with ``what``, else the newest of the server ``what``.

    A few characters may end an id by chance: a server of that name comes before these. Raises
    :class:`TapError`.
    """
    known = [each for path in recordings_in(place) for each in sessions_of(path)]
    fitting = [each for each in known if each.session.startswith(what) or each.session.endswith(what)]
    ids = {each.session for each in fitting}
    if what in ids or (len(ids) == 1 and len(what) >= SURE):
        session = what if what in ids else fitting[0].session
        path = next(each.path for each in reversed(fitting) if each.session == session)
        return [RecordingLocation(path, session)]
    if named := [each for each in known if each.may_be(what) and each.begun.name == what]:
        named.sort(key=lambda each: each.begun.ts)
        return [RecordingLocation(each.path, each.session) for each in (named if every else named[-1:])]
    if len(ids) == 1:
        return [RecordingLocation(fitting[-1].path, fitting[-1].session)]
    if ids:
        some = ", ".join(sorted(ids)[:NAMED]) + (", …" if len(ids) > NAMED else "")
        raise TapError(f"{what} matches {len(ids)} sessions ({some}): use more of the id")
    if os.path.isdir(what):
        raise TapError(f"no recordings (*{SUFFIX}) in {what}")
    kinds = "a file, a directory, the id of a session or the name of a server"
    raise TapError(f"{one_line(what)} is not {kinds} in {place}{nearest(what, known)}")


def nearest(what: str, known: list[KnownSession]) -> str:
    """What may have been meant, as the end of a sentence."""
    import difflib  # only who has mistyped something waits for it

    names = {name.casefold(): name for each in known if (name := each.begun.name)}
    words = {**{each.session: each.session for each in known}, **names}
    near = difflib.get_close_matches(what.casefold(), words, 1)
    if near:
        return f": did you mean {one_line(words[near[0]])}?"
    some = ", ".join(map(one_line, sorted(names.values())[:NAMED])) + (", …" if len(names) > NAMED else "")
    return f" (servers there: {some})" if names else ""


def recordings_in(directory: str) -> list[str]:
    """The recordings directly in ``directory``, oldest first: names sort by start, else by change."""
    try:
        with os.scandir(directory) as entries:
            files = [entry.path for entry in entries if entry.name.endswith(SUFFIX) and may_be_file(entry)]
    except FileNotFoundError:
        return []
    except OSError as error:
        raise TapError(f"cannot search {one_line(directory)} for recordings: {error.strerror}") from None
    return sorted(files, key=lambda path: (changed_ns(path), path))


def may_be_file(entry: os.DirEntry[str]) -> bool:
    """Whether it is one; a link that leads round in a circle is for the verb that opens it to tell of."""
    try:
        return entry.is_file()
    except OSError:
        return True


def changed_ns(path: str) -> int:
    """When a file was last written to; 0 for one that is gone meanwhile."""
    try:
        return os.stat(path).st_mtime_ns
    except OSError:
        return 0


def sessions_of(path: str) -> list[KnownSession]:
    """The sessions in a file: from its name where ``run`` has named it, else by reading it."""
    stem, _, session = os.path.basename(path).removesuffix(SUFFIX).rpartition("-")
    if len(session) == SESSION_LENGTH and session.isalnum():
        return [KnownSession(path, session, stem)]
    try:
        with open(path, "rb") as file:
            records = (item for item in read_records(file) if isinstance(item, Record))
            first: dict[str, Begun] = {}
            for each in records:
                if each.session not in first or each.event == "start":
                    first[each.session] = Begun.of(each)
    except OSError:
        return []  # the verb that wants this very file will say so
    return [KnownSession(path, session, None, begun) for session, begun in first.items()]


class Begun(NamedTuple):
    """What the first record of a session says: its time, and the server's name."""

    ts: str = ""
    name: str | None = None

    @classmethod
    def of(cls, record: Record) -> Begun:
        """What ``record`` says, if it is the first one of its session."""
        name = record.fields.get("name") if record.event == "start" else None
        return cls(record.ts, name if isinstance(name, str) else None)


@dataclass(slots=True)
class KnownSession:
    """A session in a file; ``stem`` is what ``run`` has named the file, up to the session's id."""

    path: str
    session: str
    stem: str | None
    read: Begun | None = None

    def may_be(self, name: str) -> bool:
        """Whether the file's name allows that the server is called ``name``: it is not opened for that."""
        return self.stem is None or self.stem.endswith(safe_name(name))

    @property
    def begun(self) -> Begun:
        """What its first record says. Of a file that cannot be read, nothing."""
        if self.read is None:
            self.read = Begun()
            with contextlib.suppress(OSError, TapError), open(self.path, "rb") as file:
                record = read_record(file.readline(), 1)
                if isinstance(record, Record):
                    self.read = Begun.of(record)
        return self.read


NAMED = 4
"""Sessions, or servers, that a sentence names."""

SURE = 4
"""Characters of an id that are not there by chance: ``sessions`` shows as many."""

SESSION_LENGTH = 16
"""Characters of a session id: see ``schema.new_session_id``."""
