"""PRO001: the command could not be started."""

from __future__ import annotations

from typing import Any

import pytest

from mcp_tap.rules.process.pro001_not_started import NotStarted
from tests.record_cases import Tape
from tests.recordings.cases import CASES
from tests.rules.process.start_cases import LAUNCHD, found, one


def refused(error: str, code: int = 127, **start: Any) -> Tape:
    """A command that could not be started."""
    fields: dict[str, Any] = {"format": 1, "argv": ["npx", "-y", "notes"], "name": "notes", **start}
    tape = Tape().event("start", **fields).event("spawn_failed", 0.002, error=error, code=code)
    return tape.exit(0.003, "spawn-failed", code)


def test_a_command_that_is_not_on_the_path_is_named_with_the_path() -> None:
    tape = refused("cannot start 'npx': not found on PATH (/usr/bin)", path="/usr/bin", platform="linux")
    assert found(tape) == [("PRO001", "error", "environment", (1,), "not found")]
    assert one(tape).key == "not found"


def test_the_path_of_macos_is_called_by_its_name() -> None:
    assert one(refused("not found", path=LAUNCHD)).key == "not found"


def test_a_long_path_is_shortened() -> None:
    assert len(one(refused("not found", path="/some/folder:" * 100)).message) < 260


def test_on_windows_the_next_step_is_a_shell() -> None:
    assert one(refused("no", platform="win32", path="C:\\")).next != NotStarted.next
    assert one(CASES["A26"]()).next != NotStarted.next


@pytest.mark.parametrize("argv", [["/opt/notes"], [r"C:\notes.exe"], ["notes"], [], "notes"])
def test_without_a_path_the_error_is_told(argv: object) -> None:
    assert one(refused("no such thing", argv=argv)).key == "not found"


def test_what_is_found_and_cannot_be_executed_is_another_finding() -> None:
    finding = one(refused("it is not executable (chmod +x would make it so)", 126, path="/bin"))
    assert finding.key == "not executable"


def test_a_failure_of_the_tap_is_not_the_commands() -> None:
    assert found(refused("cannot start 'npx': Too many open files", 125)) == []
