"""Figures of tables."""

from __future__ import annotations

from mcp_tap.diagnosis.text import seconds

NOT_KNOWN = "-"

BAR_WIDTH = 8
BAR = " ▏▎▍▌▋▊▉█"


def bar(share: float) -> str:
    """A bar of eighths of a letter; anything above nothing is seen."""
    eighths = round(share * BAR_WIDTH * 8)
    if share > 0:
        eighths = max(1, eighths)
    full, rest = divmod(eighths, 8)
    return "█" * full + (BAR[rest] if rest else "")


def time(value: float | None) -> str:
    """A time of a table; a dash where it is not known."""
    return NOT_KNOWN if value is None else seconds(value)
