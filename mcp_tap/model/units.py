"""Times in words."""

from __future__ import annotations


def seconds(value: float) -> str:
    """A time in the unit that says most: ``350 µs``, ``1.2 ms``, ``12.3 s``, ``2m 05s``, ``3h 04m``."""
    if not 0 <= value < float("inf"):
        return "? s"
    if value < 0.0009995:
        return f"{value * 1e6:.0f} µs" if value else "0 s"
    if value < 0.9995:
        return f"{value * 1e3:.{1 if value < 0.09995 else 0}f} ms"
    if value < 59.95:
        return f"{value:.{2 if value < 9.995 else 1}f} s"
    minutes, left = divmod(round(value), 60)
    if minutes < 60:
        return f"{minutes}m {left:02d}s"
    hours, minutes = divmod(minutes, 60)
    return f"{hours:,}h {minutes:02d}m"
