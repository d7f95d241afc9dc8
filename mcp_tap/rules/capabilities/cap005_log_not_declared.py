"""CAP005: log message without the logging capability."""

from __future__ import annotations

from mcp_tap.diagnosis.asked import offers
from mcp_tap.diagnosis.context import Notification
from mcp_tap.diagnosis.interest import sees
from mcp_tap.diagnosis.rule import Rule


class LogNotDeclared(Rule):
    """A log message without the logging capability.

    What it means: the server sends `notifications/message` but did not declare `logging`.

    Why it matters: a client need not show messages that were not announced: they may be lost.

    Fails, server {"tools":{}}:
        ← notifications/message {"level":"info","data":"ready"}

    Passes, server {"logging":{}}:
        ← notifications/message {"level":"info","data":"ready"}

    What to do: declare `"logging": {}`, or write to stderr.
    """

    id = "CAP005"
    title = "log message without the logging capability"
    severity = "warning"
    culprit = "server"
    next = 'declare "logging": {} in the server\'s capabilities, or log to stderr'
    methods = frozenset({"notifications/message"})
    spec = "2025-11-25/server/utilities/logging#capabilities"

    @sees(sides="s2c")
    def notification(self, log: Notification) -> None:
        if offers(self.context, "s2c", "logging") is False:
            self.hit(log, "server sent notifications/message but did not declare logging")
