"""``mcp-tap wrapped``: where the tap is, and whether it still works there."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from mcp_tap.views.terminal import columns
from tests.commands.homes import play


def test_nothing_is_wrapped_at_first(home: Path, capfd: pytest.CaptureFixture[str]) -> None:
    assert play(capfd, "wrapped") == (0, "", "mcp-tap: no wrapped servers in the 7 files searched\n")
    assert json.loads(play(capfd, "wrapped", "--json")[1]) == {"changes": []}


def test_unwrapping_everything_where_nothing_is_wrapped_says_so(
    home: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    one = home / ".cursor/mcp.json"
    assert play(capfd, "unwrap", "--all") == (0, "", "mcp-tap: no wrapped servers in the 7 files searched\n")
    assert (
        play(capfd, "unwrap", "--all", "--config", str(one))[2] == f"mcp-tap: no wrapped servers in {one}\n"
    )
    assert play(capfd, "unwrap", "--all", "--json")[2] == ""


def test_every_wrapped_entry_is_listed_those_of_other_projects_too(
    home: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    play(capfd, "wrap", "notes", "gnotes", "--all")
    play(capfd, "wrap", "far", "--project", "/elsewhere")
    status, out, err = play(capfd, "wrapped")
    assert (status, err) == (0, "")
    rows = [line.split() for line in out.splitlines()]
    assert rows[0] == ["NAME", "CLIENT", "SCOPE", "STATE", "FILE"]
    assert [row[:4] for row in rows[1:]] == [
        ["notes", "claude-code", "user", "ok"], ["far", "claude-code", "local", "ok"],
        ["notes", "cursor", "user", "ok"], ["notes", "codex", "user", "ok"],
        ["gnotes", "goose", "user", "ok"],
    ]  # fmt: skip
    found = json.loads(play(capfd, "wrapped", "--json", "--client", "claude-code")[1])["changes"]
    assert found == [
        {"client": "claude-code", "scope": scope, "file": f"{home}/.claude.json", "name": name,
         "state": "wrapped", "reason": None, "backup": None, "project": project}
        for scope, name, project in (("user", "notes", None), ("local", "far", "/elsewhere"))
    ]  # fmt: skip


def test_what_is_stale_is_told_with_what_is_wrong(
    home: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    play(capfd, "wrap", "mine", "--log-dir", str(home / "logs"))
    play(capfd, "wrap", "files", "--command-style", "bare")
    play(capfd, "wrap", "oc")
    path = home / ".config/opencode/opencode.json"
    words = json.loads(path.read_text())["mcp"]["oc"]["command"]
    path.write_text(path.read_text().replace(words[0], "/gone/mcp-tap"))
    (home / "logs").rmdir()
    status, out, _ = play(capfd, "wrapped")
    assert status == 1
    told = " ".join(out.split())
    assert f"mine in {home}/.claude.json (Claude Code, local for {home}/project): the log directory " in told
    assert f"the log directory {home}/logs no longer exists" in told
    assert f"files in {home}/project/.vscode/mcp.json (VS Code, project): mcp-tap is not on the PATH" in told
    assert "mcp-tap is no longer at /gone/mcp-tap: unwrap and wrap again" in told
    assert out.count(" stale ") == 3
    for width in (40, 60, 140):
        monkeypatch.setenv("COLUMNS", str(width))
        table = play(capfd, "wrapped")[1].partition("\n\n")[0]
        assert all(columns(line) <= width for line in table.splitlines())
    # wrap notes it, and leaves it to the user.
    status, out, _ = play(capfd, "wrap", "oc")
    assert status == 0
    assert "oc is already wrapped in" in out
    assert "mcp-tap is no longer at /gone/mcp-tap" in " ".join(out.split())


def test_a_file_that_cannot_be_looked_into_is_a_failure_and_the_others_are_listed(
    home: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    play(capfd, "wrap", "oc")
    (home / ".cursor/mcp.json").unlink()
    (home / ".cursor/mcp.json").mkdir()
    (home / ".codex/config.toml").write_text("[mcp_servers]\n[mcp_servers]\n")
    (home / ".config/goose/config.yaml").write_text("extensions: {}\nextensions: {}\n")
    status, out, err = play(capfd, "wrapped")
    assert status == 2
    assert "oc" in out
    assert err.splitlines() == [
        f"mcp-tap: cannot read {home}/.cursor/mcp.json: Is a directory",
        f"mcp-tap: {home}/.codex/config.toml is not valid TOML: Cannot declare ('mcp_servers',) twice "
        "(at line 2, column 13)",
        f"mcp-tap: {home}/.config/goose/config.yaml has a duplicate key 'extensions'",
    ]
