"""A configuration file read, backed up, and replaced if nobody else has changed it meanwhile."""

from __future__ import annotations

import contextlib
import hashlib
import os
import stat
import tempfile
from dataclasses import dataclass

from mcp_tap.clients.tree import Broken
from mcp_tap.record.paths import default_directory

BOM = b"\xef\xbb\xbf"

LARGEST = 64 * 1024 * 1024
"""Bytes of a configuration: a dozen times the largest that has been seen."""

PRIVATE = 0o600
ANY_WRITE = stat.S_IWUSR | stat.S_IWGRP | stat.S_IWOTH

BACKUPS = "backups"
"""The directory of the backups, in the user's state directory, where the recordings are."""


class Changed(Exception):
    """Somebody else has changed the file since it was read; it was left as it is."""


@dataclass(frozen=True, slots=True)
class ConfigFile:
    """A file as it was read. ``path`` is what the user calls it, ``real`` where its bytes are."""

    path: str
    real: str
    data: bytes
    mode: int

    @property
    def bom(self) -> bytes:
        """The byte order mark, which is no part of the text."""
        return BOM if self.data.startswith(BOM) else b""

    @property
    def text(self) -> str:
        """What is in it. Raises :class:`Broken` where that is no UTF-8."""
        try:
            return self.data[len(self.bom) :].decode("utf-8")
        except UnicodeDecodeError as error:
            raise Broken(f"is not UTF-8 (byte {error.start})") from None


def read_config(path: str) -> ConfigFile:
    """Read ``path``, through symbolic links. Raises :class:`Broken`, and OSError as reading does."""
    real = os.path.realpath(path)
    with open(real, "rb", opener=_open_without_waiting) as file:
        status = os.fstat(file.fileno())
        if not stat.S_ISREG(status.st_mode):
            raise Broken("is no regular file")
        if status.st_size > LARGEST:
            raise Broken(f"is larger than {LARGEST >> 20} MiB")
        return ConfigFile(path, real, file.read(), stat.S_IMODE(status.st_mode))


def _open_without_waiting(path: str, flags: int) -> int:
    return os.open(path, flags | getattr(os, "O_NONBLOCK", 0))  # a named pipe without a writer


def replace(file: ConfigFile, text: str) -> None:
    """Put ``text`` in the place of what ``file`` holds, in one step, with its mode, owner and links.

    Raises :class:`Changed` if the file is not what was read, :class:`Broken` if it is read-only, and
    OSError as writing does; the file is then as it was. Between the last look at the file and the
    exchange a few microseconds remain in which another program's change would be lost: no system has
    a compare-and-swap for files.
    """
    if not file.mode & ANY_WRITE or not os.access(file.real, os.W_OK):
        raise Broken("is read-only")
    directory, name = os.path.split(file.real)
    descriptor, temporary = tempfile.mkstemp(prefix=f".{name}.", suffix=".mcp-tap", dir=directory)
    try:
        with open(descriptor, "wb") as out:
            out.write(file.bom + text.encode("utf-8"))
            out.flush()
            keep_owner_and_mode(descriptor, file)
            os.fsync(descriptor)
        if not is_unchanged(file):
            raise Changed
        os.replace(temporary, file.real)
    except BaseException:
        with contextlib.suppress(OSError):
            os.unlink(temporary)
        raise
    sync_directory(directory)


def keep_owner_and_mode(descriptor: int, file: ConfigFile) -> None:
    """Give the new file what the old one has, as far as this user may."""
    if os.name == "posix":
        status = os.stat(file.real)
        with contextlib.suppress(PermissionError):
            os.fchown(descriptor, status.st_uid, status.st_gid)
        os.fchmod(descriptor, file.mode)


def is_unchanged(file: ConfigFile) -> bool:
    """Whether the file is still what was read."""
    try:
        again = read_config(file.path)
    except (OSError, Broken):
        return False
    return again.real == file.real and again.data == file.data


def sync_directory(directory: str) -> None:
    """Let the exchange survive a power failure, where the system can be asked for that."""
    if os.name != "posix":
        return
    with contextlib.suppress(OSError):  # done it is in any case
        descriptor = os.open(directory, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)


def backup_path(file: ConfigFile) -> str:
    """Where the one backup of a file lies."""
    digest = hashlib.sha256(os.fsencode(file.real)).hexdigest()[:12]
    return os.path.join(default_directory(), BACKUPS, f"{digest}-{os.path.basename(file.real)}")


def back_up(file: ConfigFile, *, is_first: bool) -> str:
    """Keep what was read, for its owner alone; returns where.

    ``is_first``: the tap is not in the file yet, so that whatever lies there is of the past. Otherwise
    what lies there stays, since it is older than the tap. Raises OSError.
    """
    from mcp_tap.record.writer import make_private_directory

    path = backup_path(file)
    if not is_first and os.path.exists(path):
        return path
    make_private_directory(os.path.dirname(path))
    descriptor, temporary = tempfile.mkstemp(prefix=".", dir=os.path.dirname(path))  # created as 0600
    try:
        with open(descriptor, "wb") as out:
            out.write(file.data)
            out.flush()
            os.fsync(descriptor)
        os.replace(temporary, path)
    except BaseException:
        with contextlib.suppress(OSError):
            os.unlink(temporary)
        raise
    return path


def drop_backup(file: ConfigFile, text: str) -> str | None:
    """Remove the backup if ``text`` is what it holds; returns its path where it is kept."""
    path = backup_path(file)
    try:
        with open(path, "rb") as kept:
            same = kept.read() == file.bom + text.encode("utf-8")
        if same:
            os.unlink(path)
    except FileNotFoundError:
        return None
    except OSError:
        return path
    return None if same else path
