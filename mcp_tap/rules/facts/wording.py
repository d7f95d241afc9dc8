"""Words for what is named by others, and for sizes."""

from __future__ import annotations

from collections.abc import Iterable

NAME_SHOWN = 60
"""Characters of a name in a sentence; tool names in use have less."""

NAME_KEPT = 200
"""Characters of a name in a finding's key."""

NAMES_SHOWN = 3


def ticked(name: object) -> str:
    """A name as part of a sentence, on one line and shortened."""
    line = " ".join(str(name).split()) or str(name)
    return "`" + (line if len(line) <= NAME_SHOWN else line[: NAME_SHOWN - 1] + "…") + "`"


def some(names: Iterable[object]) -> str:
    """The first few names, and how many there are more."""
    every = list(names)
    more = f" and {len(every) - NAMES_SHOWN:,} more" if len(every) > NAMES_SHOWN else ""
    return ", ".join(map(ticked, every[:NAMES_SHOWN])) + more


def key_of(*names: object) -> str:
    """A finding's key of names."""
    return " ".join(str(name)[:NAME_KEPT] for name in names)


def size(number: int) -> str:
    """Bytes for a sentence: ``132 kB`` (powers of a thousand)."""
    return f"{number / 1000:,.0f} kB" if number < 999_500 else f"{number / 1_000_000:,.1f} MB"
