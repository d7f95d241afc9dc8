"""Lines of styled pieces onto a terminal or into a pipe."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, NamedTuple, TextIO

from mcp_tap.views.terminal import columns, no_command, shorten

if TYPE_CHECKING:
    from rich.console import Console

STYLES = {
    "": "",
    "quiet": "dim",
    "c2s": "cyan",
    "s2c": "green",
    "stderr": "yellow",
    "tap": "dim",
    "strong": "bold",
    "target": "bold cyan",
    "latency": "magenta",
    "note": "italic",
    "trouble": "bold red",
    "foreign": "bold yellow",
}
"""What a style looks like, as rich spells it. Nothing is told by colour alone."""


class Piece(NamedTuple):
    """Text that is safe to print (see ``terminal.visible``), and the name of its style.

    ``link`` is where the text leads in terminals that have links; others show the text alone.
    """

    text: str
    style: str = ""
    link: str = ""


Line = tuple[Piece, ...]


def fit(pieces: Iterable[Piece], width: int) -> Line:
    """The beginning of ``pieces`` that ``width`` columns hold, with an ellipsis where it is cut."""
    kept: list[Piece] = []
    left = width
    for piece in pieces:
        taken = columns(piece.text)
        if taken > left:
            if left:
                kept.append(Piece(shorten(piece.text, left), piece.style))
            elif kept:
                kept.append(ending(kept.pop()))
            break
        kept.append(piece)
        left -= taken
    return tuple(kept)


def ending(piece: Piece) -> Piece:
    """``piece`` as the last one of a line that goes on: an ellipsis in place of its last letter."""
    return Piece(shorten(piece.text + "…", columns(piece.text)), piece.style)


def look_of(piece: Piece) -> str:
    """What a piece looks like, as rich spells it."""
    return f"{STYLES[piece.style]} link {piece.link}".lstrip() if piece.link else STYLES[piece.style]


class Painter:
    """Prints lines; in colour through rich, which is imported only then.

    The caller owns ``out``. Raises OSError as writing does.
    """

    def __init__(self, out: TextIO, colour: bool) -> None:
        self.out = out
        self._console = console_on(out) if colour else None

    def print(self, line: Line) -> None:
        """One line, as it is: neither wrapped nor cut nor interpreted."""
        line = no_command_in(line)
        if self._console is None:
            self.out.write("".join(piece.text for piece in line) + "\n")
            return
        from rich.text import Text

        # Text takes what it is given literally: there is no markup in it.
        text = Text.assemble(*((piece.text, look_of(piece)) for piece in line))
        self._console.print(text, soft_wrap=True)


def no_command_in(line: Line) -> Line:
    """``line``, which no CI server takes for a command by its beginning."""
    for at, piece in enumerate(line):
        if piece.text.strip():
            return (*line[:at], piece._replace(text=no_command(piece.text)), *line[at + 1 :])
    return line


def console_on(out: TextIO) -> Console:
    """A rich console that adds nothing of its own."""
    from rich.console import Console

    return Console(file=out, force_terminal=True, highlight=False, markup=False, emoji=False, soft_wrap=True)
