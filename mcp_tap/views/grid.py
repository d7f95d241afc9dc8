"""Rows of cells that fit the terminal: what is left out, what is cut, and how it is coloured."""

from __future__ import annotations

import io
from collections.abc import Sequence
from dataclasses import dataclass

from rich.console import Console
from rich.text import Text

from mcp_tap.views.terminal import columns, no_command, shorten

GAP = 2
"""Columns of the terminal between two of the table."""


@dataclass(frozen=True, slots=True)
class Cell:
    """Visible text (nothing from the wire that has not been through ``visible``), and its style."""

    text: str
    style: str = ""


@dataclass(slots=True)
class Column:
    """A column. ``rank`` 0 is never left out; one with ``least`` can be cut down to that width."""

    title: str
    cells: list[Cell]
    rank: int = 0
    right: bool = False
    least: int | None = None

    @property
    def width(self) -> int:
        """Columns of the terminal that it takes uncut."""
        return max(columns(self.title), *(columns(cell.text) for cell in self.cells))

    @property
    def narrowest(self) -> int:
        """Columns that it takes at least."""
        return self.width if self.least is None else min(self.width, max(self.least, columns(self.title)))


def fit_columns(table: Sequence[Column], width: int) -> list[tuple[Column, int]]:
    """The columns that are shown, and how wide each is."""
    shown = list(table)
    while needed(shown) > width:
        least = min((column for column in shown if column.rank), key=lambda each: each.rank, default=None)
        if least is None:
            break
        shown.remove(least)
    widths = [column.width for column in shown]
    while sum(widths) + GAP * (len(shown) - 1) > width:
        # The widest of those that can be cut gives way first.
        able = [at for at, column in enumerate(shown) if widths[at] > column.narrowest]
        if not able:
            break
        widths[max(able, key=lambda at: widths[at])] -= 1
    return list(zip(shown, widths, strict=True))


def needed(table: Sequence[Column]) -> int:
    """Columns of the terminal that a table takes at least."""
    return sum(column.narrowest for column in table) + GAP * (len(table) - 1)


def render(table: Sequence[Column], width: int, *, colour: bool) -> str:
    """The table as lines of text.

    Which columns there are was decided by rank, which ``rich.table`` does not know; the little that
    is left to do, filling up, is done here, without the spaces that it puts at the ends of lines.
    """
    shown = fit_columns(table, width)
    lines = [row([Cell(column.title, "bold") for column, _ in shown], shown)]
    lines += [row([column.cells[at] for column, _ in shown], shown) for at in range(len(table[0].cells))]
    return printed(lines, width, colour=colour)


def row(cells: Sequence[Cell], shown: Sequence[tuple[Column, int]]) -> Text:
    """One line."""
    line = Text()
    for cell, (column, taken) in zip(cells, shown, strict=True):
        if len(line):
            line.append(" " * GAP)
        text = shorten(cell.text, taken)
        fill = " " * (taken - columns(text))
        line.append(fill if column.right else "")
        line.append(text, cell.style)
        line.append("" if column.right else fill)
    line.rstrip()
    return line if not line.plain.lstrip().startswith("::") else Text(no_command(line.plain))


def render_lines(lines: Sequence[Sequence[Cell]], width: int, *, colour: bool) -> str:
    """Lines of words that are parted by a dot, and broken between them where they are too long."""
    out = []
    for cells in lines:
        line = Text()
        for cell in cells:
            text = shorten(cell.text, width)
            if line and columns(line.plain) + 3 + columns(text) > width:
                out.append(line)
                line = Text("  ")
                text = shorten(cell.text, width - 2)
            elif line:
                line.append(" · ")
            line.append(text, cell.style)
        out.append(line)
    return printed(out, width, colour=colour)


def printed(lines: Sequence[Text], width: int, *, colour: bool) -> str:
    """What rich makes of them; the caller writes it, and meets a closed pipe in its own way."""
    console = Console(
        file=io.StringIO(),
        width=width,
        force_terminal=colour,
        color_system="standard" if colour else None,
        legacy_windows=False,
    )
    with console.capture() as capture:
        for line in lines:
            console.print(line, soft_wrap=True)
    return capture.get()
