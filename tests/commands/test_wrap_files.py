"""Files that ``wrap`` and ``unwrap`` replace: whole, with their backup, or not at all."""

from __future__ import annotations

import errno
import json
import os
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from mcp_tap.clients import files
from mcp_tap.commands.rewriting import write_failure
from tests.commands.homes import (
    Capture,
    changes,
    contents,
    play,
    state_directory,
)


def test_what_the_client_has_written_anew_comes_back_in_meaning_and_the_backup_stays(
    home: Path, capfd: Capture
) -> None:
    path = home / ".claude.json"
    before = json.loads(path.read_text())
    (wrapped,) = changes(capfd, "wrap", "mine")
    path.write_text(json.dumps(json.loads(path.read_text()), indent=4))
    found = changes(capfd, "unwrap", "mine")
    assert found[0]["backup"] == wrapped["backup"]
    assert os.path.exists(wrapped["backup"])
    assert json.loads(path.read_text()) == before
    # The next time begins anew.
    play(capfd, "wrap", "mine")
    _, out, _ = play(capfd, "unwrap", "mine")
    assert "backup" not in out
    assert not os.path.exists(wrapped["backup"])
    play(capfd, "wrap", "mine")
    path.write_text(json.dumps(json.loads(path.read_text())))
    _, out, _ = play(capfd, "unwrap", "mine")
    assert "the file is not byte for byte what it was before wrapping" in " ".join(out.split())


def test_a_backup_that_is_gone_is_not_missed(home: Path, capfd: Capture) -> None:
    before = contents(home)
    (wrapped,) = changes(capfd, "wrap", "mine")
    os.unlink(wrapped["backup"])
    (unwrapped,) = changes(capfd, "unwrap", "mine")
    assert unwrapped["backup"] is None
    assert not os.path.exists(wrapped["backup"])
    assert contents(home) == before


