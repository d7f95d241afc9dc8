"""The names that people have for clients, besides those of the table: pure."""

from __future__ import annotations

import difflib
import re

from mcp_tap.clients.known import CLIENTS, Client

ALIASES: dict[str, tuple[str, ...]] = {
    "claude-code": ("claude", "claude-cli", "claude-code-cli", "cc"),
    "claude-desktop": ("claude-app", "claude-ai", "claude-for-desktop"),
    "cursor": ("cursor-ai", "cursor-agent", "cursor-cli", "cursor-ide"),
    "vscode": ("code", "visual-studio-code", "vs-code-insiders", "code-insiders", "vscodium", "codium"),
    "windsurf": ("codeium", "windsurf-editor", "cascade"),
    "zed": ("zed-editor", "zed-dev", "zeditor"),
    "cline": ("claude-dev", "cline-bot", "cline-cli"),
    "codex": ("codex-cli", "openai-codex"),
    "gemini": ("google-gemini", "google-gemini-cli"),
    "opencode": ("opencode-ai", "open-code-cli", "sst-opencode"),
    "copilot": ("github-copilot", "github-copilot-cli", "gh-copilot"),
    "amazon-q": ("q", "q-cli", "qchat", "q-developer", "amazon-q-cli", "amazon-q-developer",
                 "amazon-q-developer-cli", "aws-q"),
    "kiro": ("kiro-cli", "kiro-ide", "kiro-dev"),
    "lm-studio": ("lms",),
    "warp": ("warp-terminal", "warp-dev"),
    "antigravity": ("google-antigravity", "agy"),
    "junie": ("jetbrains", "jetbrains-junie", "junie-cli"),
    "goose": ("goose-cli", "goose-desktop", "block-goose", "codename-goose"),
    "continue": ("continue-dev", "continue-cli", "cn"),
}  # fmt: skip
"""Beside a client's name and title; programs' names, packages' and makers'."""

ALIKE = 0.6
"""How similar a name must be to be suggested, as :mod:`difflib` counts: "curser" for "cursor" is."""


def plain(word: str) -> str:
    """``word`` without what people write differently: ``VS Code``, ``vs-code`` and ``vscode`` are one."""
    return re.sub(r"[^a-z0-9]", "", word.lower())


BY_ALIAS: dict[str, Client] = {
    plain(word): client
    for client in CLIENTS
    for word in (client.name, client.title, *ALIASES.get(client.name, ()))
}
"""Every name in its plain form."""


def find_client(word: str) -> Client | None:
    """The client that people call ``word``; None where nobody is known to."""
    return BY_ALIAS.get(plain(word))


def nearest_client(word: str) -> Client | None:
    """The client whose name is most like ``word``; None where none is like it."""
    near = difflib.get_close_matches(plain(word), BY_ALIAS, 1, ALIKE)
    return BY_ALIAS[near[0]] if near else None
