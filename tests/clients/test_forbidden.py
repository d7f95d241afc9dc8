"""Files that are not the user's to change."""

from __future__ import annotations

from pathlib import Path

import pytest

from mcp_tap.clients.forbidden import FORBIDDEN, forbidden


@pytest.mark.parametrize(
    "path",
    [
        "/etc/claude-code/managed-mcp.json",
        "/Library/Application Support/ClaudeCode/managed-mcp.json",
        "C:\\Program Files\\ClaudeCode\\managed-mcp.json",
        "/home/me/.claude/plugins/cache/x/.mcp.json",
        "/x/.claude-plugin/plugin.json",
        "/home/me/.gemini/extensions/x/gemini-extension.json",
        "/home/me/Library/Application Support/Claude/Claude Extensions/x/manifest.json",
        "/etc/codex/managed_config.toml",
        "/etc/gemini-cli/settings.json",
        "/Library/Application Support/GeminiCli/system-defaults.json",
        "C:\\ProgramData\\gemini-cli\\settings.json",
        "c:\\programdata\\claudecode\\managed-settings.json",
        "/home/me/moved/plugins/cache/shop/tool/1.0/.mcp.json",
        "/home/me/moved/plugins/marketplaces/shop/tool/.mcp.json",
    ],
)
def test_what_is_not_the_user_s_to_change_is_forbidden(path: str) -> None:
    what = forbidden(path)
    assert what is not None
    assert what.startswith("is ")
    assert forbidden("/home/me/.claude.json") is None
    assert all(what for _, what in FORBIDDEN)


def test_a_link_to_what_is_forbidden_is_forbidden(tmp_path: Path) -> None:
    path = tmp_path / ".claude/plugins/x/.mcp.json"
    path.parent.mkdir(parents=True)
    path.write_text("{}")
    (tmp_path / "link.json").symlink_to(path)
    assert forbidden(str(tmp_path / "link.json")) is not None
