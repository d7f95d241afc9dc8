"""``mcp-tap wrap --print``: what starts servers through the tap without touching a file."""

from __future__ import annotations

import json
import os
import shlex
import sysconfig
import tomllib
from pathlib import Path
from typing import Any

import pytest
import yaml

from mcp_tap.cli import main
from mcp_tap.commands.selecting import shell_line
from tests.commands.homes import SECRETS, contents

TAP = os.path.join(sysconfig.get_path("scripts"), "mcp-tap")

Capture = pytest.CaptureFixture[str]


def printed(capfd: Capture, *words: str, secret: bool = False) -> tuple[str, str]:
    status = main(["wrap", "--print", *words])
    out, err = capfd.readouterr()
    assert status == 0
    assert any(text in out for text in SECRETS) == secret
    return out, err


def tapped(home: Path, name: str, *server: str) -> list[str]:
    return ["run", "--name", name, "--log-dir", f"{home}/.local/state/mcp-tap", "--", *server]


def test_claude_code_gets_a_command_line(home: Path, capfd: Capture) -> None:
    before = contents(home)
    out, err = printed(capfd, "notes", "mine", "--client", "claude-code")
    words = shlex.split(out)
    # --mcp-config takes whatever follows, and a prompt may.
    assert [*words[:2], *words[3:]] == ["claude", "--mcp-config", "--strict-mcp-config"]
    assert json.loads(words[2]) == {
        "mcpServers": {
            "notes": {
                "type": "stdio",
                "command": TAP,
                "args": tapped(home, "notes", "npx", "-y", "notes", "--token", "[masked]"),
                "env": {"API_KEY": "${API_KEY}", "REFERENCE": "${HOME}"},
            },
            "mine": {"command": TAP, "args": tapped(home, "mine", "node", "s.js"), "env": {"K": "${K}"}},
        }
    }
    assert err.splitlines() == [
        "mcp-tap: printed as references to environment variables of the same name: API_KEY, K "
        "(use --with-secrets to print the values)",
        "mcp-tap: values that look like secrets are masked, so this will not work as printed "
        "(use --with-secrets to print them)",
    ]
    assert contents(home) == before
    assert not (home / ".local").exists()


def test_secrets_are_printed_for_those_who_ask(home: Path, capfd: Capture) -> None:
    out, err = printed(capfd, "notes", "--client", "claude-code", "--with-secrets", "--json", secret=True)
    entry = json.loads(out)["mcpServers"]["notes"]
    assert entry["env"]["API_KEY"] == "sekret-env"
    assert entry["args"][-1] == "sekret-arg"
    assert err == ""


def test_codex_gets_settings_that_come_over_those_of_its_file(home: Path, capfd: Capture) -> None:
    out, err = printed(capfd, "notes", "--client", "codex")
    words = shlex.split(out)
    assert words[0] == "codex"
    assert words[1::2] == ["-c", "-c"]
    settings = tomllib.loads("\n".join(words[2::2]))
    assert settings == {
        "mcp_servers": {"notes": {"command": TAP, "args": tapped(home, "notes", "npx", "-y", "notes")}}
    }
    assert err == ""
    assert main(["wrap", "--print", "a.b"]) == 2
    assert "codex -c cannot name the server 'a.b': wrap it in the file instead" in capfd.readouterr().err
    assert "a.b" in json.loads(printed(capfd, "a.b", "--json")[0])["mcp_servers"]


def test_copilot_gets_an_additional_configuration(home: Path, capfd: Capture) -> None:
    (home / ".copilot").mkdir()
    (home / ".copilot/mcp-config.json").write_text(
        '{"mcpServers": {"c": {"command": "x", "env": {"K": "sekret-c"}, "headers": {"A": "$B"}}}}'
    )
    out, err = printed(capfd, "c", "--command-style", "bare")
    words = shlex.split(out)
    assert words[:2] == ["copilot", "--additional-mcp-config"]
    assert json.loads(words[2])["mcpServers"]["c"] == {
        "command": "mcp-tap", "args": tapped(home, "c", "x"), "env": {"K": "[masked]"},
        "headers": {"A": "$B"},
    }  # fmt: skip
    assert err == "mcp-tap: masked: K (use --with-secrets to print the values)\n"


