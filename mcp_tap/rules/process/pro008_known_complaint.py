"""PRO008: a known problem reported on stderr."""

from __future__ import annotations

from mcp_tap.diagnosis.context import SessionContext
from mcp_tap.diagnosis.recognise.codepages import decoded
from mcp_tap.diagnosis.recognise.complaints import LINE_EXAMINED, brief, masked, read_complaint, unquoted
from mcp_tap.diagnosis.rule import Rule
from mcp_tap.record.reader import Record

LINES_EXAMINED = 2_000
"""Lines of stderr of one session in which known complaints are looked for: a sixth of a second."""


class KnownComplaint(Rule):
    """stderr reports a known problem.

    What it means: a line on stderr is one that programs print before they give up: a missing module, a
    port in use, a variable that is not set. stderr is free-form and not a sign of failure in itself, so
    this is reported as information, and as evidence where the server died.

    Why it matters: clients often do not show stderr, and it is the only place where the reason is
    given.

    Fails:
        2> Error: listen EADDRINUSE: address already in use :::3000
        → 1 ping
        ← 1 result

    Passes:
        2> listening on port 3000
        → 1 ping
        ← 1 result

    What to do: each problem comes with its own advice. If the session works, there may be nothing to
    do.
    """

    id = "PRO008"
    title = "a known problem reported on stderr"
    severity = "info"
    culprit = "undecided"
    certainty = "heuristic"
    next = "read the line; if the session works, there may be nothing to do"

    def __init__(self, context: SessionContext) -> None:
        super().__init__(context)
        self.examined = 0

    def stderr(self, record: Record) -> None:
        if self.examined >= LINES_EXAMINED:
            return
        self.examined += 1
        line = decoded([record.payload[:LINE_EXAMINED]])[0]
        match = read_complaint(line)
        given = self.context.session.start.get("env")
        if match is None or (match.what is not None and isinstance(given, list) and match.what in given):
            return  # what was given is not unset
        key = match.complaint.name
        message = f"a line on stderr looks like a known problem ({match.title}): {brief(line)}"
        before = self.hits.get(key)
        evidence = unquoted(line) if before is None or before.message == message else masked(line)
        hit = self.hit(record, message, key=key, next=match.next, evidence=evidence)
        if key == "certificate":
            # What the server is for lies behind it: that it runs is no comfort.
            hit.severity, hit.culprit = "warning", match.complaint.culprit
