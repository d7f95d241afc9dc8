"""LIF005: server sent notifications/initialized."""

from __future__ import annotations

from mcp_tap.diagnosis.context import LEGACY_ONLY, Notification
from mcp_tap.diagnosis.interest import sees
from mcp_tap.diagnosis.rule import Rule
from mcp_tap.rules.lifecycle._base import INITIALIZATION


class ServerInitialized(Rule):
    """notifications/initialized from the server.

    What it means: the server sent `notifications/initialized`. Only the client sends it, once it
    has the result of `initialize`.

    Why it matters: clients have no use for it, some report a protocol error. A widespread tutorial
    has it the wrong way round.

    Fails, from the start:
        → 0 initialize …
        ← 0 result …
        ← notifications/initialized
        → notifications/initialized

    Passes:
        ← notifications/tools/list_changed

    What to do: remove it from the server; wait for the client's.
    """

    id = "LIF005"
    title = "server sent notifications/initialized"
    severity = "error"
    culprit = "server"
    next = "remove it from the server: only the client sends notifications/initialized"
    versions = LEGACY_ONLY
    methods = frozenset({"notifications/initialized"})
    spec = INITIALIZATION

    @sees(sides="s2c")
    def notification(self, notification: Notification) -> None:
        message = "server sent notifications/initialized, which only the client sends"
        self.hit(notification, message, explains=[notification.seq])
