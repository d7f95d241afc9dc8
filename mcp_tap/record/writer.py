"""The recording file as it is appended to, whatever happens to the disk.

Every batch of records is one ``write(2)`` on an ``O_APPEND`` descriptor of its own, so that
several taps can share a file and a record is in the kernel's hands when ``append`` returns.
"""

from __future__ import annotations

import errno
import os
import stat

MOST_LINKS = 40
"""Symbolic links in a row, as the kernel counts them."""

KNOWN_BY = 128
"""Bytes of the start record that are looked at again: its time and its session are among them."""

FILE_MODE = 0o600
DIRECTORY_MODE = 0o700

_APPEND = os.O_APPEND | getattr(os, "O_BINARY", 0) | getattr(os, "O_NOCTTY", 0)
# A FIFO without a reader, or with one that does not read, must fail rather than hold the
# session up. Regular files do not know the flag.
_NEVER_WAIT = getattr(os, "O_NONBLOCK", 0)


class RecordingFile:
    """One file that records are appended to; created when first needed, never truncated.

    Not thread-safe: the recorder's lock is around every call. ``close`` is the owner's to call.
    """

    def __init__(self, path: str) -> None:
        self.path = path
        self.error: OSError | None = None
        """Why the last ``append`` did not take everything."""
        self._fd: int | None = None
        self._regular = False
        self._torn = False
        self._first: tuple[int, bytes] | None = None
        """Where in a regular file that can be read the first write went, and how it began."""

    @property
    def is_open(self) -> bool:
        """Whether there is a file to append to."""
        return self._fd is not None

    def open(self) -> None:
        """Open or create the file (0600) and its directory (0700). Raises OSError."""
        make_private_directory(os.path.dirname(os.path.abspath(self.path)))
        path = own_path(self.path)
        try:
            fd = os.open(path, _APPEND | _NEVER_WAIT | os.O_CREAT | os.O_EXCL | os.O_RDWR, FILE_MODE)
            if hasattr(os, "fchmod"):
                os.fchmod(fd, FILE_MODE)  # whatever the umask has left
        except FileExistsError:
            fd = open_existing(path)
        status = os.fstat(fd)
        self._regular = stat.S_ISREG(status.st_mode)
        self._torn = self._regular and status.st_size > 0 and not ends_with_newline(fd, status.st_size)
        self._first = None
        self._fd = fd

    def append(self, data: bytes) -> int:
        """Write whole records; returns how many of their bytes are in the file.

        Where that is less than all of them, ``error`` says why.
        """
        self.error = None
        if self._fd is None:
            self.error = OSError(errno.EBADF, "the recording is not open")
            return 0
        prefix = b"\n" if self._torn else b""
        try:
            written = os.write(self._fd, prefix + data if prefix else data)
        except OSError as error:
            self.error = error
            return 0
        if written:
            self._torn = False
        if written == len(data) and not prefix:
            return written
        return self._finish(written - len(prefix), data)

    def append_parts(self, parts: list[bytes]) -> int:
        """:meth:`append` for a large record in parts, which are gathered by the kernel, not copied."""
        if self._torn or self._fd is None or not hasattr(os, "writev"):
            return self.append(b"".join(parts))
        self.error = None
        try:
            written = os.writev(self._fd, parts)
        except OSError as error:
            self.error = error
            return 0
        return written if written == sum(map(len, parts)) else self._finish(written, b"".join(parts))

    def _finish(self, written: int, data: bytes) -> int:
        """After a write that took ``written`` of ``data``: how much is on file in the end."""
        while 0 <= written < len(data) and self.error is None:
            written += self._go_on(data[written:])
        return max(0, written)

    def _go_on(self, rest: bytes) -> int:
        """After a write that was cut short: write more, or learn why that is impossible.

        Only where nobody has appended meanwhile, or the record would have another one in it.
        """
        assert self._fd is not None
        try:
            if self._regular and os.fstat(self._fd).st_size != os.lseek(self._fd, 0, os.SEEK_CUR):
                raise OSError(errno.EAGAIN, "a write was cut short, and another tap has written since")
            written = os.write(self._fd, rest)
            if not written:
                raise OSError(errno.EIO, "nothing more was written")
            return written
        except OSError as error:
            self.error = error
            return 0

    def discard(self, fragment: int) -> None:
        """Take the last ``fragment`` bytes of a write that was cut short off the file again.

        A full disk always has room for less. If somebody else has appended meanwhile the
        fragment stays, and the next record begins on a new line.
        """
        self._torn = True
        if self._fd is None or not self._regular:
            return
        try:
            # After an O_APPEND write the offset is where that write ended.
            end = os.lseek(self._fd, 0, os.SEEK_CUR)
            if os.fstat(self._fd).st_size == end:
                os.ftruncate(self._fd, end - fragment)
                os.lseek(self._fd, end - fragment, os.SEEK_SET)  # nobody else has truncated it
                self._torn = False
        except OSError:
            return

    def loss(self) -> str | None:
        """What has become of the file, if what was written to it is not there any more.

        "removed": it has no name left, and what is appended would vanish with the session.
        "truncated": it ends before the last write did, or its first write is not where it was.
        """
        if self._fd is None or not self._regular or os.name != "posix":
            return None
        status = os.fstat(self._fd)
        if status.st_nlink == 0:
            return "removed"
        end = os.lseek(self._fd, 0, os.SEEK_CUR)  # of the last write, or of the file as it was opened
        return "truncated" if status.st_size < end or not self._has_first() else None

    def _has_first(self) -> bool:
        """Whether the file holds the first write still: others may have appended since it was cut."""
        if self._first is None or self._fd is None:
            return True
        at, beginning = self._first
        try:
            return os.pread(self._fd, len(beginning), at) == beginning
        except OSError:  # it may not be read
            return True

    def mark(self, record: bytes) -> None:
        """``record`` was just written whole, as the first one: by it the file is known to be uncut."""
        if self._fd is not None and self._regular:
            self._first = (os.lseek(self._fd, 0, os.SEEK_CUR) - len(record), record[:KNOWN_BY])

    def close(self) -> None:
        """Close the file; ``open`` may follow."""
        if self._fd is not None:
            os.close(self._fd)
            self._fd = None


