"""The specification's pages on messages."""

from __future__ import annotations

MESSAGES = "2025-11-25/basic#messages"
REQUESTS = "2025-11-25/basic#requests"
RESPONSES = "2025-11-25/basic#responses"

NOTIFICATIONS = "2025-11-25/basic#notifications"
