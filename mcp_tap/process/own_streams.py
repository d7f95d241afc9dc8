"""The tap's own descriptors, as its client has handed them over.

Imported before the server is started; imports nothing that costs time.
"""

from __future__ import annotations

import os

from mcp_tap.errors import visible

STDIN, STDOUT, STDERR = 0, 1, 2

PIPE_BUF = 512
"""Bytes that one write to a pipe takes whole if it takes any (POSIX ``limits.h``, the minimum)."""


class OwnStreams:
    """Which of descriptors 0, 1 and 2 are open, and what else was inherited.

    Taken once, before anything else is opened. Closed standard descriptors are filled with
    the null device meanwhile, so that no pipe of the tap's own can land on them; they are
    closed again in the server, as they would be without the tap.
    """

    def __init__(self, closed: frozenset[int], extra: tuple[int, ...], merged: bool = False) -> None:
        self.closed = closed
        self.extra = extra
        self.merged = merged
        """stdout and stderr are one stream (``2>&1``), whose order only one pipe can keep."""

    @classmethod
    def take(cls) -> OwnStreams:
        """Look at what is open now, and reserve what is not."""
        extra = tuple(fd for fd in open_descriptors() if fd > STDERR and is_inherited(fd))
        closed = frozenset(fd for fd in (STDIN, STDOUT, STDERR) if not is_open(fd))
        for _ in closed:
            # The lowest free number is given out first (POSIX open), so this fills 0 to 2.
            os.open(os.devnull, os.O_RDWR)
        return cls(closed, extra, not closed & {STDOUT, STDERR} and are_one_stream(STDOUT, STDERR))

    def let_go_of_extra(self) -> None:
        """Close what only the server was meant to hold.

        A client that passes a further pipe (Node's ipc channel) waits for its end, which
        never comes while the tap keeps a copy.
        """
        for fd in self.extra:
            try:
                os.close(fd)
            except OSError:  # closed meanwhile, which is what was wanted
                continue
        self.extra = ()


def open_descriptors() -> list[int]:
    """The numbers of this process's open descriptors; empty where the system does not tell."""
    for directory in ("/proc/self/fd", "/dev/fd"):
        try:
            return sorted(int(name) for name in os.listdir(directory))
        except (OSError, ValueError):
            continue
    return []


def are_one_stream(one: int, other: int) -> bool:
    """Whether what is written to either descriptor comes out in one place, in order."""
    first, second = os.fstat(one), os.fstat(other)
    kind = first.st_mode & 0o170000  # S_IFMT; the module stat costs a millisecond
    # Not the null device, where there is no order; nor a terminal, where people look.
    return (
        os.name == "posix"
        and kind in (0o010000, 0o140000, 0o100000)  # pipe, socket, regular file
        and (first.st_dev, first.st_ino) == (second.st_dev, second.st_ino)
    )


def is_open(fd: int) -> bool:
    """Whether ``fd`` is an open descriptor."""
    try:
        os.fstat(fd)
    except OSError:
        return False
    return True


def is_inherited(fd: int) -> bool:
    """Whether ``fd`` is passed on at exec; Python's own descriptors are not (PEP 446)."""
    try:
        return os.get_inheritable(fd)
    except OSError:
        return False


def close_for_good(fd: int) -> None:
    """End a stream of the tap: the other side sees it now.

    A standard descriptor is replaced by the null device rather than closed, so that nothing
    opened later takes its number.
    """
    if fd > STDERR:
        os.close(fd)
        return
    try:
        null = os.open(os.devnull, os.O_RDWR)
    except OSError:  # no descriptor left: that the other side sees the end comes first
        os.close(fd)
        return
    os.dup2(null, fd)
    os.close(null)


def warn_stderr(sentence: str) -> None:
    """Say one line on stderr if there is somebody to hear it; never wait, never raise.

    Whatever is in it (a name that was typed, a name from a file) is made safe for that line.
    """
    data = f"mcp-tap: {visible(sentence)}\n".encode(errors="backslashreplace")
    try:
        while data and has_room(STDERR):
            data = data[os.write(STDERR, data[:PIPE_BUF]) :]
    except OSError:
        return


def has_room(fd: int) -> bool:
    """Whether ``PIPE_BUF`` bytes can be written at once; True where the system cannot tell."""
    if os.name != "posix":
        return True
    import select

    waiter = select.poll()
    waiter.register(fd, select.POLLOUT)
    return any(event & select.POLLOUT for _, event in waiter.poll(0))
