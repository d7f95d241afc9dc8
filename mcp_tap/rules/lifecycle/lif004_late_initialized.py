"""LIF004: requests before notifications/initialized."""

from __future__ import annotations

from mcp_tap.diagnosis.context import LEGACY_ONLY
from mcp_tap.rules.lifecycle._base import INITIALIZATION, WithoutInitialized


class LateInitialized(WithoutInitialized):
    """Requests before notifications/initialized.

    What it means: the client got the result of `initialize` and sent requests before it sent
    `notifications/initialized`, which should have come first.

    Why it matters: strict servers refuse these requests (-32602 "Invalid request parameters"), or
    drop them; it works with others. It is an error where it went wrong, else a warning.

    Fails, from the start:
        → 0 initialize …
        ← 0 result …
        → 1 tools/list
        → notifications/initialized
        ← 1 result {"tools":[]}

    Passes, from the start:
        → 0 initialize …
        ← 0 result …
        → 1 ping
        → notifications/initialized
        ← 1 result {}

    What to do: send the notification before the first request. Look for two tasks of the client
    that write at the same time.
    """

    id = "LIF004"
    title = "requests before notifications/initialized"
    severity = "warning"
    culprit = "client"
    next = "send notifications/initialized before the first request"
    versions = LEGACY_ONLY
    spec = INITIALIZATION
    when = "before notifications/initialized"

    def is_ready(self) -> None:
        self.report()
        super().is_ready()

    def end(self) -> None:
        self.grade()
