"""CAP006: log message below the level that was set."""

from __future__ import annotations

from mcp_tap.diagnosis.context import LEGACY_ONLY, Answer, Notification, Request
from mcp_tap.diagnosis.levels import LEVELS, SETTLED_SECONDS
from mcp_tap.diagnosis.rule import Rule


class BelowLevel(Rule):
    """A log message below the level that was asked for.

    What it means: the client has set a level with `logging/setLevel`, the server has confirmed it,
    and sends messages of a lower one. The levels are debug, info, notice, warning, error, critical,
    alert, emergency.

    Why it matters: a client that wanted errors only gets every message, and shows or pays for it.

    Fails:
        → 5 logging/setLevel {"level":"error"}
        ← 5 result {}
        2 ← notifications/message {"level":"info","data":"still here"}

    Passes:
        → 5 logging/setLevel {"level":"info"}
        ← 5 result {}
        2 ← notifications/message {"level":"warning","data":"cache cold"}

    What to do: drop messages below the level in the server.
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

    def request(self, seen: Request) -> None:
        if seen.side == "c2s" and seen.message.method == "logging/setLevel":
            level = seen.params.get("level")
            self.asked = level if level in LEVELS else None
            self.pending += 1

    def answer(self, seen: Answer) -> None:
        if seen.side == "s2c" and self.pending:
            self.pending -= 1
            self.wanted = self.asked if seen.message.kind == "response" else None
            self.since = seen.t

    def notification(self, seen: Notification) -> None:
        level, wanted = seen.params.get("level"), self.wanted
        if seen.side != "s2c" or wanted is None or self.pending or level not in LEVELS:
            return
        if not self.context.whole or seen.t - self.since < SETTLED_SECONDS:
            return
        if LEVELS.index(level) < LEVELS.index(wanted):
            message = (
                f"server sent a log message of level {level} after the client had set the level to {wanted}"
            )
            self.hit(seen, message, key=level)
