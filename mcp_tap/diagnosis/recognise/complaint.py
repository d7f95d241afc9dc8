"""One known complaint of a program: the row of the tables of :mod:`complaints`."""

from __future__ import annotations

import re
from dataclasses import dataclass

from mcp_tap.diagnosis.finding import Culprit
from mcp_tap.record.patterns import lazy


@dataclass(frozen=True, slots=True)
class Complaint:
    """One known complaint. ``title`` is for sentences, ``next`` says what to do.

    The first group of ``pattern`` that caught something stands in for ``{}`` in both; ``what`` is
    there instead where none has. ``culprit`` is who has to do it.
    """

    name: str
    title: str
    pattern: re.Pattern[str]
    culprit: Culprit
    next: str
    what: str = "it"
    vague: bool = False
    """Whether it says less than any other: a usage text, the code before the words."""


def complaint(
    name: str,
    title: str,
    culprit: Culprit,
    next: str,
    *patterns: str,
    what: str = "it",
    vague: bool = False,
) -> Complaint:
    """A row of the table; ``patterns`` are alternatives."""
    return Complaint(name, title, lazy("|".join(patterns)), culprit, next, what, vague)


def any_case(pattern: str) -> str:
    """``pattern`` in capitals or not."""
    return f"(?i:{pattern})"
