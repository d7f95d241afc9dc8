"""Numbers in the tap's own events."""

from __future__ import annotations

from mcp_tap.record.reader import Record


def count_in(record: Record, name: str) -> int:
    """A number in an event's fields; 0 where it is none."""
    value = record.fields.get(name)
    return value if isinstance(value, int) and not isinstance(value, bool) and value > 0 else 0
