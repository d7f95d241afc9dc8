"""Which recording the user means."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from mcp_tap.cli import main
from mcp_tap.errors import TapError
from mcp_tap.record.find import RecordingLocation, find_recordings
from mcp_tap.record.paths import safe_name

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
    with pytest.raises(
        TapError, match="zzz is not a file, a directory, the id of a session or the name of a server in"
    ):
        find_recordings("zzz", str(logs))
    with pytest.raises(TapError, match=r"no recordings \(\*\.jsonl\) in"):
        find_recordings(str(tmp_path / "empty"))
    with pytest.raises(TapError, match=r"no recordings in .*nowhere yet: start a server"):
        find_recordings(None, str(tmp_path / "nowhere"))


def begin(directory: Path, name: str, session: str, ts: str, file: str | None = None) -> Path:
    """A session of the server ``name``, in a file that ``run`` has named, or in ``file``."""
    path = directory / (file or f"20261129T000000.000Z-{safe_name(name)}-{session}.jsonl")
    head = {"ts": ts, "t": 0, "session": session, "seq": 0, "dir": "tap", "event": "start", "name": name}
    with path.open("a", encoding="utf-8") as log:
        log.write(json.dumps(head, separators=(",", ":")) + "\n")
    return path


A, B, C, D = "01m8mgpwt5nbaaaa", "01m8mgx3te8abbbb", "01m8mh0000cccccc", "01m8mh0000dddddd"


@pytest.fixture
def servers(tmp_path: Path) -> Path:
    """Three sessions of ``files``, the newest not in the file written to last; and one of ``a/files``."""
    begin(tmp_path, "files", A, "2026-11-29T01:00:00Z", "shared.jsonl")
    begin(tmp_path, "files", C, "2026-11-29T03:00:00Z", "shared.jsonl")
    begin(tmp_path, "files", B, "2026-11-29T02:00:00Z")
    begin(tmp_path, "a/files", D, "2026-11-29T04:00:00Z")
    return tmp_path


def test_a_servers_name_means_the_session_that_started_last(servers: Path) -> None:
    newest = RecordingLocation(f"{servers}/shared.jsonl", C)
    assert find_recordings("files", str(servers)) == [newest]
    (other,) = find_recordings("a/files", str(servers))
    assert other.session == D
    every = find_recordings("files", str(servers), every=True)
    assert [place.session for place in every] == [A, B, C]


def test_a_path_wins_over_an_id_and_an_id_over_a_name(
    servers: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    begin(servers, "bbbb", "01m8mh0000eeeeee", "2026-11-29T05:00:00Z")
    begin(servers, "bb", "01m8mh0000ffffff", "2026-11-29T06:00:00Z")
    place = tmp_path / "work"
    (place / "files").mkdir(parents=True)
    monkeypatch.chdir(place)
    assert [each.session for each in find_recordings("bbbb", str(servers))] == [B]
    # Two letters end an id by chance.
    assert [each.session for each in find_recordings("bb", str(servers))] == ["01m8mh0000ffffff"]
    assert [each.session for each in find_recordings("aa", str(servers))] == [A]
    # A directory without a recording is none.
    assert [each.session for each in find_recordings("files", str(servers))] == [C]
    (place / "files" / "x.jsonl").touch()
    assert find_recordings("files", str(servers)) == [RecordingLocation(os.path.join("files", "x.jsonl"))]
    (place / "bbbb").touch()
    assert find_recordings("bbbb", str(servers)) == [RecordingLocation("bbbb")]


@pytest.mark.parametrize(
    ("typed", "hint"),
    [
        ("fils", r": did you mean files\?$"),
        ("Files", r": did you mean files\?$"),
        (B[:-1] + "c", rf": did you mean {B}\?$"),
        ("zzz", r" \(servers there: a/files, files\)$"),
    ],
)
def test_what_is_near_a_name_that_nothing_has_is_told(servers: Path, typed: str, hint: str) -> None:
    with pytest.raises(TapError, match=hint):
        find_recordings(typed, str(servers))


def test_the_verbs_take_a_servers_name(servers: Path, capsys: pytest.CaptureFixture[str]) -> None:
    where = ["files", "--log-dir", str(servers)]
    assert main(["show", *where, "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["session"] == C
    assert main(["check", *where, "--json"]) == 0
    assert [each["session"] for each in json.loads(capsys.readouterr().out)["sessions"]] == [C]
    assert main(["stats", *where, "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["totals"]["sessions"] == 1
    assert main(["sessions", *where, "--json"]) == 0
    listed = [json.loads(each)["session"] for each in capsys.readouterr().out.splitlines()]
    assert listed == [A, B, C]


def test_a_link_that_leads_round_in_a_circle_is_one_entry_that_cannot_be_read(
    servers: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    before = len(find_recordings(str(servers)))
    (servers / "loop.jsonl").symlink_to("loop.jsonl")
    assert len(find_recordings(str(servers))) == before + 1
    main(["sessions", str(servers), "--json"])
    out, err = capfd.readouterr()
    assert {A, B, C} <= {json.loads(each)["session"] for each in out.splitlines()}
    assert err.count("loop.jsonl") == 1
