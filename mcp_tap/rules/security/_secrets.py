"""Where a credential may be, and how a sentence names it without its value."""

from __future__ import annotations

from mcp_tap.diagnosis.context import Occurrence
from mcp_tap.diagnosis.recognise.credentials import looks_secret


def may_hold(seen: Occurrence) -> bool:
    """Whether a message is worth walking through; of one recorded in parts only the last is at hand."""
    return not seen.record.is_message or looks_secret(seen.record.payload)


def named(text: str | None, limit: int = 60) -> str:
    """A name from the wire as part of a sentence."""
    line = " ".join((text or "?").split())
    return f"`{line if len(line) <= limit else line[: limit - 1] + '…'}`"


def article(kind: str) -> str:
    """``a GitHub token``, ``an AWS access key``."""
    return f"{'an' if kind[0] in 'aeiouA' else 'a'} {kind}"


SPEAKS = frozenset({"tools/call", "resources/read", "prompts/get"})
"""Requests whose results hold content."""
