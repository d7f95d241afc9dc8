"""Schemas that several tests ask."""

from __future__ import annotations

from typing import Any


def deep(levels: int) -> tuple[Any, Any]:
    """A schema and a value of so many levels."""
    schema: Any = {"type": "object"}
    value: Any = {}
    for _ in range(levels):
        schema, value = {"properties": {"a": schema}}, {"a": value}
    return schema, value
