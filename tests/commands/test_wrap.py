"""``mcp-tap wrap`` and ``unwrap`` on a home directory with the files of many clients."""

from __future__ import annotations

import json
import os
import stat
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from mcp_tap.clients import tap_command
from mcp_tap.commands.run_options import read_run_options
from mcp_tap.views.terminal import columns
from tests.commands.homes import (
    FILES,
    Capture,
    changes,
    contents,
    own_command,
    play,
    state_directory,
)


def test_a_server_that_is_in_one_place_is_wrapped_and_comes_back(home: Path, capfd: Capture) -> None:
    before = contents(home)
    status, out, err = play(capfd, "wrap", "mine")
    assert (status, err) == (0, "")
    project = str(home / "project")
    assert out.startswith(f"wrapped mine in {home}/.claude.json (Claude Code, local for\n  {project})\n") or (
        f"wrapped mine in {home}/.claude.json" in out
    )
    assert "next: in a running Claude Code, run /mcp, select the server and choose" in out
    document = json.loads((home / ".claude.json").read_text())
    entry = document["projects"][project]["mcpServers"]["mine"]
    assert entry["command"] == own_command()
    options, server = read_run_options(entry["args"][1:])
    assert server == ["node", "s.js"]
    assert (options.name, options.log_dir) == ("mine", state_directory(home))
    assert os.path.isdir(state_directory(home))

    status, out, err = play(capfd, "unwrap", "mine")
    assert (status, err) == (0, "")
    assert "unwrapped mine in" in out
    assert contents(home) == before


def test_everything_is_wrapped_and_comes_back_byte_for_byte(home: Path, capfd: Capture) -> None:
    before = contents(home)
    found = changes(capfd, "wrap", "--all", status=1)
    assert {(each["client"], each["name"], each["state"]) for each in found} == {
        ("claude-code", "notes", "wrapped"), ("claude-code", "remote", "refused"),
        ("claude-code", "mine", "wrapped"), ("claude-code", "shared", "wrapped"),
        ("cursor", "line", "refused"), ("cursor", "off", "refused"), ("cursor", "notes", "wrapped"),
        ("codex", "notes", "wrapped"), ("codex", "a.b", "wrapped"), ("goose", "gnotes", "wrapped"),
        ("goose", "developer", "refused"), ("opencode", "oc", "wrapped"), ("vscode", "files", "wrapped"),
    }  # fmt: skip
    assert not [name for name, data in contents(home).items() if data == before[name]]
    backups = {each["backup"] for each in found if each["state"] == "wrapped"}
    assert len(backups) == len(FILES)
    for backup in backups:
        assert stat.S_IMODE(os.stat(backup).st_mode) == 0o600
    assert {Path(backup).read_bytes() for backup in backups} == set(before.values())

    again = changes(capfd, "wrap", "--all", status=1)
    assert {each["state"] for each in again} == {"already", "refused"}

    out = changes(capfd, "unwrap", "--all")
    assert {each["state"] for each in out} == {"unwrapped"}
    assert {each["backup"] for each in out} == {None}
    assert contents(home) == before
    assert not [backup for backup in backups if os.path.exists(backup)]
    assert changes(capfd, "unwrap", "--all") == []


@pytest.mark.parametrize(
    ("name", "style", "tap"),
    [
        ("mine", None, [own_command()]),
        ("mine", "bare", ["mcp-tap"]),
        ("mine", "module", [sys.executable, "-P", "-m", "mcp_tap"]),
        ("files", None, [own_command()]),
        ("files", "bare", ["mcp-tap"]),
        ("shared", None, [own_command()]),
    ],
)
def test_the_tap_is_written_as_the_file_or_the_user_asks(
    home: Path, capfd: Capture, name: str, style: str | None, tap: list[str]
) -> None:
    before = contents(home)
    directory = str(home / "logs")
    options = ["--log-dir", directory, *(["--command-style", style] if style else [])]
    status, out, err = play(capfd, "wrap", name, *options)
    assert status == 0
    assert stat.S_IMODE(os.stat(directory).st_mode) == 0o700
    text = b"".join(contents(home).values()).decode()
    words = ", ".join(
        json.dumps(word) for word in [*tap[1:], "run", "--name", name, "--log-dir", directory, "--"]
    )
    assert words.replace(", ", ",") in text.replace(", ", ",")
    assert json.dumps(tap[0]) in text
    assert ("mcp-tap is not on the PATH" in err) == (tap == ["mcp-tap"])
    note = "now contains paths of this machine (mcp-tap is not on the PATH): unwrap it before you commit it"
    assert (note in out) == (name != "mine")
    assert changes(capfd, "unwrap", name)[0]["state"] == "unwrapped"
    assert contents(home) == before


