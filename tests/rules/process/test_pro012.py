"""PRO012: processes were left behind."""

from __future__ import annotations

import pytest

from tests.record_cases import Tape
from tests.recordings.cases import begun, offer
from tests.rules.process.shutdown_cases import eof, found


def test_what_a_launcher_leaves_behind_is_a_warning() -> None:
    tape = eof(Tape().start(argv=["npx", "-y", "notes"]).client(offer(), 0.1)).exit(5.3, "client-eof", left=1)
    assert found(tape) == [("PRO012", "warning", "launcher", (4,), "npx")]


@pytest.mark.parametrize(
    ("command", "name"),
    [
        (r"C:\Program Files\nodejs\NPX.CMD", "npx"),
        ("/bin/sh", "sh"),
        ("uvx", "uvx"),
        ("docker.exe", "docker"),
    ],
)
def test_launchers_are_known_by_the_file(command: str, name: str) -> None:
    tape = eof(Tape().start(argv=[command, "x"])).exit(5.3, "client-eof", left=3)
    assert [each[4] for each in found(tape)] == [name]


def test_what_a_server_leaves_behind_is_information() -> None:
    assert found(eof(begun()).exit(5.3, "client-eof", left=2)) == [("PRO012", "info", "server", (6,), "")]


@pytest.mark.parametrize("left", [0, None])
def test_nothing_left_or_nothing_known_is_silent(left: int | None) -> None:
    assert found(eof(begun()).exit(5.3, "client-eof", left=left)) == []
