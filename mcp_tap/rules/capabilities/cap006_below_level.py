"""CAP006: log message below the level that was set."""

from __future__ import annotations

from mcp_tap.diagnosis.context import LEGACY_ONLY, Answer, Notification, Request
from mcp_tap.diagnosis.interest import sees
from mcp_tap.diagnosis.levels import LEVELS, SETTLED_SECONDS
from mcp_tap.diagnosis.rule import Rule


class BelowLevel(Rule):
    """A log message below the level that was set.

    What it means: the client set a level with `logging/setLevel`, the server confirmed it, but sends
    messages of a lower level. The levels are debug, info, notice, warning, error, critical, alert,
    emergency.

    Why it matters: a client that wants only errors receives every message, and shows it or pays for it.

    Fails:
        → 5 logging/setLevel {"level":"error"}
        ← 5 result {}
        2 ← notifications/message {"level":"info","data":"still here"}

    Passes:
        → 5 logging/setLevel {"level":"info"}
        ← 5 result {}
        2 ← notifications/message {"level":"warning","data":"cache cold"}

    What to do: make the server drop messages below the level.
    """

    id = "CAP006"
    title = "log message below the level that was set"
    severity = "warning"
    culprit = "server"
    next = "drop messages below the level that the client has set"
    versions = LEGACY_ONLY
    methods = frozenset({"logging/setLevel", "notifications/message"})
    spec = "2025-11-25/server/utilities/logging#setting-log-level"

    wanted: str | None = None
    """The level that holds; None where none was set, or one that is not known."""
    since = 0.0
    """When it was confirmed."""
    asked: str | None = None
    """The level that the last request asked for."""
    pending = 0
    """Requests to set a level that have no answer yet: the server may have obeyed them already."""

    @sees(sides="c2s", methods="logging/setLevel")
    def request(self, request: Request) -> None:
        level = request.params.get("level")
        self.asked = level if level in LEVELS else None
        self.pending += 1

    @sees(sides="s2c")
    def answer(self, answer: Answer) -> None:
        if self.pending:
            self.pending -= 1
            self.wanted = None if answer.exchange.outcome == "error" else self.asked
            self.since = answer.t

    @sees(sides="s2c", methods="notifications/message")
    def notification(self, log: Notification) -> None:
        wanted = self.wanted
        if wanted is None or self.pending or not self.context.whole:
            return
        level = log.params.get("level")
        if level not in LEVELS or log.t - self.since < SETTLED_SECONDS:
            return
        if LEVELS.index(level) < LEVELS.index(wanted):
            message = (
                f"server sent a log message of level {level} after the client had set the level to {wanted}"
            )
            self.hit(log, message, key=level)
