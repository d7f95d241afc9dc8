"""What the first record says of the surroundings."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from mcp_tap.commands.run_options import read_run_options
from mcp_tap.tap.begin import begin_recording, current_directory, process_name, readable


def test_words_of_any_bytes_become_unicode() -> None:
    assert readable("ü") == "ü"
    assert readable(os.fsdecode(b"a\xff")) == "a\\xff"


def test_what_the_system_does_not_tell_is_not_guessed(monkeypatch: pytest.MonkeyPatch) -> None:
    assert process_name(os.getpid()) == Path("/proc/self/comm").read_text().strip()
    assert process_name(2**22 + 1) is None

    def gone() -> str:
        raise FileNotFoundError

    monkeypatch.setattr(os, "getcwd", gone)
    assert current_directory() is None


@pytest.mark.parametrize(
    "argv", [["npx", "--api-key", "S3cr3t", "pkg"], ["uvx", "--index", "https://S3cr3t@host", "pkg"]]
)
def test_a_secret_is_in_no_record_and_in_no_name(argv: list[str], tmp_path: Path) -> None:
    said: list[str] = []
    options, command = read_run_options([f"--log-dir={tmp_path}", *argv])
    recorder = begin_recording(options, command, (10**18, 0), said.append)
    recorder.close()
    (file,) = tmp_path.iterdir()
    assert file.name.startswith("20010909T014640.000Z-pkg-")
    assert json.loads(file.read_text().splitlines()[0])["name"] == "pkg"
    assert "S3cr3t" not in file.name + file.read_text()
    assert said == []
