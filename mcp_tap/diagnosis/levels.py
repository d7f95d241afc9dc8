"""Levels of log messages, and from when on the one that was set holds."""

from __future__ import annotations

LEVELS = ("debug", "info", "notice", "warning", "error", "critical", "alert", "emergency")
"""The levels of log messages, from the least to the most severe (RFC 5424)."""

SETTLED_SECONDS = 0.1
"""After a new level is confirmed, for messages that were already on their way."""
