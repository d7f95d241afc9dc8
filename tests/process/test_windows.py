"""The Windows half, as far as another system can run it; ``tests/e2e`` runs it whole, under Wine."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import threading
from collections.abc import Iterator

import pytest

from mcp_tap.errors import ServerNotStarted
from mcp_tap.process import _windows
from mcp_tap.process.own_streams import OwnStreams
from tests.harness import LIMIT

ALL_OPEN = OwnStreams(frozenset(), ())


@pytest.fixture(autouse=True)
def handlers_are_put_back() -> Iterator[None]:
    before = signal.getsignal(signal.SIGINT)
    yield
    signal.signal(signal.SIGINT, before)


def test_a_server_is_started_on_pipes_that_are_the_taps_to_close() -> None:
    signals = _windows.Signals.hold()
    child = _windows.spawn(["cat"], ALL_OPEN, signals)
    assert child.exe == shutil.which("cat")
    assert child.stdin is not None
    assert child.stdout is not None
    assert child.stderr is not None
    os.write(child.stdin, b"hello")
    assert os.read(child.stdout, 100) == b"hello"
    os.close(child.stdin)
    assert os.read(child.stdout, 100) == b""
    os.close(child.stdout)
    os.close(child.stderr)
    assert child.wait() == (0, None)
    child.reap()
    assert not child.send_signal(15)


def test_streams_that_the_tap_does_not_have_the_server_does_not_get() -> None:
    child = _windows.spawn(["cat"], OwnStreams(frozenset({1, 2}), ()), _windows.Signals())
    assert (child.stdout, child.stderr) == (None, None)
    assert child.stdin is not None
    assert child.terminate()
    assert child.wait()[0] == -9
    os.close(child.stdin)


def test_what_is_not_found_and_what_cannot_be_started_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(ServerNotStarted, match="cannot start 'no-such': not found on PATH") as raised:
        _windows.spawn(["no-such"], ALL_OPEN, _windows.Signals())
    assert raised.value.status == 127
    monkeypatch.setattr(shutil, "which", lambda command: "C:\\x.cmd")
    with pytest.raises(ServerNotStarted, match="an argument with a line break") as raised:
        _windows.spawn(["x", "a\nb"], ALL_OPEN, _windows.Signals())
    assert raised.value.status == 126


def test_a_batch_file_is_given_to_the_shell(monkeypatch: pytest.MonkeyPatch) -> None:
    seen: dict[str, object] = {}

    def popen(line: str, **options: object) -> None:
        seen.update(options, line=line)
        raise OSError("enough seen")

    monkeypatch.setenv("COMSPEC", "C:\\Windows\\cmd.exe")
    monkeypatch.setattr(shutil, "which", lambda command: "C:\\npx.cmd")
    monkeypatch.setattr(subprocess, "Popen", popen)
    with pytest.raises(ServerNotStarted, match="enough seen"):
        _windows.spawn(["npx", "-y", "a b"], ALL_OPEN, _windows.Signals())
    assert seen["line"] == '"C:\\Windows\\cmd.exe" /e:ON /v:OFF /d /s /c ""C:\\npx.cmd" -y "a b""'
    assert seen["executable"] is None


def test_console_events_end_the_server_not_the_tap() -> None:
    _windows.Signals.hold()
    signal.raise_signal(signal.SIGINT)  # would be a KeyboardInterrupt
    watch = _windows.ConsoleWatch()
    thread = threading.Thread(target=watch.run)
    thread.start()
    watch.stop()
    thread.join(LIMIT)
    assert not thread.is_alive()


def test_a_status_beyond_31_bits_is_handed_to_the_interpreter_as_the_same_bits() -> None:
    assert _windows.exit_status(0xC0000005) == 0xC0000005 - (1 << 32)
    assert _windows.exit_status(7) == 7
    _windows.die_by(9)  # no process of Windows ends by a signal
