"""Invented reports for the tests of what is made of them."""

from __future__ import annotations

from typing import Any

from mcp_tap.diagnosis.finding import Consequence, Finding
from mcp_tap.diagnosis.report import SessionReport, Stage
from mcp_tap.diagnosis.session_digest import Digest

SESSION = "01m8mn00000000ab"


def finding(**members: Any) -> Finding:
    """A finding, with what is not said filled in."""
    usual: dict[str, Any] = {
        "rule": "FRM001",
        "severity": "warning",
        "culprit": "server",
        "certainty": "proven",
        "message": "server wrote 1 line of plain text to stdout: 'ready'",
        "next": "send logs to stderr",
        "session": SESSION,
        "records": (3,),
    }
    return Finding(**(usual | members))


def report(*findings: Finding, **members: Any) -> SessionReport:
    """A report on a session of the notes server."""
    usual: dict[str, Any] = {
        "session": SESSION,
        "file": "logs/a b.jsonl",
        "name": "notes",
        "start": "2026-11-29T18:37:40.123456Z",
        "duration": 5.25,
        "verdict": "Healthy: 14 requests answered.",
        "lifecycle": (
            Stage("spawned", True, 0.0),
            Stage("initialize answered", True, 0.41, "2025-11-25"),
            Stage("initialized", False),
            Stage("tools/list", None),
            Stage("ended", True, 5.25, "client closed stdin, exit 0"),
        ),
        "digest": Digest(SESSION, "notes", (), None, None, None, None, None, "session", True, frozenset()),
    }
    return SessionReport(findings=tuple(findings), **(usual | members))


CONSEQUENCE = Consequence("LIF017", "no answer to tools/call", (9,), 1)
