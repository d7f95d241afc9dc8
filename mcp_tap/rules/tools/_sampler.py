"""Which of a million calls are worth a closer look: some of each kind, always the same ones."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass, field
from typing import Any

import orjson

from mcp_tap.diagnosis.bounded import Latest

FIRST = 200
"""Calls of each tool that are all looked at."""

EVERY = 256
"""Of those after, one in so many."""

SHAPES_KEPT = 64
"""Shapes of one tool that are remembered; with more, a new one tells nothing."""

TOOLS_KEPT = 1_000
"""Tools that are counted; of any further one no call is looked at."""

EQUAL_KEPT = 4_096
"""Calls that are remembered, so that an equal one is not looked at again."""


@dataclass(slots=True, eq=False)
class Calls:
    """The calls of one tool so far."""

    number: int = 0
    shapes: set[Hashable] = field(default_factory=set)


class Sampler:
    """Picks the first calls of each tool, those of a shape not seen before, and some of the rest."""

    def __init__(self) -> None:
        self._tools: dict[str, Calls] = {}
        self._equal: Latest[tuple[str, int], None] = Latest(EQUAL_KEPT)

    def wants(self, tool: str, arguments: Any) -> bool:
        """Whether this call of ``tool`` is to be looked at; to be asked once for each, in order."""
        calls = self._tools.get(tool)
        if calls is None:
            if len(self._tools) >= TOOLS_KEPT:
                return False
            calls = self._tools[tool] = Calls()
        calls.number += 1
        is_new = len(calls.shapes) < SHAPES_KEPT and self._is_new(calls, arguments)
        if not is_new and calls.number > FIRST and calls.number % EVERY:
            return False
        return not self._is_known(tool, arguments)

    def forget(self, tool: str) -> None:
        """Begin anew with ``tool``: it is not what it was."""
        if self._tools.pop(tool, None) is not None:
            for key in [key for key in self._equal if key[0] == tool]:
                del self._equal[key]

    def _is_new(self, calls: Calls, arguments: Any) -> bool:
        shape = shape_of(arguments)
        if shape in calls.shapes:
            return False
        calls.shapes.add(shape)
        return True

    def _is_known(self, tool: str, arguments: Any) -> bool:
        try:
            key = (tool, hash(orjson.dumps(arguments)))
        except orjson.JSONEncodeError:  # nested deeper than can be written
            return False
        if key in self._equal:
            self._equal.move_to_end(key)
            return True
        self._equal[key] = None
        return False


def shape_of(value: Any) -> Hashable:
    """The members of an object in order, and their types; of anything else its own type."""
    if isinstance(value, dict):
        return (*value, *map(type, value.values()))
    return str(type(value))
