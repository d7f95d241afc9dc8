"""A home directory with the configurations of many clients in it, secrets and all."""

from __future__ import annotations

import json
import os
import sysconfig
from pathlib import Path
from typing import Any

import pytest

from mcp_tap.cli import main

Capture = pytest.CaptureFixture[str]

SECRETS = (
    "sekret-oauth",
    "sekret-arg",
    "sekret-env",
    "sekret-url",
    "sekret-toml",
    "sekret-yaml",
    "sekret-comment",
)

FILES = {
    ".claude.json": """{
  "oauthAccount": {"token": "sekret-oauth"},
  "mcpServers": {
    "notes": {
      "type": "stdio",
      "command": "npx",
      "args": ["-y", "notes", "--token", "sekret-arg"],
      "env": { "API_KEY": "sekret-env", "REFERENCE": "${HOME}" }
    },
    "remote": {"type": "http", "url": "https://x/?key=sekret-url"}
  },
  "projects": {
    "PROJECT": {"mcpServers": {"mine": {"command": "node", "args": ["s.js"], "env": {"K": "sekret-env"}}}},
    "/elsewhere": {"mcpServers": {"far": {"command": "x"}}}
  }
}""",
    ".cursor/mcp.json": """{ "mcpServers": { // sekret-comment
  "line": { "command": "npx -y foo" },
  "off": {"command": "npx", "disabled": true},
  "notes": {"command": "npx"}, } }""",
    ".codex/config.toml": """model = "x"
[mcp_servers.notes] # sekret-comment
command = "npx" # c
args = [
  "-y",   # yes
  "notes",
]
[mcp_servers.notes.env]
KEY = "sekret-toml"
[mcp_servers."a.b"]
command = "npx"
""",
    ".config/goose/config.yaml": """# goose
extensions:
  gnotes:
    type: stdio
    cmd: npx   # sekret-comment
    args:
      - -y
    envs:
      KEY: sekret-yaml
    timeout: 300
    enabled: true
  developer: {type: builtin, name: developer}
""",
    ".config/opencode/opencode.json": '{"mcp": {"oc": {"type": "local", "command": ["npx", "-y", "oc"]}}}',
    "project/.vscode/mcp.json": '{\r\n\t"servers": {\r\n'
    '\t\t"files": {"command":"npx","args":["-y","fs"],}, // c\r\n\t},\r\n}',
    "project/.mcp.json": '{"mcpServers":{"shared":{"command":"uvx","args":["mcp-server-time"]}}}\n',
}  # fmt: skip


VARIABLES = (
    "XDG_CONFIG_HOME", "XDG_STATE_HOME", "CLAUDE_CONFIG_DIR", "CODEX_HOME", "COPILOT_HOME", "CLINE_DIR",
    "CLINE_MCP_SETTINGS_PATH", "OPENCODE_CONFIG", "OPENCODE_CONFIG_DIR", "GEMINI_CLI_HOME", "COLUMNS",
)  # fmt: skip
"""What would lead elsewhere."""


def make_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Fill a home, and go to the project in it, which is a repository."""
    home = tmp_path / "home"
    (home / "project/.git").mkdir(parents=True)
    for name, text in FILES.items():
        path = home / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text.replace("PROJECT", str(home / "project")).encode())
    for name in VARIABLES:
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.setenv("PATH", f"{home / 'bin'}:/usr/bin:/bin")
    monkeypatch.chdir(home / "project")
    return home


def contents(home: Path) -> dict[str, bytes]:
    """All configurations as they are now."""
    return {name: (home / name).read_bytes() for name in FILES}


def play(capfd: Capture, *words: str) -> tuple[int, str, str]:
    """Status, stdout, stderr of a verb, in which no secret may be."""
    try:
        status = main(list(words))
    except SystemExit as end:
        status = int(str(end.code))
    out, err = capfd.readouterr()
    assert "Traceback" not in err
    assert not [secret for secret in SECRETS if secret in out + err]
    return status, out, err


def changes(capfd: Capture, *words: str, status: int = 0) -> list[dict[str, Any]]:
    code, out, _ = play(capfd, *words, "--json")
    assert code == status
    found: list[dict[str, Any]] = json.loads(out)["changes"]
    return found


def state_directory(home: Path) -> str:
    return str(home / ".local/state/mcp-tap")


def own_command() -> str:
    return os.path.join(sysconfig.get_path("scripts"), "mcp-tap")
