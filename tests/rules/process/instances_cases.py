"""What the tests of rules about several sessions share."""

from __future__ import annotations

from dataclasses import replace

from mcp_tap.diagnosis.session_digest import Digest
from tests.diagnosis.checking import rules_of

RULES = rules_of("PRO010", "PRO018")

ONE = Digest(
    session="s0",
    name="notes",
    command=("npx", "-y", "notes"),
    cwd="/home/me",
    pid=410,
    ppid=400,
    begins=1000.0,
    ends=1001.0,
    kind="session",
    complete=True,
    rules=frozenset(),
)


def at(digest: Digest, *begins: float, lasts: float = 1.0) -> list[Digest]:
    """The same session again and again."""
    return [
        replace(digest, session=f"s{number}", pid=410 + number, begins=1000.0 + t, ends=1000.0 + t + lasts)
        for number, t in enumerate(begins)
    ]
