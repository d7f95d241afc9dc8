"""Requests that were cancelled, and what came of it (MCP basic/utilities/cancellation)."""

from __future__ import annotations

from mcp_tap.diagnosis.asked import is_masked
from mcp_tap.diagnosis.context import Notification

CANCELLATION = "2025-11-25/basic/utilities/cancellation"

RACE_SECONDS = 1.0
"""Within which an answer and a cancellation may cross on their way."""


def reason_of(cancelled: Notification) -> str:
    """Why it was cancelled, as the canceller says."""
    reason = cancelled.params.get("reason")
    return reason if isinstance(reason, str) and not is_masked(reason) else ""
