"""Where the project lives on the web; the one place that says so."""

from __future__ import annotations

REPOSITORY = "https://github.com/mcp-tap-recorder/mcp-tap-recorder"

SITE = "https://mcp-tap-recorder.github.io/mcp-tap-recorder/"
"""The documentation, built from ``docs/`` and from the help pages of the rules."""


def rule_url(rule: str) -> str:
    """The page of the rule with this id: its help page, with examples and what to do."""
    return f"{SITE}rules/{rule.lower()}/"
