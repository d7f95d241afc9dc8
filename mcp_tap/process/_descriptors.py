"""What can be done with a descriptor on POSIX that others may hold as well.

Descriptors 0 to 2 may be shared with the client or with other servers: nothing that they could
see is changed on them.
"""

from __future__ import annotations

import _socket  # what socket is made of: its enums would keep the first message waiting for 3 ms
import errno
import fcntl
import functools
import os
import select
import stat
from collections.abc import Callable

from mcp_tap.process.own_streams import STDERR

ROOM = 1024 * 1024
"""Bytes asked for when a sink has to take what is left in one go: Linux' limit for pipes
of unprivileged users (pipe(7))."""


def own_description(fd: int, access: int) -> bool:
    """Make ``fd`` non-blocking if that can be done without anybody else seeing it.

    O_NONBLOCK belongs to the open file description, which for descriptors 0 to 2 may be shared
    with the client or with other servers. Opening a pipe again through ``/proc`` gives a
    description of the tap's own (Linux). Returns whether ``fd`` is non-blocking now.
    """
    if fd > STDERR:
        os.set_blocking(fd, False)
        return True
    try:
        if not stat.S_ISFIFO(os.fstat(fd).st_mode):
            return False
        given = fcntl.fcntl(fd, fcntl.F_GETFL) & os.O_ACCMODE
        if given not in (access, os.O_RDWR):
            return False  # the write end of a pipe as stdin: reading has to fail as it would
        # A FIFO that was opened for both has no end; the new description has to have none either.
        again = os.open(f"/proc/self/fd/{fd}", given | os.O_NONBLOCK)
    except OSError:  # no /proc, or a pipe that another user has made
        return False
    os.dup2(again, fd)
    os.close(again)
    return True


Write = Callable[[bytes | memoryview], int]
"""Writes what the sink takes now and returns how much that was, or raises BlockingIOError."""


def writer_to(fd: int) -> tuple[Write, _socket.socket | None]:
    """How to write to ``fd`` without waiting, and the socket object to detach if there is one."""
    if not own_description(fd, os.O_WRONLY):
        mode = os.fstat(fd).st_mode
        if stat.S_ISSOCK(mode):
            # MSG_DONTWAIT concerns one call, unlike O_NONBLOCK.
            wrapped = _socket.socket(fileno=fd)
            return lambda data: wrapped.send(data, _socket.MSG_DONTWAIT), wrapped
        if not stat.S_ISREG(mode):
            return piecewise_writer(fd), None
    return functools.partial(os.write, fd), None


def piecewise_writer(fd: int) -> Write:
    """For what is shared and blocking: so little at a time that it is taken at once.

    POSIX promises that for PIPE_BUF bytes where ``poll`` reports room.
    """
    waiter = select.poll()
    waiter.register(fd, select.POLLOUT)

    def write(data: bytes | memoryview) -> int:
        if not waiter.poll(0):
            raise BlockingIOError(errno.EAGAIN, os.strerror(errno.EAGAIN))
        return os.write(fd, data[: select.PIPE_BUF])

    return write


def make_room(sink: int) -> None:
    """Let the kernel hold what the tap still holds, so that the tap can end as the server has.

    A bare server's last words wait in the client's pipe; the tap's must, too. Nothing is
    lost where this is not possible: the tap then waits for the reader.
    """
    try:
        if stat.S_ISSOCK(os.fstat(sink).st_mode):
            duplicate = _socket.socket(fileno=os.dup(sink))
            try:
                duplicate.setsockopt(_socket.SOL_SOCKET, _socket.SO_SNDBUF, ROOM)
            finally:
                duplicate.close()
        elif hasattr(fcntl, "F_SETPIPE_SZ") and fcntl.fcntl(sink, fcntl.F_GETPIPE_SZ) < ROOM:
            fcntl.fcntl(sink, fcntl.F_SETPIPE_SZ, ROOM)
    except OSError:
        return


def pipe_holders_of(fd: int) -> frozenset[int] | None:
    """Other processes that hold the pipe ``fd``, of those the user may look at; None: unknown."""
    try:
        target = os.readlink(f"/proc/self/fd/{fd}")
        numbers = [int(name) for name in os.listdir("/proc") if name.isdecimal()]
    except OSError:
        return None
    return frozenset(pid for pid in numbers if pid != os.getpid() and holds(pid, target))


def holds(pid: int, target: str) -> bool:
    """Whether process ``pid`` has ``target`` open."""
    directory = f"/proc/{pid}/fd"
    try:
        names = os.listdir(directory)
    except OSError:
        return False
    for name in names:
        try:
            if os.readlink(f"{directory}/{name}") == target:
                return True
        except OSError:
            continue
    return False
