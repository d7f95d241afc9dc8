"""All rules there are."""

from __future__ import annotations

from mcp_tap.rules import (
    cancellation,
    capabilities,
    catalogue,
    envelope,
    errors,
    exits,
    frames,
    ids,
    injection,
    instances,
    lifecycle,
    methods,
    modern,
    performance,
    progress,
    results,
    round_trips,
    schemas,
    secrets,
    shapes,
    start,
    tools,
    waiting,
)
from mcp_tap.rules.rule import Rule

FAMILIES = (
    frames,
    envelope,
    ids,
    methods,
    shapes,
    errors,
    lifecycle,
    waiting,
    capabilities,
    tools,
    schemas,
    results,
    cancellation,
    progress,
    modern,
    round_trips,
    performance,
    start,
    exits,
    instances,
    secrets,
    catalogue,
    injection,
)
"""In the order in which their rules are listed."""

RULES: tuple[type[Rule], ...] = tuple(rule for family in FAMILIES for rule in family.RULES)

BY_ID: dict[str, type[Rule]] = {rule.id: rule for rule in RULES}
