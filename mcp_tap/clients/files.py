"""A configuration file read, backed up, and replaced if nobody else has changed it meanwhile."""

from __future__ import annotations

import contextlib
import hashlib
import os
import stat
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from mcp_tap.clients.tree import ConfigError
from mcp_tap.record.paths import default_directory

BOM = b"\xef\xbb\xbf"

LARGEST = 64 * 1024 * 1024
"""Bytes of a configuration: a dozen times the largest that has been seen."""

PRIVATE = 0o600
ANY_WRITE = stat.S_IWUSR | stat.S_IWGRP | stat.S_IWOTH

BACKUPS = "backups"
"""The directory of the backups, in the user's state directory, where the recordings are."""


TEMPORARY = ".mcp-tap"
"""The end of the names of files that are being written; they begin with a dot and what they will be."""


class ChangedMeanwhile(Exception):
    """Somebody else has changed the file since it was read; it was left as it is."""


@dataclass(frozen=True, slots=True)
class ConfigFile:
    """A file as it was read. ``path`` is what the user calls it, ``real`` where its bytes are."""

    path: str
    real: str
    data: bytes
    mode: int
    names: int = 1
    """How many names the file has: hard links."""

    @property
    def bom(self) -> bytes:
        """The byte order mark, which is no part of the text."""
        return BOM if self.data.startswith(BOM) else b""

    @property
    def text(self) -> str:
        """What is in it. Raises :class:`ConfigError` where that is no UTF-8."""
        try:
            return self.data[len(self.bom) :].decode("utf-8")
        except UnicodeDecodeError as error:
            raise ConfigError(f"is not valid UTF-8 (byte {error.start})") from None


def read_config(path: str) -> ConfigFile:
    """Read ``path``, through symbolic links. Raises :class:`ConfigError`, and OSError as reading does."""
    real = os.path.realpath(path)
    with open(real, "rb", opener=_open_without_waiting) as file:
        status = os.fstat(file.fileno())
        if not stat.S_ISREG(status.st_mode):
            raise ConfigError("is not a regular file")
        if status.st_size > LARGEST:
            raise ConfigError(f"is larger than {LARGEST >> 20} MiB")
        return ConfigFile(path, real, file.read(), stat.S_IMODE(status.st_mode), status.st_nlink)


def _open_without_waiting(path: str, flags: int) -> int:
    return os.open(path, flags | getattr(os, "O_NONBLOCK", 0))  # a named pipe without a writer


@contextlib.contextmanager
def locked(file: ConfigFile) -> Iterator[None]:
    """Keep other taps from changing ``file``, where the system has locks that clients do not notice.

    Raises :class:`ChangedMeanwhile` if another one is at it, or if the file is not what was read.
    """
    with contextlib.ExitStack() as stack:
        if os.name == "posix":
            import fcntl

            locked = None
            with contextlib.suppress(OSError):  # is_unchanged() says so in a moment
                locked = stack.enter_context(open(file.real, "rb", opener=_open_without_waiting))
            try:
                if locked is not None:
                    fcntl.flock(locked, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                raise ChangedMeanwhile from None
            except OSError:
                pass  # a network's file system without locks: the comparison is what there is
        if not is_unchanged(file):
            raise ChangedMeanwhile
        yield


def replace_file(file: ConfigFile, text: str) -> None:
    """Put ``text`` in the place of what ``file`` holds, in one step, with its mode, owner and links.

    Raises :class:`ChangedMeanwhile` if the file is not what was read, :class:`ConfigError` if it cannot
    stay what it is, and OSError as writing does; the file is then as it was. Between the last look at the
    file and the exchange a few microseconds remain in which another program's change would be lost: no
    system has a compare-and-swap for files.
    """
    if not file.mode & ANY_WRITE or not os.access(file.real, os.W_OK):
        raise ConfigError("is read-only")
    if file.names > 1:
        raise ConfigError(
            "has several hard links, of which only this one would change: make it a separate file, or a "
            "symbolic link"
        )

    def finish(descriptor: int) -> None:
        keep_owner_and_mode(descriptor, file)
        os.fsync(descriptor)
        if not is_unchanged(file):
            raise ChangedMeanwhile

    write_in_one_step(file.real, file.bom + text.encode("utf-8"), finish)
    sync_directory(os.path.dirname(file.real))


def write_in_one_step(path: str, data: bytes, finish: Callable[[int], None]) -> None:
    """Write ``data`` beside ``path``, and let it take its place when ``finish`` is done with it.

    Whoever is killed meanwhile leaves a file behind, which the next one removes.
    """
    directory, name = os.path.split(path)
    remove_leftovers(directory, name)
    descriptor, temporary = tempfile.mkstemp(prefix=f".{name}.", suffix=TEMPORARY, dir=directory)
    try:
        with open(descriptor, "wb") as out:
            out.write(data)
            out.flush()
            finish(descriptor)
        os.replace(temporary, path)
    except BaseException:
        with contextlib.suppress(OSError):
            os.unlink(temporary)
        raise


def remove_leftovers(directory: str, name: str) -> None:
    """Remove what taps that were killed have left behind for ``name``."""
    with contextlib.suppress(OSError):
        for each in os.listdir(directory):
            if each.startswith(f".{name}.") and each.endswith(TEMPORARY):
                with contextlib.suppress(OSError):
                    os.unlink(os.path.join(directory, each))


def keep_owner_and_mode(descriptor: int, file: ConfigFile) -> None:
    """Give the new file what the old one has. Raises :class:`ConfigError` where this user must not."""
    if os.name == "posix":
        status = os.stat(file.real)
        try:
            os.fchown(descriptor, status.st_uid, status.st_gid)
        except PermissionError:
            own = os.fstat(descriptor)
            if (own.st_uid, own.st_gid) != (status.st_uid, status.st_gid):
                raise ConfigError("belongs to another user or group, and that would change") from None
        keep_attributes(descriptor, file.real)
        os.fchmod(descriptor, file.mode)


def keep_attributes(descriptor: int, path: str) -> None:
    """Access lists and labels, where the system lets them be read and set."""
    if hasattr(os, "listxattr"):
        with contextlib.suppress(OSError):
            for name in os.listxattr(path):
                with contextlib.suppress(OSError):
                    os.setxattr(descriptor, name, os.getxattr(path, name))


def is_unchanged(file: ConfigFile) -> bool:
    """Whether the file is still what was read."""
    try:
        again = read_config(file.path)
    except (OSError, ConfigError):
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
    write_in_one_step(path, file.data, os.fsync)  # what mkstemp creates is 0600
    return path


def drop_backup(file: ConfigFile, *texts: str) -> str | None:
    """Remove the backup if it holds one of ``texts``; returns its path where it is kept."""
    path = backup_path(file)
    try:
        with open(path, "rb") as kept:
            same = kept.read() in [file.bom + text.encode("utf-8") for text in texts]
        if same:
            os.unlink(path)
    except FileNotFoundError:
        return None
    except OSError:
        return path
    return None if same else path
