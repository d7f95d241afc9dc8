"""Files that hold servers and are never changed: their owner would undo the change, or must make it."""

from __future__ import annotations

import fnmatch
import os

POLICY = "an administrator's policy, which mcp-tap does not change"
PLUGIN = "part of a plugin, and the plugin's next update would undo the change"
EXTENSION = "part of an extension, and its next update would undo the change"

FORBIDDEN: tuple[tuple[str, str], ...] = (
    ("*/managed-mcp.json", POLICY),
    ("*/managed_config.toml", POLICY),
    ("/etc/claude-code/*", POLICY),
    ("/etc/codex/*", POLICY),
    ("/etc/opencode/*", POLICY),
    ("/etc/gemini-cli/*", POLICY),
    ("*/application support/claudecode/*", POLICY),
    ("*/application support/opencode/*", POLICY),
    ("*/application support/geminicli/*", POLICY),
    ("*/program files/claudecode/*", POLICY),
    ("*/programdata/claudecode/*", POLICY),
    ("*/programdata/gemini-cli/*", POLICY),
    ("*/programdata/opencode/*", POLICY),
    ("*/.claude/plugins/*", PLUGIN),
    ("*/plugins/cache/*/*/*/.mcp.json", PLUGIN),
    ("*/plugins/marketplaces/*/.mcp.json", PLUGIN),
    ("*/.claude-plugin/*", PLUGIN),
    ("*/gemini-extension.json", EXTENSION),
    ("*/claude extensions/*", EXTENSION),
)
"""Files (as patterns of :mod:`fnmatch`, with "/" and in small letters on every system) that are refused."""


def forbidden(path: str) -> str | None:
    """What a file is that must never be changed, as a clause that follows its name; else None."""
    for name in {path, os.path.realpath(path)}:
        plain = name.replace("\\", "/").lower()
        for pattern, what in FORBIDDEN:
            if fnmatch.fnmatchcase(plain, pattern):
                return f"is {what}"
    return None