@pytest.mark.parametrize("style", ["absolute", "module"])
@pytest.mark.parametrize("with_args", [True, False])
def test_what_is_written_starts_the_server_and_records_it(
    home: Path, capfd: Capture, style: str, with_args: bool
) -> None:
    path = home / "x.json"
    entry = {"command": "cat", "args": ["-", "-u"]} if with_args else {"command": "cat"}
    path.write_text(json.dumps({"mcpServers": {"ünï server": entry}}))
    play(capfd, "wrap", "ünï server", "--config", str(path), "--command-style", style)
    written = json.loads(path.read_text())["mcpServers"]["ünï server"]
    line = '{"jsonrpc":"2.0","id":1,"method":"ping"}\n'
    done = subprocess.run(
        [written["command"], *written["args"]], input=line, capture_output=True, text=True, timeout=30,
        check=False, env={"PATH": os.environ["PATH"]},
    )  # fmt: skip
    assert (done.returncode, done.stdout, done.stderr) == (0, line, "")
    (recording,) = Path(state_directory(home)).glob("*.jsonl")
    assert "ünï-server" in recording.name
    assert changes(capfd, "unwrap", "ünï server", "--config", str(path))[0]["state"] == "unwrapped"
    assert json.loads(path.read_text())["mcpServers"]["ünï server"] == entry


