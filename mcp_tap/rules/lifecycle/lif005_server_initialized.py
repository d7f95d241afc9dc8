"""LIF005: server sent notifications/initialized."""

from __future__ import annotations

from mcp_tap.diagnosis.context import LEGACY_ONLY, Notification
from mcp_tap.diagnosis.interest import sees
from mcp_tap.diagnosis.rule import Rule
from mcp_tap.rules.lifecycle._base import INITIALIZATION


class ServerInitialized(Rule):
    """The server sent notifications/initialized.

    What it means: the server sent `notifications/initialized`. Only the client may send it, after it
    has received the result of `initialize`.

    Why it matters: clients have no use for it, and some report a protocol error. A widely copied
    tutorial gets this the wrong way round.

    Fails, from the start:
        → 0 initialize …
        ← 0 result …
        ← notifications/initialized
        → notifications/initialized

    Passes:
        ← notifications/tools/list_changed

    What to do: remove it from the server, and wait for the client's notification instead.
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
