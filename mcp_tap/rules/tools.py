"""Not written yet."""

from __future__ import annotations

from mcp_tap.rules.rule import Rule

RULES: tuple[type[Rule], ...] = ()
