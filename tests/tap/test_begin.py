"""What the first record says of the surroundings."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from mcp_tap.tap.begin import current_directory, process_name, readable


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