def own_path(path: str) -> str:
    """``path`` without the symbolic links at its end, which only this user or root may have set.

    A link of somebody else would lead what is recorded into any file of the user's. Those of the
    system to open descriptors (``/dev/stderr``) lead to no path, and stay. Raises OSError.
    """
    for _ in range(MOST_LINKS):
        try:
            found = os.lstat(path)
        except FileNotFoundError:
            return path
        if not stat.S_ISLNK(found.st_mode) or is_descriptor(path):
            return path
        refuse_others(found, path, "link")
        path = os.path.join(os.path.dirname(path), os.readlink(path))
    raise OSError(errno.ELOOP, os.strerror(errno.ELOOP), path)


def open_existing(path: str) -> int:
    """Open what is there already, if it is this user's or root's. Raises OSError."""
    follow = is_descriptor(path)
    status = os.stat(path) if follow else os.lstat(path)
    # Reading too, to see how a file ends, where the user may; a FIFO must not read itself.
    readable = stat.S_ISREG(status.st_mode) and os.access(path, os.R_OK)
    flags = _APPEND | _NEVER_WAIT | (os.O_RDWR if readable else os.O_WRONLY)
    fd = os.open(path, flags if follow else flags | getattr(os, "O_NOFOLLOW", 0))
    try:
        opened = os.fstat(fd)
        if not follow and stat.S_IFMT(opened.st_mode) in (stat.S_IFREG, stat.S_IFIFO):
            refuse_others(opened, path, "file")
            if opened.st_nlink > 1 and is_open_to_others(os.path.dirname(path) or "."):
                raise OSError(errno.EPERM, "somebody else may have linked the file to another name")
    except OSError:
        os.close(fd)
        raise
    return fd


def is_descriptor(path: str) -> bool:
    """Whether ``path`` stands for a descriptor that is open, whoever owns what it leads to."""
    return os.path.realpath(os.path.dirname(path)).startswith(("/proc/", "/dev/fd"))


def refuse_others(status: os.stat_result, path: str, kind: str) -> None:
    """Raise PermissionError where it is neither this user's nor root's."""
    if os.name == "posix" and status.st_uid not in (0, os.geteuid()):
        raise PermissionError(errno.EPERM, f"the {kind} belongs to another user", path)


def is_open_to_others(directory: str) -> bool:
    """Whether somebody else than this user and root may put files there."""
    status = os.stat(directory)
    return os.name == "posix" and (status.st_uid not in (0, os.geteuid()) or bool(status.st_mode & 0o022))


def make_private_directory(directory: str) -> None:
    """Create ``directory`` for its owner alone, and what is missing above it. Raises OSError."""
    missing = []
    while directory and not os.path.isdir(directory):
        missing.append(directory)
        parent = os.path.dirname(directory)
        if parent == directory:
            break
        directory = parent
    for name in reversed(missing):
        try:
            os.mkdir(name, DIRECTORY_MODE)
        except FileExistsError:
            if not os.path.isdir(name):
                raise NotADirectoryError(errno.ENOTDIR, os.strerror(errno.ENOTDIR), name) from None
            continue
        os.chmod(name, DIRECTORY_MODE)  # whatever the umask has left


def ends_with_newline(fd: int, size: int) -> bool:
    """Whether the file's last byte is a newline; True where that cannot be read."""
    try:
        os.lseek(fd, size - 1, os.SEEK_SET)
        return os.read(fd, 1) == b"\n"
    except OSError:
        return True
