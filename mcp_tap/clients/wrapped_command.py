"""A command line that starts the tap, taken apart: pure.

Whoever has written it: ``wrap``, the user by hand, or a client that wrote its whole file anew.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

DISTRIBUTION = "mcp-tap-recorder"
COMMAND = "mcp-tap"
MODULE = "mcp_tap"

_PYTHON = re.compile(r"^(?:python|pypy|py)[\d.]*w?$")
_PYTHON_FLAG = re.compile(r"^-(?:[bBdEiIOPqsSuvx]+|[XW].+|\d[\d.-]*|V:.+)$")
_PYTHON_FLAG_WITH_VALUE = frozenset({"-X", "-W"})
_PROGRAM = re.compile(r"\.(?:exe|cmd|bat|pyz|pex)$")
_RUNNERS = frozenset({"uvx", "uv", "pipx"})


@dataclass(frozen=True, slots=True)
class WrappedCommand:
    """A command line with the tap in it: its own words, the options of ``run``, the server's command."""

    tap: tuple[str, ...]
    options: Mapping[str, str]
    is_joined: bool
    server: tuple[str, ...]


def read_wrapped(argv: Sequence[str]) -> WrappedCommand | None:
    """What ``argv`` says if it starts the tap: as ``mcp-tap`` or ``mcp-tap.exe`` anywhere, by Python's
    ``-m mcp_tap`` or from an archive ``mcp-tap.pyz``, or by uv or pipx from its distribution; else None.

    As ``run`` reads its options: all of them have a value, which may be joined to them.
    """
    at = _words_before_run(argv)
    if at is None:
        return None
    tap, options, is_joined = tuple(argv[:at]), {}, False
    at += 1
    while at < len(argv) and argv[at].startswith("-") and argv[at] != "--":
        name, joined, value = argv[at].partition("=")
        if name == "--name":
            is_joined = bool(joined)
        options[name] = value if joined else argv[at + 1] if at + 1 < len(argv) else ""
        at += 1 if joined else 2
    if at < len(argv) and argv[at] == "--":
        at += 1
    return WrappedCommand(tap, options, is_joined, tuple(argv[at:]))


def _words_before_run(argv: Sequence[str]) -> int | None:
    """How many words come before ``run``."""
    first = base_name(argv[0])
    found: int | None = None
    if first == COMMAND:
        found = 1
    elif _PYTHON.match(first):
        at = 1
        while at < len(argv) and (argv[at] in _PYTHON_FLAG_WITH_VALUE or _PYTHON_FLAG.match(argv[at])):
            at += 2 if argv[at] in _PYTHON_FLAG_WITH_VALUE else 1
        if list(argv[at : at + 2]) == ["-m", MODULE]:
            found = at + 2
        elif at < len(argv) and base_name(argv[at]) == COMMAND:  # an archive, or the script itself
            found = at + 1
    elif first in _RUNNERS:
        at = next((at for at, word in enumerate(argv) if at and base_name(word) == COMMAND), 0)
        found = at + 1 if any(word.startswith(DISTRIBUTION) for word in argv[1:at]) else None
    return found if found is not None and found < len(argv) and argv[found] == "run" else None


def base_name(word: str) -> str:
    """A program's name without its directory, on any system, and without ``.exe`` and the like."""
    return _PROGRAM.sub("", re.split(r"[/\\]", word)[-1].lower())
