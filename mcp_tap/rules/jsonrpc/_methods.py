"""How bad a request is that nobody could serve."""

from __future__ import annotations

from mcp_tap.diagnosis.finding import SEVERITIES, Hit, Severity


def worse(hit: Hit, severity: Severity) -> Hit:
    """``hit`` with the worse of its severity and ``severity``: one that failed is enough."""
    hit.severity = min(hit.severity, severity, key=SEVERITIES.index)
    return hit
