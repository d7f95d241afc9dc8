"""CAP004: list_changed not declared."""

from __future__ import annotations

from mcp_tap.diagnosis.asked import offers
from mcp_tap.diagnosis.context import Notification
from mcp_tap.diagnosis.interest import sees
from mcp_tap.diagnosis.rule import Rule


class ChangeNotDeclared(Rule):
    """A list_changed notification that was not declared.

    What it means: the server says that a list has changed, but had not declared `listChanged` for it.

    Why it matters: a client that relies on the declaration does not listen, and keeps using the old
    list.

    Fails, server {"tools":{}}:
        ← notifications/tools/list_changed

    Passes, server {"tools":{"listChanged":true}}:
        ← notifications/tools/list_changed

    What to do: declare `"tools": {"listChanged": true}` (or the same for prompts or resources) in the
    answer to `initialize` or `server/discover`.
    """

    id = "CAP004"
    title = "list_changed not declared"
    severity = "warning"
    culprit = "server"
    next = "declare listChanged: true for this list in the server's capabilities"
    methods = frozenset(f"notifications/{what}/list_changed" for what in ("tools", "resources", "prompts"))
    spec = "2025-11-25/server/tools#capabilities"

    @sees(sides="s2c")
    def notification(self, changed: Notification) -> None:
        method = changed.message.method or ""
        what = method.split("/")[1]
        if offers(self.context, "s2c", what, "listChanged") is False:
            message = f"server sent {method} but did not declare listChanged for {what}"
            self.hit(changed, message, key=what)
