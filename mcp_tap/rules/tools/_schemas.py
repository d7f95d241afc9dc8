"""What is held against the JSON Schemas of tools (MCP server/tools#data-types)."""

from __future__ import annotations

from typing import Any

from mcp_tap.diagnosis.bounded import Latest
from mcp_tap.diagnosis.context import since
from mcp_tap.diagnosis.json_schema import SESSION_STEPS, Schema, is_same, read_schema
from mcp_tap.diagnosis.misfit import Misfit, is_masked
from mcp_tap.rules.tools._sampler import Sampler

SCHEMAS_KEPT = 1_000
"""Tools whose schemas are kept ready."""

OBJECTS_ONLY = since("2025-06-18") - since("2026-07-28")
"""Versions in which structuredContent is an object."""


class SampledSchemas:
    """One schema of each tool, and a sample of the values that have to fit it, in bounded time."""

    def __init__(self, member: str) -> None:
        self._member = member
        self._sampler = Sampler()
        self._ready: Latest[str, tuple[Any, Schema]] = Latest(SCHEMAS_KEPT)
        self._steps = SESSION_STEPS

    def misfit(self, name: str, tool: dict[str, Any], value: Any) -> Misfit | None:
        """The first of :meth:`misfits`; None where there is none."""
        return next(iter(self.misfits(name, tool, value)), None)

    def misfits(self, name: str, tool: dict[str, Any], value: Any) -> tuple[Misfit, ...]:
        """What in ``value`` does not fit the schema of ``tool``; empty where it fits, or is not asked."""
        if self._steps <= 0:
            return ()
        schema = self._schema_of(name, tool[self._member])
        if not self._sampler.wants(name, value):
            return ()
        answer = schema.fits(value)
        self._steps -= answer.steps
        if not answer.misfits or is_masked(schema.value) or is_masked(value):
            return ()
        return answer.misfits

    def fits_at(self, name: str, value: Any, path: tuple[str | int, ...]) -> bool:
        """Whether nothing is wrong with the part of ``value`` at ``path``; of a tool just asked about."""
        ready = self._ready.get(name)
        if ready is None or self._steps <= 0:
            return False
        answer = ready[1].fits(value)
        self._steps -= answer.steps
        return answer.fits is not None and all(each.path[: len(path)] != path for each in answer.misfits)

    def _schema_of(self, name: str, value: dict[str, Any]) -> Schema:
        """The schema of a tool, ready to be asked."""
        ready = self._ready.get(name)
        if ready is not None and ready[0] is value:
            return ready[1]
        if ready is not None and is_same(ready[0], value):
            self._ready[name] = (value, ready[1])  # listed again: one is enough to compare them
            return ready[1]
        schema = read_schema(value)
        self._ready[name] = (value, schema)
        self._sampler.forget(name)
        self._steps -= schema.valid().steps
        return schema


def is_final(result: dict[str, Any]) -> bool:
    """Whether a result is the tool's own: no task, no question back."""
    return "task" not in result and bool(result.get("resultType", "complete") == "complete")
