"""What rules about lines share: pages of the specification, and text among messages."""

from __future__ import annotations

from collections.abc import Hashable
from typing import ClassVar

from mcp_tap.diagnosis.asked import explain
from mcp_tap.diagnosis.context import SessionContext
from mcp_tap.diagnosis.departure import Place
from mcp_tap.diagnosis.finding import Hit
from mcp_tap.diagnosis.invalid_lines import Stray, StrayRule
from mcp_tap.diagnosis.text import excerpt, plural, quoted
from mcp_tap.model.message import Side
from mcp_tap.record.patterns import lazy

TRANSPORTS = "2025-11-25/basic/transports"

AWAITED = 1000
"""Requests that are no JSON whose answers are awaited."""

STDIO = "2025-11-25/basic/transports#stdio"

COLOUR = lazy(r"\x1b\[[0-9;:?]*[A-Za-z]")


class TextLines(StrayRule):
    """Lines of text, told in one finding; the base of several rules."""

    lines: ClassVar[str] = "{} of plain text"

    def __init__(self, context: SessionContext) -> None:
        super().__init__(context)
        self.blank: dict[Side, int] = {}
        self.places: dict[Hashable, Place] = {}
        """Where the first of each side stands."""

    def gather(self, stray: Stray) -> None:
        """Count one more."""
        first = stray.side not in self.hits
        hit = self.note(stray, quoted(COLOUR.sub("", excerpt(stray.beginning))) if first else "")
        self.places.setdefault(hit.key, stray.place)
        if stray.side in self.blank:
            explain(hit, self.blank[stray.side])

    def pass_blank(self, stray: Stray) -> None:
        """Note a blank line: where there is text, it is part of that."""
        self.blank.setdefault(stray.side, stray.invalid.seq)
        hit = self.hits.get(stray.side)
        if hit is not None:
            explain(hit, self.blank[stray.side])

    def sentence(self, hit: Hit) -> str:
        what = self.lines.format(plural(hit.count, "line"))
        where = "stdout" if hit.culprit == "server" else "the server's stdin"
        when = ""
        if self.places[hit.key].early:
            when = ", the first before the handshake" if hit.count > 1 else ", before the handshake"
        return f"{hit.culprit} wrote {what} to {where}{when}: {hit.message}"
