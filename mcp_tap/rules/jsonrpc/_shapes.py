"""Whether params and results have the members of the table, and what is wrong with them."""

from __future__ import annotations

from functools import cache
from typing import Any

from mcp_tap.diagnosis.asked import is_masked
from mcp_tap.diagnosis.text import article
from mcp_tap.model.message import json_type
from mcp_tap.model.methods import METHODS
from mcp_tap.rules.jsonrpc._shape_table import OPTIONAL_SINCE, Members, Types


def has_shape(side: str, method: str | None, version: str | None) -> bool:
    """Whether what ``side`` sends as ``method`` in ``version`` has a shape that is known."""
    known = METHODS.get(method or "")
    return known is not None and known.direction in ("both", side) and version in known.versions


@cache
def optional_in(method: str, version: str | None) -> frozenset[str]:
    """Members of params that may be left out in ``version``."""
    return frozenset(
        name for (owner, name), since in OPTIONAL_SINCE.items() if owner == method and version in since
    )


PYTHON_TYPES: dict[str, tuple[type, ...]] = {
    "string": (str,),
    "number": (int, float),
    "object": (dict,),
    "array": (list,),
    "null": (type(None),),
}
"""What the parser makes of a JSON type."""


@cache
def parsed_as(types: Types) -> frozenset[type]:
    """The types of Python's that these become."""
    return frozenset(made for each in types for made in PYTHON_TYPES[each])


def fits(value: dict[str, Any], members: Members) -> bool:
    """Whether all members are there, and of their types: it is so with nearly all that is sent."""
    for name, types in members.items():
        if name not in value or (types and type(value[name]) not in parsed_as(types)):
            return False
    return True


def faults(value: dict[str, Any], members: Members, optional: frozenset[str] = frozenset()) -> list[str]:
    """What is wrong with ``value``: a member that is missing, or of another type."""
    found: list[str] = []
    for name, types in members.items():
        if name not in value:
            if name not in optional:
                found.append(f"`{name}` is missing")
        elif types and (kind := json_type(value[name])) not in types and not is_masked(value[name]):
            found.append(f"`{name}` is {article(kind)}, not {' or '.join(map(article, types))}")
    return found
