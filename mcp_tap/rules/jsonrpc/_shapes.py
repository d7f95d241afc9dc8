"""Whether params and results have the members of the table, and what is wrong with them."""

from __future__ import annotations

from typing import Any

from mcp_tap.diagnosis.asked import is_masked
from mcp_tap.diagnosis.text import article
from mcp_tap.model.message import Side, json_type
from mcp_tap.model.methods import METHODS
from mcp_tap.rules.jsonrpc._shape_table import Members


def has_shape(method: str | None, side: Side, version: str | None) -> bool:
    """Whether what ``side`` sends as ``method`` in ``version`` has a shape that is known."""
    known = METHODS.get(method or "")
    return known is not None and known.direction in ("both", side) and version in known.versions


def faults(value: dict[str, Any], members: Members, optional: frozenset[str] = frozenset()) -> list[str]:
    """What is wrong with ``value``: a member that is missing, or of another type."""
    found: list[str] = []
    for name, types in members.items():
        if name not in value:
            if name not in optional:
                found.append(f"`{name}` is missing")
        elif types and json_type(value[name]) not in types and not is_masked(value[name]):
            found.append(
                f"`{name}` is {article(json_type(value[name]))}, not {' or '.join(map(article, types))}"
            )
    return found
