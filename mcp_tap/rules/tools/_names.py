"""The tools of a list, and what may be in their names."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from mcp_tap.diagnosis.context import Occurrence
from mcp_tap.diagnosis.misfit import is_masked

NAMES = "2025-11-25/server/tools#tool-names"

SPECIFIED_LIMIT = 128
"""Characters of a tool's name, by the specification."""

NAMES_KEPT = 1_000
"""Tools whose names are remembered as told."""


def tools_in(seen: Occurrence) -> Iterator[dict[str, Any]]:
    """The tools of a page that are objects."""
    tools = seen.result.get("tools")
    for tool in tools if seen.side == "s2c" and isinstance(tools, list) else ():
        if isinstance(tool, dict):
            yield tool


def names_in(seen: Occurrence) -> Iterator[str]:
    """The names of the tools of a page, but for those that were masked."""
    for tool in tools_in(seen):
        if isinstance(tool.get("name"), str) and not is_masked(tool["name"]):
            yield tool["name"]
