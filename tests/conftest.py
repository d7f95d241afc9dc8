"""What all tests share."""

from __future__ import annotations

import gc
import os
import signal
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests import profiles
from tests.harness import Launcher
from tests.rules import sentences

profiles.register()


@pytest.hookimpl(tryfirst=True)
def pytest_configure(config: pytest.Config) -> None:
    """Have lines as wide, and paths as long, in each of several processes as in a single one.

    Tests look at both. pytest-xdist names a width, and puts temporary directories a level deeper.
    """
    os.environ.pop("COLUMNS", None)
    heed_signals()
    if hasattr(config, "workerinput"):
        config.option.basetemp = None


def heed_signals() -> None:
    """Have servers ended by what ends them: a job in the background, or under nohup, ignores it.

    What is ignored here would be ignored by every process that a test starts.
    """
    signal.signal(signal.SIGINT, signal.default_int_handler)
    if sys.platform != "win32":
        signal.signal(signal.SIGHUP, signal.SIG_DFL)
        signal.signal(signal.SIGQUIT, signal.SIG_DFL)


def pytest_sessionfinish() -> None:
    """The sentences of the rules are written anew, where that is asked for."""
    if sentences.WRITING:
        sentences.write()


@pytest.fixture
def anyio_backend() -> str:
    """anyio's plugin runs asynchronous tests on the backend that the tap uses."""
    return "asyncio"


@pytest.fixture
def log(tmp_path: Path) -> Path:
    """Where a test's tap records."""
    return tmp_path / "recording.jsonl"


@pytest.fixture
def tap(log: Path) -> Launcher:
    """A launcher with the tap in the server's place."""
    return Launcher(log)


@pytest.fixture(params=["bare", "tap"])
def launcher(request: pytest.FixtureRequest, log: Path) -> Launcher:
    """Each test that takes this is played twice and has to see the same."""
    return Launcher(log if request.param == "tap" else None)


@pytest.fixture(autouse=True)
def no_descriptor_is_left_open() -> Iterator[None]:
    """Descriptors are counted before and after."""
    before = set(os.listdir("/proc/self/fd")) if os.path.isdir("/proc/self/fd") else set()
    yield
    if before and opened_since(before):
        gc.collect()  # what is left to the garbage collector counts as closed
        assert not opened_since(before)


def opened_since(before: set[str]) -> dict[str, str]:
    """The descriptors that have been opened since, and what they are."""
    left = {fd: target(fd) for fd in set(os.listdir("/proc/self/fd")) - before}
    return {fd: name for fd, name in left.items() if name and not name.startswith("/proc/")}


def target(fd: str) -> str | None:
    """What a descriptor is; None if it is gone (the listing's own is)."""
    try:
        return os.readlink(f"/proc/self/fd/{fd}")
    except OSError:
        return None
