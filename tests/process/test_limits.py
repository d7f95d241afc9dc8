"""Which limit was met, as a sentence says it."""

from __future__ import annotations

import errno
import os
import resource

import pytest

from mcp_tap.process import limits
from mcp_tap.process.limits import reason_of

SET = {resource.RLIMIT_NOFILE: 12, resource.RLIMIT_AS: 60 << 20, resource.RLIMIT_NPROC: 100}


@pytest.fixture(autouse=True)
def some_limits(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(resource, "getrlimit", lambda which: (SET.get(which, -1), -1))


@pytest.mark.parametrize(
    ("error", "sentence"),
    [
        (OSError(errno.EMFILE, "Too many open files"), "Too many open files (ulimit -n is 12)"),
        (OSError(errno.ENOMEM, "Cannot allocate memory"), "Cannot allocate memory (ulimit -v is 61440)"),
        (OSError(errno.EAGAIN, "Try again"), "Try again (ulimit -u is 100)"),
        (OSError(errno.EIO, "Input/output error"), "Input/output error"),
        (MemoryError(), "out of memory (ulimit -v is 61440)"),
        (RuntimeError("can't start new thread"),
         "can't start new thread (ulimit -v is 61440, ulimit -u is 100)"),
        (ImportError("failed to map segment"), "failed to map segment (ulimit -v is 61440)"),
    ],
)  # fmt: skip
def test_a_limit_that_may_have_been_met_is_named(error: Exception, sentence: str) -> None:
    assert reason_of(error) == sentence


def test_where_there_are_no_limits_none_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(resource, "getrlimit", lambda which: (resource.RLIM_INFINITY, -1))
    assert reason_of(MemoryError()) == "out of memory"
    monkeypatch.setattr(os, "name", "nt")
    assert limits.limit("RLIMIT_NOFILE", "ulimit -n", 1) == ""
    monkeypatch.undo()
    assert os.name == "posix"
