"""Files that the tap was put into, wherever they lie."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.commands.homes import Capture, changes, contents, play, state_directory

TEXT = '{"mcpServers": {"a": {"command": "x"}}}'


def memory(home: Path) -> list[str]:
    directory = Path(state_directory(home)) / "wrapped"
    return sorted(os.listdir(directory)) if directory.exists() else []


def test_a_file_that_was_named_is_listed_and_unwrapped_with_all(home: Path, capfd: Capture) -> None:
    texts = {
        "x.json": TEXT,
        "c.toml": '[mcp_servers.a]\ncommand = "x"\n',
        "k.conf": TEXT,
        "l.yaml": "mcpServers:\n- name: a\n  command: x\n",
    }
    for name, text in texts.items():
        (home / name).write_text(text)
        client = ["--client", "kiro"] if name == "k.conf" else []
        changes(capfd, "wrap", "a", "--config", str(home / name), *client)
    found = changes(capfd, "wrapped")
    assert {(each["client"], each["file"]) for each in found} == {
        (None, f"{home}/x.json"), ("codex", f"{home}/c.toml"), ("kiro", f"{home}/k.conf"),
        ("continue", f"{home}/l.yaml"),
    }  # fmt: skip
    assert [each["client"] for each in changes(capfd, "wrapped", "--client", "kiro")] == ["kiro"]
    assert changes(capfd, "wrapped", "--scope", "local") == []
    # A name means the entry that is wrapped; one of several is chosen by its file.
    _, _, err = play(capfd, "unwrap", "a")
    assert f"mcp-tap:   --config {home}/x.json   {home}/x.json (an unknown client, user)" in err
    assert len(memory(home)) == 4
    assert len(changes(capfd, "unwrap", "--all", "--dry-run")) == 4
    assert {each["state"] for each in changes(capfd, "unwrap", "--all")} == {"unwrapped"}
    assert {name: (home / name).read_text() for name in texts} == texts
    assert memory(home) == []
    assert changes(capfd, "wrapped") == []


def test_a_project_s_file_is_known_from_elsewhere(
    home: Path, capfd: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = contents(home)
    changes(capfd, "wrap", "files", "shared", "notes", "--all")
    monkeypatch.chdir("/")
    assert {each["name"] for each in changes(capfd, "wrapped")} == {"files", "shared", "notes"}
    assert len(changes(capfd, "wrapped", "--config", str(home / "project/.mcp.json"))) == 1
    assert {each["name"] for each in changes(capfd, "unwrap", "shared")} == {"shared"}
    changes(capfd, "unwrap", "--all")
    assert contents(home) == before


def test_wrapping_everything_does_not_mean_files_elsewhere(home: Path, capfd: Capture) -> None:
    (home / "x.json").write_text('{"mcpServers": {"a": {"command": "x"}, "b": {"command": "y"}}}')
    changes(capfd, "wrap", "a", "--config", str(home / "x.json"))
    assert str(home / "x.json") not in {each["file"] for each in changes(capfd, "wrap", "--all", status=1)}
    changes(capfd, "wrap", "b", "--config", str(home / "x.json"))
    changes(capfd, "unwrap", "a", "--config", str(home / "x.json"))
    assert [each["name"] for each in changes(capfd, "wrapped", "--scope", "user")].count("b") == 1


def test_nothing_is_remembered_of_what_was_not_done(home: Path, capfd: Capture) -> None:
    path = home / "x.json"
    path.write_text(TEXT)
    play(capfd, "wrap", "a", "--config", str(path), "--dry-run")
    path.chmod(0o400)
    changes(capfd, "wrap", "a", "--config", str(path), status=1)
    assert memory(home) == []


def test_a_file_that_has_gone_or_changed_is_no_trouble(home: Path, capfd: Capture) -> None:
    for name in ("x.json", "y.json", "z.json"):
        (home / name).write_text(TEXT)
        changes(capfd, "wrap", "a", "--config", str(home / name))
    (home / "x.json").unlink()
    (home / "y.json").write_text("{}")
    assert [each["file"] for each in changes(capfd, "wrapped")] == [f"{home}/z.json"]
    assert [each["file"] for each in changes(capfd, "unwrap", "--all")] == [f"{home}/z.json"]
    (home / "y.json").write_text("{")
    status, _, err = play(capfd, "wrapped")
    assert (status, f"{home}/y.json is not valid JSON" in err) == (2, True)


RECORD = {"path": "/x", "client": "", "scope": "user", "keys": ["k"], "form": "json"}
ODD: list[dict[str, object]] = [
    {"path": "x"}, {"path": "/\ud800"}, {"path": "/\0"}, {"keys": []}, {"keys": [1]}, {"keys": 1},
    {"scope": []}, {"form": "x"}, {"client": []}, {"client": "gone"}, {"path": "/dev/null/x"},
]  # fmt: skip


@pytest.mark.parametrize(
    "data",
    [
        b"", b"{", b"[]", b"null", b"1", b"\xff", b"[" * 100_000, b"{}", b'{"path": 1}',
        *(json.dumps({**RECORD, **odd}).encode() for odd in ODD),
    ],
)  # fmt: skip
def test_a_memory_that_cannot_be_read_breaks_no_verb(home: Path, capfd: Capture, data: bytes) -> None:
    changes(capfd, "wrap", "mine")
    directory = Path(state_directory(home)) / "wrapped"
    (directory / "odd.json").write_bytes(data)
    (directory / "directory.json").mkdir()
    os.mkfifo(directory / "pipe.json")
    (directory / "link.json").symlink_to("nowhere")
    status, out, err = play(capfd, "wrapped")
    assert (status, err, out.count("\n")) == (0, "", 2)
    assert [each["name"] for each in changes(capfd, "unwrap", "--all")] == ["mine"]


@pytest.mark.parametrize("what", ["file", "unwritable"])
def test_a_memory_that_cannot_be_kept_breaks_no_verb(
    home: Path, capfd: Capture, monkeypatch: pytest.MonkeyPatch, what: str
) -> None:
    before = contents(home)
    Path(state_directory(home)).mkdir(parents=True)
    if what == "file":
        (Path(state_directory(home)) / "wrapped").write_text("")
    else:

        def fail(*_: object) -> None:
            raise OSError(28, "No space left on device")

        monkeypatch.setattr("mcp_tap.clients.memory.write_in_one_step", fail)
    assert changes(capfd, "wrap", "mine")[0]["state"] == "wrapped"
    assert [each["name"] for each in changes(capfd, "wrapped")] == ["mine"]
    changes(capfd, "unwrap", "--all")
    assert contents(home) == before


def test_several_at_once_forget_nothing(home: Path, capfd: Capture) -> None:
    paths = [home / f"{number}.json" for number in range(6)]
    for path in paths:
        path.write_text(TEXT)
    running = [
        subprocess.Popen(
            [sys.executable, "-m", "mcp_tap", "wrap", "a", "--config", str(path)], stdout=subprocess.DEVNULL
        )
        for path in paths
    ]
    assert [each.wait(60) for each in running] == [0] * len(paths)
    assert {each["file"] for each in changes(capfd, "wrapped")} == set(map(str, paths))
