"""``mcp-tap wrapped``: where the tap is, and whether it still works there."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from mcp_tap.views.terminal import columns
from tests.commands.homes import changes, contents, own_command, play, state_directory


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
    assert "mcp-tap is no longer at /gone/mcp-tap: wrap it again" in told
    assert out.count(" stale ") == 3
    for width in (40, 60, 140):
        monkeypatch.setenv("COLUMNS", str(width))
        table = play(capfd, "wrapped")[1].partition("\n\n")[0]
        assert all(columns(line) <= width for line in table.splitlines())


def test_what_is_stale_is_repaired_by_wrapping_again(
    home: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    before = contents(home)
    play(capfd, "wrap", "notes", "--client", "codex", "--log-dir", str(home / "logs"))
    play(capfd, "wrap", "mine", "--log-dir", str(home / "gone"))
    play(capfd, "wrap", "files", "shared", "--command-style", "bare")
    (home / "gone").rmdir()
    codex = home / ".codex/config.toml"
    codex.write_text(
        codex.read_text()
        .replace(own_command(), "/gone/a b/mcp-tap")
        .replace('"--log-dir"', '"--max-log-size", "5M", "--log-dir"')
    )
    assert play(capfd, "wrapped")[0] == 1
    assert "+command = " in play(capfd, "wrap", "notes", "--client", "codex", "--dry-run")[1]
    found = changes(capfd, "wrap", "--all", status=1)
    states = {(each["client"], each["name"]): each["state"] for each in found}
    for key in (("codex", "notes"), ("claude-code", "mine"), ("vscode", "files"), ("claude-code", "shared")):
        assert states[key] == "wrapped"
    assert play(capfd, "wrapped")[0] == 0
    assert f'"--max-log-size", "5M", "--log-dir", "{home}/logs", "--"' in codex.read_text()
    assert f'"--log-dir", "{state_directory(home)}"' in (home / ".claude.json").read_text()
    # What works is left alone.
    assert changes(capfd, "wrap", "notes", "--client", "codex")[0]["state"] == "already"
    assert {each["state"] for each in changes(capfd, "unwrap", "--all")} == {"unwrapped"}
    assert contents(home) == before


def test_what_cannot_be_repaired_as_it_is_asked_for_is_told(
    home: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    words = ("files", "--command-style", "bare")
    play(capfd, "wrap", *words)
    (change,) = changes(capfd, "wrap", *words)
    assert (change["state"], change["reason"]) == ("already", "mcp-tap is not on the PATH")


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
