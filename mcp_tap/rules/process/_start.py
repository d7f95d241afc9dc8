"""Whether the server came up, and what its stderr says about it."""

from __future__ import annotations

from mcp_tap.diagnosis.context import SessionContext
from mcp_tap.diagnosis.finding import EVIDENCE_KEPT, Hit
from mcp_tap.diagnosis.recognise.complaints import LINE_EXAMINED, Reason, masked, reason
from mcp_tap.diagnosis.text import excerpt

GREETINGS = frozenset({"initialize", "server/discover"})
"""What a client asks first."""


def last_words(context: SessionContext) -> Reason | None:
    """Why the server gave up, as far as its stderr tells."""
    names = context.session.start.get("env")
    known = [name for name in names if isinstance(name, str)] if isinstance(names, list) else []
    return reason(context.session.stderr_tail, known)


def add_evidence(hit: Hit, context: SessionContext) -> None:
    """Let a finding carry the end of stderr."""
    spoken = [line for line in context.session.stderr_tail if line.strip()]
    hit.evidence.extend(excerpt(masked(line)) for line in spoken[-EVIDENCE_KEPT:])


def text_of(line: bytes) -> str:
    """The beginning of a line of stderr."""
    return line[:LINE_EXAMINED].decode(errors="replace")
