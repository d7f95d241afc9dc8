"""Several sessions of one server, held against each other."""

from __future__ import annotations

from collections.abc import Hashable, Iterable

from mcp_tap.diagnosis.session_digest import Digest

NAMED = 5
"""Processes that a sentence names."""


def name_of(digest: Digest) -> str:
    """What the server of a session is called."""
    return digest.name or digest.command[0]


def groups(digests: Iterable[Digest], by_parent: bool) -> list[list[Digest]]:
    """The sessions of one command in one directory each, in order of their start.

    Probes, and sessions of which the start is not on file, are in none of them.
    """
    found: dict[Hashable, list[Digest]] = {}
    for digest in digests:
        if digest.kind == "probe" or digest.begins is None or digest.ends is None or not digest.command:
            continue
        parent = digest.ppid if by_parent else None
        found.setdefault((digest.name, digest.command, digest.cwd, parent), []).append(digest)
    return [sorted(group, key=begins) for group in found.values() if len(group) > 1]


def begins(digest: Digest) -> float:
    """When a session began, in seconds since 1970."""
    return digest.begins or 0.0


def ends(digest: Digest) -> float:
    """When a session ended, or was last heard of."""
    return digest.ends or 0.0
