"""Times and sizes in a few letters."""

from __future__ import annotations

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


def plural(number: int, what: str) -> str:
    """``1 line``, ``2,000 lines``."""
    return f"{number:,} {what}" if number == 1 else f"{number:,} {what}s"


def seconds(value: float | None) -> str:
    """A time in at most seven letters: ``350 µs``, ``1.2 ms``, ``12.3 s``, ``2m 05s``, ``3h 04m``."""
    if value is None:
        return NOT_KNOWN
    if value < 0.0009995:
        return f"{value * 1e6:.0f} µs"
    if value < 0.9995:
        return f"{value * 1e3:.{1 if value < 0.09995 else 0}f} ms"
    if value < 59.95:
        return f"{value:.{2 if value < 9.995 else 1}f} s"
    minutes, left = divmod(round(value), 60)
    if minutes < 60:
        return f"{minutes}m {left:02d}s"
    hours, minutes = divmod(minutes, 60)
    return f"{hours:,}h {minutes:02d}m"


def size(number: int) -> str:
    """Bytes: ``512 B``, ``1.2 kB``, ``34 MB`` (powers of a thousand)."""
    value = float(number)
    for unit in ("B", "kB", "MB", "GB"):
        if value < 999.5:
            return f"{value:.{1 if unit != 'B' and value < 9.95 else 0}f} {unit}"
        value /= 1000
    return f"{value:,.1f} TB"