def test_a_file_that_somebody_changes_meanwhile_is_let_be(
    home: Path, capfd: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = home / ".claude.json"
    theirs = path.read_bytes().replace(b"oauthAccount", b"changed")
    keep = files.back_up

    def interfere(file: files.ConfigFile, *, is_first: bool) -> str:
        path.write_bytes(theirs)
        return keep(file, is_first=is_first)

    monkeypatch.setattr("mcp_tap.commands.rewriting.back_up", interfere)
    status, out, _ = play(capfd, "wrap", "mine")
    assert status == 1
    assert "it is in a file that another program has just changed: try again" in " ".join(out.split())
    assert path.read_bytes() == theirs


def test_a_file_that_cannot_be_written_is_let_be(
    home: Path, capfd: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = contents(home)
    os.chmod(home / ".claude.json", 0o400)
    assert changes(capfd, "wrap", "mine", status=1)[0]["reason"] == "is in a file that is read-only"
    os.chmod(home / ".claude.json", 0o600)

    def fail(*_: object, **__: object) -> None:
        raise OSError(28, "No space left on device", "/x")

    with monkeypatch.context() as patch:
        patch.setattr(os, "replace", fail)
        reason = changes(capfd, "wrap", "mine", status=1)[0]["reason"]
    assert reason == "is in a file that cannot be backed up to /x: No space left on device"
    with monkeypatch.context() as patch:
        patch.setattr("mcp_tap.commands.rewriting.replace_file", fail)
        reason = changes(capfd, "wrap", "mine", status=1)[0]["reason"]
    assert reason == "is in a file that cannot be written: No space left on device"
    assert contents(home) == before


def test_what_is_refused_leaves_no_backup_behind(
    home: Path, capfd: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    backups = Path(state_directory(home)) / "backups"
    os.chmod(home / ".claude.json", 0o400)
    play(capfd, "wrap", "mine")
    assert os.listdir(backups) == []
    os.chmod(home / ".claude.json", 0o600)
    play(capfd, "wrap", "mine")
    os.chmod(home / ".claude.json", 0o400)
    play(capfd, "wrap", "notes", "--client", "claude-code")
    assert len(os.listdir(backups)) == 1  # that is the one from before the tap


@pytest.mark.parametrize(
    ("number", "end"),
    [
        (
            errno.EBUSY,
            "written: it is a mount point of its own, so change the original file that is mounted there",
        ),
        (errno.EACCES, "written: you have no permission to write in {home}"),
    ],
)
def test_what_keeps_a_file_from_being_written_is_told(
    home: Path, capfd: Capture, monkeypatch: pytest.MonkeyPatch, number: int, end: str
) -> None:
    def fail(*_: object, **__: object) -> None:
        raise OSError(number, "no", "/x")

    monkeypatch.setattr("mcp_tap.commands.rewriting.replace_file", fail)
    reason = changes(capfd, "wrap", "mine", status=1)[0]["reason"]
    assert reason.endswith(end.format(home=home))


def test_on_windows_a_file_in_use_cannot_be_replaced(monkeypatch: pytest.MonkeyPatch) -> None:
    file = files.ConfigFile("x", "x", b"", 0o600)
    with monkeypatch.context() as patch:
        patch.setattr(os, "name", "nt")
        assert "it is in use" in write_failure(PermissionError(errno.EACCES, "Access is denied"), file)


def test_a_late_tap_does_not_overwrite_the_backup_of_the_first(
    home: Path, capfd: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = home / ".claude.json"
    old = files.read_config(str(path))
    path.write_bytes(old.data.replace(b"oauthAccount", b"newAccount"))
    newer = path.read_bytes()
    (wrapped,) = changes(capfd, "wrap", "mine")

    def read_earlier(name: str) -> files.ConfigFile:
        return old if name == str(path) else files.read_config(name)

    monkeypatch.setattr("mcp_tap.clients.open_file.read_config", read_earlier)
    assert changes(capfd, "wrap", "mine", status=1)[0]["reason"].endswith("just changed: try again")
    assert Path(wrapped["backup"]).read_bytes() == newer


def test_a_symbolic_link_and_a_mode_stay(home: Path, capfd: Capture) -> None:
    path, real = home / ".claude.json", home / "dotfiles.json"
    path.rename(real)
    path.symlink_to(real)
    real.chmod(0o604)
    play(capfd, "wrap", "mine")
    assert path.is_symlink()
    assert stat.S_IMODE(real.stat().st_mode) == 0o604
    assert "mcp-tap" in real.read_text()


def test_a_large_file_is_wrapped_at_once(home: Path, tmp_path: Path) -> None:
    path = tmp_path / "large.json"
    history = [
        {"display": f"line {number} " + "x" * 200, "pasted": {"a": [1, 2, {}]}} for number in range(20_000)
    ]
    projects = {f"/p{number}": {"history": history[number::100], "mcpServers": {}} for number in range(100)}
    path.write_text(json.dumps({"projects": projects, "mcpServers": {"a": {"command": "x"}}}, indent=2))
    assert path.stat().st_size > 5_000_000
    before = path.read_bytes()
    for verb in ("wrap", "unwrap"):
        command = [
            sys.executable,
            "-m",
            "mcp_tap",
            verb,
            "a",
            "--config",
            str(path),
            "--client",
            "claude-code",
        ]
        done = subprocess.run(command, capture_output=True, timeout=30, check=False)
        assert (done.returncode, done.stderr) == (0, b"")
    assert path.read_bytes() == before


SERVERS = 10_000


def test_thousands_of_servers_take_seconds(tmp_path: Path) -> None:
    """Where each entry looks through all others, the difference takes minutes."""
    path = tmp_path / "x.json"
    servers = {f"s{number}": {"command": "npx", "args": ["-y", f"s{number}"]} for number in range(SERVERS)}
    path.write_text(json.dumps({"mcpServers": servers}, indent=1))
    words = ["wrap", "--all", "--dry-run", "--config", str(path)]
    done = subprocess.run(
        [sys.executable, "-m", "mcp_tap", *words], capture_output=True, timeout=30, check=False
    )
    assert done.returncode == 0
    assert done.stdout.count(b'\n+   "command": ') == SERVERS


def test_among_many_servers_the_few_that_cannot_be_edited_are_found(home: Path, capfd: Capture) -> None:
    path = home / "x.yaml"
    odd = (3, 37, 38, 59)
    text = "l: &l [x]\nextensions:\n" + "".join(
        f"  s{each}:\n    cmd: npx\n    args: {'*l' if each in odd else '[-y]'}\n" for each in range(60)
    )
    path.write_text(text)
    found = changes(capfd, "wrap", "--all", "--config", str(path), status=1)
    assert [each["name"] for each in found if each["state"] == "refused"] == [f"s{each}" for each in odd]
    assert sum(each["state"] == "wrapped" for each in found) == 56
    changes(capfd, "unwrap", "--all", "--config", str(path))
    assert path.read_text() == text
