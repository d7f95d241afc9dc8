"""What in a value does not fit its schema, and the words for it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from mcp_tap.diagnosis.text import TYPES, VALUE_SHOWN, shown
from mcp_tap.record.argv_masking import MASK, is_secret_name

NAMES_SHOWN = 3

ALTERNATIVES_SHOWN = 5


@dataclass(frozen=True, slots=True)
class Misfit:
    """One part of a value that one keyword of the schema refuses.

    ``names`` are the members that an object lacks (``required``) or has too many
    (``additionalProperties``).
    """

    path: tuple[str | int, ...]
    keyword: str
    expected: Any
    value: Any
    names: tuple[str, ...] = ()

    @property
    def key(self) -> str:
        """The same for the same fault in another value: without indexes, values and depth."""
        top = next((part for part in self.path if isinstance(part, str)), None)
        name = top if top is not None else next(iter(self.names), "")
        return f"{name} {self.keyword}".strip()

    @property
    def where(self) -> str:
        """The part that is meant."""
        return named(self.path) if self.path else "it"

    def __str__(self) -> str:
        if self.names:
            are = "is" if len(self.names) == 1 else "are"
            what = "missing" if self.keyword == "required" else "not allowed"
            return f"{listed(named((*self.path, name)) for name in self.names)} {are} {what}"
        if self.keyword == "None":  # the schema false, at a place that the library does not name
            return f"{self._shown()} is not allowed"
        if self.keyword == "additionalProperties":
            return f"{self.where} has members that are not allowed"
        return f"{self.where} is {self._shown()}, {self._refused()}"

    def _shown(self) -> str:
        secret = any(isinstance(part, str) and is_secret_name(part) for part in self.path)
        return f"{TYPES['string']} (masked)" if secret and isinstance(self.value, str) else shown(self.value)

    def _refused(self) -> str:
        keyword, expected = self.keyword, self.expected
        if keyword == "type":
            wanted = expected if isinstance(expected, list) else [expected]
            return f"not {' or '.join(TYPES.get(str(each), str(each)) for each in wanted)}"
        if keyword == "enum" and isinstance(expected, list):
            more = ", …" if len(expected) > ALTERNATIVES_SHOWN else ""
            return f"not one of {', '.join(map(shown, expected[:ALTERNATIVES_SHOWN]))}{more}"
        if keyword == "const":
            return f"not {shown(expected)}"
        if isinstance(expected, (dict, list)):
            return f"which its {keyword} does not allow"
        return f"against {keyword} {shown(expected)}"


def named(path: Iterable[str | int]) -> str:
    """A part of a value: ``'filters.0.name'``."""
    whole = ".".join(map(str, path))
    return "'" + (whole if len(whole) <= VALUE_SHOWN else whole[: VALUE_SHOWN - 1] + "…") + "'"


def listed(names: Iterable[str]) -> str:
    """Some names for a sentence."""
    every = list(names)
    more = f" and {len(every) - NAMES_SHOWN:,} more" if len(every) > NAMES_SHOWN else ""
    return ", ".join(every[:NAMES_SHOWN]) + more


def is_masked(value: Any) -> bool:
    """Whether something in ``value`` was replaced before it came here: what it was cannot be judged."""
    left = [value]
    while left:
        part = left.pop()
        if isinstance(part, str):
            if MASK in part:
                return True
        elif isinstance(part, dict):
            left.extend(part.values())
            left.extend(part)
        elif isinstance(part, list):
            left.extend(part)
    return False