def test_a_secret_may_be_a_number_or_in_a_list(home: Path, capfd: Capture) -> None:
    path = home / "x.json"
    entry = {"command": "x", "env": {"PIN": 1234, "UNSET": None}, "headers": ["A: sekret"], "timeout": 5,
             "oauth": {"clientSecret": "sekret", "on": True}, "alwaysAllow": ["read"]}  # fmt: skip
    path.write_text(json.dumps({"mcpServers": {"a": entry}}))
    out, _ = printed(capfd, "a", "--config", str(path), "--client", "cursor")
    assert "sekret" not in out
    assert json.loads(out)["mcpServers"]["a"] == {
        **entry, "command": TAP, "args": tapped(home, "a", "x"), "env": {"PIN": "${env:PIN}", "UNSET": None},
        "headers": ["[masked]"], "oauth": {"clientSecret": "[masked]", "on": True},
    }  # fmt: skip


def test_a_secret_may_be_in_any_setting(home: Path, capfd: Capture) -> None:
    entry = {"command": "x", "proxy": "http://me:sekret-url@h", "more": {"list": ["--token=sekret-arg"]}}
    (home / ".cursor/mcp.json").write_text(json.dumps({"mcpServers": {"p": entry}}))
    out, err = printed(capfd, "p")
    assert json.loads(out)["mcpServers"]["p"]["proxy"] == "http://[masked]@h"
    assert "values that look like secrets are masked" in err


def test_what_is_nested_too_deep_to_be_printed_is_a_sentence(home: Path, capfd: Capture) -> None:
    nest = "[" * 700 + "]" * 700
    (home / ".cursor/mcp.json").write_text(f'{{"mcpServers": {{"p": {{"command": "x", "z": {nest}}}}}}}')
    assert main(["wrap", "p", "--print"]) == 2
    assert capfd.readouterr().err == (
        "mcp-tap: an entry is nested too deeply to print: wrap it in the file instead\n"
    )


def test_others_get_a_configuration_in_the_shape_of_theirs(home: Path, capfd: Capture) -> None:
    assert json.loads(printed(capfd, "oc")[0]) == {
        "mcp": {"oc": {"type": "local", "command": [TAP, *tapped(home, "oc", "npx", "-y", "oc")]}}
    }
    assert json.loads(printed(capfd, "files")[0]) == {
        "servers": {"files": {"command": TAP, "args": tapped(home, "files", "npx", "-y", "fs")}}
    }
    goose: Any = yaml.safe_load(printed(capfd, "gnotes")[0])
    assert goose == {
        "extensions": {
            "gnotes": {"type": "stdio", "cmd": TAP, "args": tapped(home, "gnotes", "npx", "-y"),
                       "envs": {"KEY": "[masked]"},
                       "timeout": 300, "enabled": True}
        }
    }  # fmt: skip
    path = home / "list.yaml"
    path.write_text("mcpServers:\n- name: a\n  command: x\n")
    listed = yaml.safe_load(printed(capfd, "a", "--config", str(path))[0])
    assert listed == {"mcpServers": [{"name": "a", "command": TAP, "args": tapped(home, "a", "x")}]}
    nested = home / "nested.json"
    nested.write_text('{"context_servers": {"a": {"command": {"path": "x"}}}}')
    assert json.loads(printed(capfd, "a", "--config", str(nested))[0]) == {
        "context_servers": {"a": {"command": {"path": TAP, "args": tapped(home, "a", "x")}}}
    }


def test_what_cannot_be_printed_is_a_sentence(home: Path, capfd: Capture) -> None:
    for words, status, sentence in (
        (
            ("notes", "--all"),
            2,
            "--print works for one client at a time: add --client (claude-code, cursor, codex)",
        ),
        (("notes",), 2, "'notes' is configured in 3 places"),
        (("remote",), 1, "skipped remote in"),
        (("a", "--config", str(home / "y.yaml")), 2, "has values that cannot be printed"),
    ):
        (home / "y.yaml").write_text("extensions:\n  a:\n    cmd: x\n    since: 2026-99-99\n    x: !odd y\n")
        assert main(["wrap", "--print", *words]) == status
        out, err = capfd.readouterr()
        assert out == ""
        assert sentence in err
    assert main(["wrap", "--print", "--all", "--client", "goose"]) == 0


def test_a_line_for_the_shell_of_the_system(monkeypatch: pytest.MonkeyPatch) -> None:
    words = ["a b", 'c"d', "e"]
    assert shell_line(words) == "'a b' 'c\"d' e"
    with monkeypatch.context() as patch:
        patch.setattr(os, "name", "nt")
        assert shell_line(words) == '"a b" c\\"d e'
