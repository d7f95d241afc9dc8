"""What may reach a terminal, and how many columns it takes.

Text from the wire may hold anything: escape sequences that rewrite the screen, characters that
turn the direction of writing, letters of no width. None of it reaches a terminal raw.
"""

from __future__ import annotations

import os
import shutil
import sys

from rich.cells import cell_len, get_character_cell_size

from mcp_tap.errors import UNSEEN, no_command, visible

NARROWEST = 40
"""Columns that output needs at least; a narrower terminal wraps."""


def columns(text: str) -> int:
    """Terminal columns that visible ``text`` takes: wide letters take two, combining marks none."""
    return len(text) if text.isascii() else cell_len(text)


def shorten(text: str, width: int) -> str:
    """``text``, cut with an ellipsis so that it takes at most ``width`` columns."""
    if columns(text) <= width:
        return text
    kept, taken = [], 1
    for character in text:
        taken += get_character_cell_size(character)
        if taken > width:
            break
        kept.append(character)
    return "".join(kept) + "…" if width > 0 else ""


def terminal_width() -> int:
    """Columns of the terminal (or of COLUMNS), 100 where there is none, never below ``NARROWEST``."""
    return max(NARROWEST, shutil.get_terminal_size((100, 24)).columns)


def output_width() -> int | None:
    """Columns where somebody reads along in a terminal (or asks for them by COLUMNS); None for a program."""
    return terminal_width() if sys.stdout.isatty() or os.environ.get("COLUMNS") else None


UNBOUNDED = 1 << 16
"""Columns of a table that nobody sees on a terminal: more than any has."""


def table_width() -> int:
    """Columns that a table may take. What goes to a file or a program is not cut: it is searched."""
    return output_width() or UNBOUNDED


def wants_colour() -> bool:
    """Whether stdout is a terminal whose user has not asked for no colour (no-color.org)."""
    return sys.stdout.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"


__all__ = ["UNSEEN", "columns", "no_command", "shorten", "terminal_width", "visible", "wants_colour"]
