"""A user's home with configuration files, for the verbs that change them."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.commands.homes import make_home


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    return make_home(tmp_path, monkeypatch)
