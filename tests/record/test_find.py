"""Which recording the user means."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from mcp_tap.errors import TapError
from mcp_tap.record.find import RecordingLocation, find_recordings

OLD, NEW, SHARED = "01m8mgpwt5nbk9nx", "01m8mgx3te8axry6", "01m8mh0000000000"


@pytest.fixture
def logs(tmp_path: Path) -> Path:
    """Two files that ``run`` has named, the newer one with the earlier name, and a shared one."""
    for age, (name, session) in enumerate([("b-notes", NEW), ("shared", SHARED), ("a-notes", OLD)]):
        path = tmp_path / (f"{name}-{session}.jsonl" if name != "shared" else "shared.jsonl")
        path.write_text(f'{{"ts":"x","t":0,"session":"{session}","seq":0,"dir":"tap","event":"start"}}\n')
        os.utime(path, (1_000_000 - age, 1_000_000 - age))
    (tmp_path / "notes.txt").write_text("no recording")
    return tmp_path


def test_nothing_means_the_newest(logs: Path) -> None:
    assert find_recordings(None, str(logs)) == [RecordingLocation(f"{logs}/b-notes-{NEW}.jsonl")]


def test_a_directory_means_all_in_it_oldest_first(logs: Path) -> None:
    names = [os.path.basename(place.path) for place in find_recordings(str(logs))]
    assert names == [f"a-notes-{OLD}.jsonl", "shared.jsonl", f"b-notes-{NEW}.jsonl"]


def test_a_file_means_itself(logs: Path) -> None:
    assert find_recordings(f"{logs}/shared.jsonl") == [RecordingLocation(f"{logs}/shared.jsonl")]


@pytest.mark.parametrize(
    ("prefix", "session", "name"),
    [
        (NEW[:8], NEW, f"b-notes-{NEW}"),
        (NEW[-4:], NEW, f"b-notes-{NEW}"),
        (OLD, OLD, f"a-notes-{OLD}"),
        (SHARED[:7], SHARED, "shared"),
    ],
)
def test_a_session_is_found_by_its_prefix(logs: Path, prefix: str, session: str, name: str) -> None:
    assert find_recordings(prefix, str(logs)) == [RecordingLocation(f"{logs}/{name}.jsonl", session)]


def test_what_is_not_there_or_not_clear_is_said(logs: Path, tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    with pytest.raises(TapError, match="01m8 matches 3 sessions"):
        find_recordings("01m8", str(logs))
    with pytest.raises(TapError, match="zzz is not a file, a directory or the id of a session in"):
        find_recordings("zzz", str(logs))
    with pytest.raises(TapError, match=r"no recordings \(\*\.jsonl\) in"):
        find_recordings(str(tmp_path / "empty"))
    with pytest.raises(TapError, match=r"no recordings in .*nowhere yet: start a server"):
        find_recordings(None, str(tmp_path / "nowhere"))
