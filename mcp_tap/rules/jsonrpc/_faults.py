"""The words for what does not have its shape: which part, and what it is instead."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import islice
from typing import Any, NamedTuple

from mcp_tap.diagnosis.text import ticked
from mcp_tap.model.methods import CATALOGUE
from mcp_tap.rules.jsonrpc._shapes import Fault, Path, Shape

FAULTS_LOOKED_AT = 1_000
"""Faults of one message that are counted."""

FAULTS_SHOWN = 3


class Faults(NamedTuple):
    """What is wrong with a message; ``what`` is for the sentence, ``key`` is without numbers of items."""

    what: str
    key: str
    of_values: bool
    """Whether all types are right."""


def faults_of(shape: Shape, value: dict[str, Any], version: str) -> Faults | None:
    """What does not have its shape in ``value``; None where that is nothing."""
    alike: dict[tuple[str, str], list[Fault]] = {}
    for fault in islice(shape.faults(value, version), FAULTS_LOOKED_AT):
        alike.setdefault((shown_path(fault.path, False), fault.problem), []).append(fault)
    if not alike:
        return None
    shown = list(alike.items())[:FAULTS_SHOWN]
    more = f" and {len(alike) - FAULTS_SHOWN:,} more" if len(alike) > FAULTS_SHOWN else ""
    return Faults(
        ", ".join(sentence_of(value, group) for _, group in shown) + more,
        ", ".join(f"{path} {problem}" for (path, problem), _ in shown) + more,
        all(fault.of_value for group in alike.values() for fault in group),
    )


def sentence_of(value: dict[str, Any], alike: list[Fault]) -> str:
    """The first of faults that are alike, whose item has a name, and how many there are more."""
    first = alike[0]
    name = owner_of(value, first.path)
    owner = "" if name is None else f" (of {ticked(name)})"
    more = f" (and {len(alike) - 1:,} more like it)" if len(alike) > 1 else ""
    return f"{shown_path(first.path)}{owner} {first.problem}{more}"


def owner_of(value: dict[str, Any], path: Path) -> str | None:
    """The name of the item of a list in which ``path`` leads."""
    if len(path) > 2 and path[0] in CATALOGUE.values() and isinstance(path[1], int):
        item = value[str(path[0])][path[1]]
        for key in ("name", "uri", "uriTemplate"):
            if isinstance(item, dict) and isinstance(item.get(key), str) and path[2:] != (key,):
                return str(item[key])
    return None


def shown_path(path: Iterable[str | int], numbered: bool = True) -> str:
    """A part of a message: `` `tools[3].annotations.readOnlyHint` ``."""
    whole = ""
    for part in path:
        if isinstance(part, int):
            whole += f"[{part}]" if numbered else "[]"
        else:
            whole += f".{part}" if whole else part
    return ticked(whole) if len(whole) < 60 else f"`…{' '.join(whole.split())[-58:]}`"