def test_the_command_is_the_link_by_which_it_was_called(
    home: Path, capfd: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    link = home / "bin/mcp-tap"
    link.parent.mkdir()
    link.symlink_to(own_command())
    monkeypatch.setattr(sys, "argv", [str(link), "wrap"])
    assert tap_command.own_script() == str(link)
    _, out, err = play(capfd, "wrap", "files", "shared")
    assert err == ""
    assert "note: the file is part of a project and now contains paths of this machine: unwrap it" in out
    # It is on the PATH.
    assert '"command":"mcp-tap"' in (home / "project/.vscode/mcp.json").read_text()
    assert '"command":"mcp-tap"' in (home / "project/.mcp.json").read_text()
    monkeypatch.setattr(sys, "argv", ["x"])
    monkeypatch.setattr("sysconfig.get_path", lambda _: "/nowhere")
    assert tap_command.tap_command("absolute") == [sys.executable, "-P", "-m", "mcp_tap"]


def test_an_archive_is_written_as_what_starts_it(
    home: Path, capfd: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    archive = home / "mcp-tap.pyz"
    with zipfile.ZipFile(archive, "w") as packed:
        packed.writestr("__main__.py", "import sys; sys.exit(0)")
    monkeypatch.setattr(sys, "argv", [str(archive), "wrap"])
    for style in ("absolute", "module"):
        changes(capfd, "wrap", "oc", "--command-style", style)
        command = json.loads((home / ".config/opencode/opencode.json").read_text())["mcp"]["oc"]["command"]
        assert command[:3] == [sys.executable, str(archive), "run"]
        archive.rename(home / "away")
        (entry,) = json.loads(play(capfd, "wrapped", "--json")[1])["changes"]
        assert entry["reason"] == f"mcp-tap is no longer at {archive}: wrap it again"
        (home / "away").rename(archive)
        changes(capfd, "unwrap", "oc")
    other = archive.rename(home / "tool.pyz")
    monkeypatch.setattr(sys, "argv", [str(other), "wrap"])
    status, _, err = play(capfd, "wrap", "oc")
    assert (status, f"rename {other} to mcp-tap.pyz" in err) == (2, True)


@pytest.mark.parametrize("how", ["fails", "is not there"])
def test_a_tap_that_starts_here_only_is_not_written(
    home: Path, capfd: Capture, monkeypatch: pytest.MonkeyPatch, how: str
) -> None:
    program = home / "python"
    program.write_text("#!/bin/sh\nexit 1\n")
    program.chmod(0o700 if how == "fails" else 0o600)
    monkeypatch.setattr(sys, "executable", str(program))
    before = contents(home)
    status, _, err = play(capfd, "wrap", "oc", "--command-style", "module")
    assert (status, err) == (
        2, f"mcp-tap: {program} -P -m mcp_tap does not start mcp-tap outside this directory: "
        "install mcp-tap and try again\n",
    )  # fmt: skip
    assert contents(home) == before


def test_a_dry_run_shows_the_change_and_touches_nothing(home: Path, capfd: Capture) -> None:
    before = contents(home)
    status, out, err = play(capfd, "wrap", "notes", "gnotes", "shared", "line", "--all", "--dry-run")
    assert status == 1
    assert contents(home) == before
    assert not os.path.exists(state_directory(home))
    assert f"--- {home}/.codex/config.toml\n" in out
    assert '-      "command": "npx",\n' in out
    assert f'+      "command": "{own_command()}",\n' in out
    assert '       "env": { "API_KEY": "[masked]", "REFERENCE": "${HOME}" }\n' in out
    assert '"-y", "notes", "--token", "[masked]"]' in out
    assert '-command = "npx" # [masked]\n' in out
    assert '+    - "run"\n' in out or '+      - "run"\n' in out
    assert f"would wrap notes in {home}/.claude.json (Claude Code, user)" in err
    assert f"skipped line in {home}/.cursor/mcp.json (Cursor, user): it has its whole command line" in err
    found = json.loads(play(capfd, "wrap", "mine", "--dry-run", "--json")[1])
    assert found["dry_run"] is True
    assert found["changes"][0]["state"] == "wrapped"


def test_a_dry_run_of_unwrapping_shows_the_way_back(home: Path, capfd: Capture) -> None:
    play(capfd, "wrap", "mine")
    wrapped = contents(home)
    status, out, err = play(capfd, "unwrap", "mine", "--dry-run")
    assert status == 0
    assert contents(home) == wrapped
    assert [line[0] for line in out.splitlines()[3:] if line[0] in "-+"] == ["-", "+"]
    assert "would unwrap mine" in err


def test_a_file_in_one_line_is_shown_around_its_change(home: Path, capfd: Capture) -> None:
    path = home / "long.json"
    servers = {f"s{number}": {"command": f"c{number}", "args": []} for number in range(5000)}
    path.write_text(json.dumps({"mcpServers": servers}))
    _, out, _ = play(capfd, "wrap", "s2500", "--config", str(path), "--dry-run")
    lines = out.splitlines()
    assert [line[:2] for line in lines[3:]] == ["-…", "\\ ", "+…", "\\ "]
    assert all(len(line) < 600 for line in lines)
    assert '"s2500": {"command": "c2500", "args": []}' in lines[3]


@pytest.mark.parametrize("name", ["mine", "files", "shared", "oc", "gnotes"])
def test_one_server_takes_three_lines_and_the_next_step(home: Path, capfd: Capture, name: str) -> None:
    _, out, err = play(capfd, "wrap", name)
    lines = out.splitlines()
    assert (err, len(lines) <= 4) == ("", True)
    assert lines[0].startswith(f"wrapped {name} in {home}/")
    assert lines[1].startswith(f"backup: {state_directory(home)}/backups/")
    assert lines[1].endswith(" (with any secrets in it, readable only by you, deleted on unwrap)")
    assert [line.partition(":")[0] for line in lines[2:]] in (["note", "next"], ["next"])


def test_output_fits_the_terminal(home: Path, capfd: Capture, monkeypatch: pytest.MonkeyPatch) -> None:
    for width in (60, 140):
        monkeypatch.setenv("COLUMNS", str(width))
        for words in (("wrap", "--all"), ("unwrap", "--all")):
            _, out, _ = play(capfd, *words)
            long = [line for line in out.splitlines() if columns(line) > width]
            assert all(" " not in line.strip() for line in long)  # a path is not broken
