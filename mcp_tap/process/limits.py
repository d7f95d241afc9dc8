"""Which limit of the system's was met, as a sentence says it; imported when one was."""

from __future__ import annotations

import errno
import os

LIMITS: dict[str, tuple[str, str, int]] = {
    "files": ("RLIMIT_NOFILE", "ulimit -n", 1),
    "memory": ("RLIMIT_AS", "ulimit -v", 1024),
    "data": ("RLIMIT_DATA", "ulimit -d", 1024),
    "processes": ("RLIMIT_NPROC", "ulimit -u", 1),
}
"""What the shell calls each, and the unit in which it sets it, in bytes where that is memory."""

MEMORY = ("memory", "data")
MET: dict[int, tuple[str, ...]] = {
    errno.EMFILE: ("files",),
    errno.ENOMEM: MEMORY,
    errno.EAGAIN: ("processes",),
}
"""By the errno of a failed call; a thread that cannot be started may have met any of the last two."""


def reason_of(error: BaseException) -> str:
    """What ``error`` says, and which limits that the user has set it has met."""
    number = getattr(error, "errno", None)
    if isinstance(error, RuntimeError):  # "can't start new thread"
        met: tuple[str, ...] = (*MEMORY, "processes")
    else:
        met = MEMORY if isinstance(error, (MemoryError, ImportError)) else MET.get(number or 0, ())
    said = getattr(error, "strerror", None) or str(error) or "out of memory"
    limits = [found for name in met if (found := limit(*LIMITS[name]))]
    return f"{said} ({', '.join(limits)})" if limits else said


def limit(name: str, command: str, unit: int) -> str:
    """``ulimit -n is 12``; nothing where there is no such limit."""
    if os.name != "posix":
        return ""
    import resource

    value = resource.getrlimit(getattr(resource, name))[0] if hasattr(resource, name) else -1
    return "" if value in (-1, resource.RLIM_INFINITY) else f"{command} is {value // unit}"
