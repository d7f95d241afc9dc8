"""Entries that ``wrap`` and ``unwrap`` leave alone, and why."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from mcp_tap.clients import edit
from mcp_tap.clients.tree import ConfigError
from tests.commands.homes import (
    Capture,
    changes,
    contents,
    play,
    state_directory,
)


def test_who_asks_for_all_servers_does_not_mean_those_that_have_nothing_to_wrap(
    home: Path, capfd: Capture
) -> None:
    status, out, _ = play(capfd, "wrap", "--all", "--client", "claude-code")
    assert status == 0
    assert "skipped remote in" in out
    assert play(capfd, "wrap", "remote")[0] == 1


def test_a_file_that_cannot_be_searched_for_all_servers_is_skipped(home: Path, capfd: Capture) -> None:
    (home / ".codex/config.toml").write_text("[mcp_servers]\n[mcp_servers]\n")
    (home / ".cursor/mcp.json").write_text('{"mcpServers": {"a": {"command": "x"}}}')
    for verb in ("wrap", "unwrap"):
        status, out, err = play(capfd, verb, "--all")
        assert status == 1
        assert f"{home}/.codex/config.toml is not valid TOML" in err
        assert f"{verb}ped" in out
    assert play(capfd, "wrap", "a")[0] == 0


def test_what_is_refused_for_one_reason_is_one_line(home: Path, capfd: Capture) -> None:
    servers = {f"r{number}": {"url": "https://x"} for number in range(3)}
    (home / ".cursor/mcp.json").write_text(json.dumps({"mcpServers": servers}))
    (home / ".gemini").mkdir()
    (home / ".gemini/settings.json").write_text(json.dumps({"mcpServers": {"g": {"url": "https://x"}}}))
    reason = "each is reached over the network (url); the tap only records stdio servers"
    _, out, _ = play(capfd, "wrap", "--all")
    assert [line for line in out.splitlines() if line.startswith("skipped") and "(url)" in line] == [
        f"skipped remote in {home}/.claude.json (Claude Code, user); r0, r1 and r2 in "
        f"{home}/.cursor/mcp.json (Cursor, user); g in "
        f"{home}/.gemini/settings.json (Gemini CLI, user): {reason}"
    ]


def test_the_reasons_for_a_refusal_are_sentences(home: Path, capfd: Capture) -> None:
    (home / "s.json").write_text(
        '{"mcpServers": {"twice": {"command": "a"}, "twice": {"command": "b"},'
        ' "keys": {"command": "a", "args": [], "args": ["x"]}, "number": {"command": "a", "args": [1]}}}'
    )
    reasons = {
        each["name"]: each["reason"]
        for words in (
            ("line", "off", "remote", "developer"),
            ("twice", "keys", "number", "--config", str(home / "s.json")),
        )
        for each in changes(capfd, "wrap", *words, "--all", status=1)
    }
    assert reasons == {
        "line": "has its whole command line in one string: move the arguments to the argument list",
        "off": "is disabled; use --disabled to wrap it anyway",
        "remote": "is reached over the network (url); the tap only records stdio servers",
        "developer": "is part of an extension or of the client itself, and has no command to wrap",
        "twice": "appears twice under the same name",
        "keys": "has a duplicate key 'args'",
        "number": "has arguments that are not strings",
    }
    assert changes(capfd, "wrap", "off", "--disabled")[0]["state"] == "wrapped"


def test_a_command_with_a_space_that_is_a_file_is_wrapped(home: Path, capfd: Capture) -> None:
    program = home / "my server"
    program.write_text("")
    path = home / "x.json"
    path.write_text(json.dumps({"mcpServers": {"a": {"command": str(program)}, "b": {"command": "my tool"}}}))
    assert changes(capfd, "wrap", "a", "--config", str(path))[0]["state"] == "wrapped"
    assert play(capfd, "wrap", "b", "--config", str(path))[0] == 1
    (home / "bin").mkdir()
    (home / "bin/my tool").write_text("#!/bin/sh\n")
    (home / "bin/my tool").chmod(0o755)
    assert play(capfd, "wrap", "b", "--config", str(path))[0] == 0


def test_a_path_with_blanks_of_another_system_is_wrapped_and_comes_back(home: Path, capfd: Capture) -> None:
    path = home / "mnt/claude_desktop_config.json"
    path.parent.mkdir()
    windows = {"command": r"C:\Program Files\nodejs\node.exe", "args": ["server.js"]}
    macos = {"command": "/Applications/My Tool.app/Contents/MacOS/tool", "args": ["--stdio"]}
    text = json.dumps({"mcpServers": {"w": windows, "m": macos, "l": {"command": "npx -y x", "args": ["y"]}}})
    path.write_text(text)
    found = changes(capfd, "wrap", "--all", "--config", str(path), status=1)
    assert {each["name"]: each["state"] for each in found} == {
        "w": "wrapped", "m": "wrapped", "l": "refused",
    }  # fmt: skip
    changes(capfd, "unwrap", "--all", "--config", str(path))
    assert path.read_text() == text


def test_unwrapping_what_is_not_wrapped_is_no_failure(home: Path, capfd: Capture) -> None:
    before = contents(home)
    found = changes(capfd, "unwrap", "mine", "remote", "--client", "claude-code")
    assert [(each["state"], each["reason"]) for each in found] == [
        ("not-wrapped", None),
        ("not-wrapped", "it is reached over the network (url); the tap only records stdio servers"),
    ]
    assert "mine is not wrapped in" in play(capfd, "unwrap", "mine")[1]
    assert contents(home) == before


def test_what_is_not_proven_is_not_written(
    home: Path, capfd: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = contents(home)

    def fail(*_: object) -> None:
        raise ConfigError("is odd")

    monkeypatch.setattr(edit, "wrap", fail)
    assert changes(capfd, "wrap", "mine", status=1)[0]["reason"] == "is in a file that is odd"
    monkeypatch.undo()
    monkeypatch.setenv("HOME", str(home))
    play(capfd, "wrap", "mine", "--project", str(home / "project"))
    wrapped = contents(home)
    monkeypatch.setattr(edit, "unwrap", fail)
    assert (
        changes(capfd, "unwrap", "mine", "--project", str(home / "project"), status=1)[0]["state"]
        == "refused"
    )
    assert contents(home) == wrapped != before


def test_one_entry_that_cannot_be_edited_does_not_keep_the_others(home: Path, capfd: Capture) -> None:
    path = home / "x.yaml"
    text = (
        "l: &l [x]\nextensions:\n  a:\n    cmd: x\n    args: *l\n  b:\n    cmd: y\n"
        "  c:\n    cmd: mcp-tap\n    args: [run]\n"
    )
    path.write_text(text)
    found = changes(capfd, "wrap", "a", "b", "--config", str(path), status=1)
    assert {each["name"]: each["state"] for each in found} == {"a": "refused", "b": "wrapped"}
    found = changes(capfd, "unwrap", "--all", "--config", str(path), status=1)
    assert {each["name"]: each["reason"] for each in found} == {
        "b": None,
        "c": "is in a file that cannot be edited: c starts the tap, but without a server command",
    }
    assert path.read_text() == text
    assert changes(capfd, "wrap", "a", "a", "--config", str(path), status=1)[0]["state"] == "refused"


def test_entries_that_can_only_be_edited_apart_are_refused_together(
    home: Path, capfd: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = contents(home)
    alone = edit.wrap

    def only_alone(text: str, form: Any, chosen: list[edit.ServerEntry], *more: Any) -> edit.EditedText:
        if len(chosen) > 1:
            raise ConfigError("is odd")
        return alone(text, form, chosen, *more)

    monkeypatch.setattr(edit, "wrap", only_alone)
    found = changes(capfd, "wrap", "notes", "a.b", "--client", "codex", status=1)
    assert {each["reason"] for each in found} == {"cannot be edited safely together with the other servers"}
    assert contents(home) == before


def test_a_map_that_is_there_twice_is_broken_where_it_is_meant(home: Path, capfd: Capture) -> None:
    path = home / "x.json"
    path.write_text('{"mcpServers": {"a": {"command": "x"}}, "mcpServers": {}}')
    status, _, err = play(capfd, "wrap", "a", "--config", str(path))
    assert (status, err) == (2, f"mcp-tap: {path} has a duplicate key 'mcpServers'\n")
    # One in a project that is not meant is no matter.
    (home / ".claude.json").write_text(
        '{"mcpServers": {"a": {"command": "x"}}, "projects": {"/p": {"mcpServers": {}, "mcpServers": {}}}}'
    )
    assert changes(capfd, "wrap", "a")[0]["state"] == "wrapped"
    assert changes(capfd, "unwrap", "a")[0]["state"] == "unwrapped"


def test_an_entry_that_is_there_twice_is_refused_and_not_offered_twice(home: Path, capfd: Capture) -> None:
    path = home / ".cursor/mcp.json"
    text = '{"mcpServers": {"twin": {"command": "x"}, "twin": {"command": "y"}}}'
    path.write_text(text)
    (change,) = changes(capfd, "wrap", "twin", status=1)
    assert (change["state"], change["reason"]) == ("refused", "appears twice under the same name")
    assert changes(capfd, "unwrap", "twin")[0]["state"] == "not-wrapped"
    assert path.read_text() == text


def test_a_plugin_s_file_is_let_be_where_it_is_found_too(
    home: Path, capfd: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    plugin = home / ".claude/plugins/cache/shop/tool/1.0"
    plugin.mkdir(parents=True)
    (plugin / ".mcp.json").write_text('{"mcpServers": {"p": {"command": "x"}}}')
    monkeypatch.chdir(plugin)
    (change,) = changes(capfd, "wrap", "p", status=1)
    assert change["reason"] == (
        "is in a file that is part of a plugin, and the plugin's next update would undo the change"
    )
    states = {
        each["name"]: each["state"] for each in changes(capfd, "wrap", "--all", "--client", "claude-code")
    }
    assert states["p"] == "refused"


@pytest.mark.parametrize(
    ("text", "clause"),
    [
        ('{"manifest_version": "0.3", "server": {"mcp_config": {}}}', "is the manifest of an extension"),
        ('{"$schema": "x", "name": "a", "packages": []}', "describes a server for a registry"),
        ('{"source": {}, "environment": {}}', "describes a server for fastmcp"),
        ('{"source": {}, "deployment": {}}', "describes a server for fastmcp"),
        ('{"command": "x"}', "holds one server without a name"),
    ],
)
def test_what_describes_a_server_is_no_configuration(
    home: Path, capfd: Capture, text: str, clause: str
) -> None:
    (home / "x.json").write_text(text)
    status, _, err = play(capfd, "wrap", "a", "--config", str(home / "x.json"))
    assert (status, clause in err) == (2, True)


@pytest.mark.parametrize("where", ['"remote": true', '"experimental_environment": "remote"'])
def test_what_runs_on_another_machine_is_let_be(home: Path, capfd: Capture, where: str) -> None:
    (home / "x.json").write_text(f'{{"context_servers": {{"a": {{"command": "x", {where}}}}}}}')
    (change,) = changes(capfd, "wrap", "a", "--config", str(home / "x.json"), status=1)
    assert change["reason"] == "runs on another machine, where this tap is not installed"


def test_a_sandbox_has_to_let_the_tap_write(home: Path, capfd: Capture) -> None:
    path = home / "project/.vscode/mcp.json"
    path.write_text('{"servers": {"files": {"command": "npx", "sandboxEnabled": true}}}')
    _, out, _ = play(capfd, "wrap", "files")
    assert f"note: files runs in a sandbox: allow it to write to {state_directory(home)}" in " ".join(
        out.split()
    )
