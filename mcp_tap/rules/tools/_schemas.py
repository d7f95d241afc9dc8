"""What is held against the JSON Schemas of tools (MCP server/tools#data-types)."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from mcp_tap.diagnosis.context import SessionContext, since
from mcp_tap.diagnosis.json_schema import SESSION_STEPS, Answer, Schema
from mcp_tap.diagnosis.misfit import is_masked
from mcp_tap.model.exchange import Exchange
from mcp_tap.rules.tools._known_tools import KnownSchemas
from mcp_tap.rules.tools._sampler import Sampler

OPEN_KEPT = 256
"""Calls with a finding that wait for their answer."""


class Held(KnownSchemas):
    """The base of rules that hold values against a schema: a sample of them, in bounded time."""

    def __init__(self, context: SessionContext) -> None:
        super().__init__(context)
        self.sampler = Sampler()
        self._steps = SESSION_STEPS
        self._refused: Answer | None = None
        """What was said of the value that is shown next, if it was asked about already."""

    def renewed(self, name: str, schema: Schema) -> None:
        self.sampler.forget(name)
        self._steps -= schema.valid().steps

    def has_no_quarrel(self, name: str, tool: dict[str, Any], value: Any) -> bool:
        """Whether there is nothing to tell of a call of ``tool``, as it is listed, that is known to hold.

        It counts as having been asked about; where the answer is no, the sampler is to be told so
        before the rule is shown the call.
        """
        schema = self._asked_of(name, tool)
        if schema is None or not self.sampler.wants(name, value):
            return True
        answer = self._ask(schema, value)
        self._refused = answer if answer.misfits else None
        return self._refused is None

    def judge(self, exchange: Exchange, value: Any) -> Answer | None:
        """Whether ``value`` fits the schema of the tool that is called; None where it is not asked."""
        tool, name = self.tool_of(exchange), exchange.target
        if tool is None or name is None:
            return None
        if self.sampler.verdict and self._refused is not None:
            answer, self._refused = self._refused, None
            return answer
        schema = self._asked_of(name, tool)
        if schema is None or not self.sampler.wants(name, value):
            return None
        return self._ask(schema, value)

    def _asked_of(self, name: str, tool: dict[str, Any]) -> Schema | None:
        """The schema of ``tool``, if there is one that may still be asked."""
        return self.schema_of(name, tool) if self._steps > 0 else None

    def _ask(self, schema: Schema, value: Any) -> Answer:
        answer = schema.fits(value)
        self._steps -= answer.steps
        return replace(answer, misfits=()) if answer.misfits and is_masked(schema.value) else answer


def is_final(exchange: Exchange, result: dict[str, Any]) -> bool:
    """Whether a result is a successful tool's own: no failure, no task, no question back."""
    if exchange.outcome != "result" or "task" in result:
        return False
    return bool(result.get("resultType", "complete") == "complete")


OBJECTS_ONLY = since("2025-06-18") - since("2026-07-28")
"""Versions in which structuredContent is an object."""
