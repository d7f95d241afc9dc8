"""PRO008: a known complaint on stderr."""

from __future__ import annotations

from mcp_tap.diagnosis.context import SessionContext
from mcp_tap.diagnosis.recognise.complaints import LINE_EXAMINED, brief, masked, read_complaint
from mcp_tap.diagnosis.rule import Rule
from mcp_tap.record.reader import Record

LINES_EXAMINED = 2_000
"""Lines of stderr of one session in which known complaints are looked for: a sixth of a second."""


class KnownComplaint(Rule):
    """stderr says something that is known.

    What it means: a line of stderr is one of those that programs print before they give up: a
    missing module, a port in use, a variable that is not set. stderr is free-form and no sign of
    failure by itself, so this is told for information, and as evidence where the server died.

    Why it matters: clients often keep stderr to themselves, and it is the only place where the
    reason stands.

    Fails:
        2> Error: listen EADDRINUSE: address already in use :::3000
        → 1 ping
        ← 1 result

    Passes:
        2> listening on port 3000
        → 1 ping
        ← 1 result

    What to do: each has a hint of its own. Where the session works, there may be nothing to do.
    """

    id = "PRO008"
    title = "a known complaint on stderr"
    severity = "info"
    culprit = "undecided"
    certainty = "heuristic"
    next = "see what the line says; where the session works there may be nothing to do"

    def __init__(self, context: SessionContext) -> None:
        super().__init__(context)
        self.examined = 0

    def stderr(self, record: Record) -> None:
        if self.examined >= LINES_EXAMINED:
            return
        self.examined += 1
        line = record.payload[:LINE_EXAMINED].decode(errors="replace")
        told = read_complaint(line)
        if told is None:
            return
        message = f"stderr has a line that looks like a known complaint, {told.title}: {brief(line)}"
        self.hit(record, message, key=told.complaint.name, next=told.next, evidence=masked(line))
