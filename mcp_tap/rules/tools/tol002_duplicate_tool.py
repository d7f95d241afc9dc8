"""TOL002: duplicate tool name."""

from __future__ import annotations

from mcp_tap.diagnosis.context import Answer, Notification, SessionContext
from mcp_tap.diagnosis.text import key_of, ticked
from mcp_tap.rules.tools._base import NAMES, NAMES_KEPT, names_in
from mcp_tap.rules.tools._pages import Chain, Pages


class DuplicateTool(Pages):
    """One tool name twice in a list.

    What it means: two tools of one complete list have the same name. A page that the client asked
    for twice does not count, nor what changed between two pages.

    Why it matters: a name is all that a call says. Clients drop one of the two, or refuse the list.

    Fails:
        → 1 tools/list
        ← 1 result {"tools":[{"name":"find","inputSchema":{"type":"object"}},
            {"name":"find","inputSchema":{"type":"object"}}]}

    Passes:
        → 1 tools/list
        ← 1 result {"tools":[{"name":"find","inputSchema":{"type":"object"}},
            {"name":"Find","inputSchema":{"type":"object"}}]}

    What to do: give each tool a name of its own; look whether something is registered twice.
    """

    id = "TOL002"
    title = "duplicate tool name"
    severity = "error"
    culprit = "server"
    next = "give each tool a name of its own; look whether something is registered twice"
    methods = frozenset({"tools/list", "notifications/tools/list_changed"})
    spec = NAMES

    def __init__(self, context: SessionContext) -> None:
        super().__init__(context)
        self._names: set[str] | None = set()
        """Of the pages before in this listing; None where they may be of another list."""

    def notification(self, notification: Notification) -> None:
        self._names = None  # whoever says so: it decides what is not reported

    def page(self, answer: Answer, chain: Chain, cursor: str | None, again: bool) -> None:
        here: set[str] = set()
        for name in names_in(answer):
            if name in here:
                self._hit(answer, name, "in one page of tools/list")
            here.add(name)
        if cursor is None:
            self._names = set()
        elif again or self._names is None or cursor not in chain.next.values():
            return
        for name in sorted(here & self._names):
            self._hit(answer, name, "on two pages of tools/list")
        if len(self._names) < 10 * NAMES_KEPT:
            self._names |= here

    def _hit(self, answer: Answer, name: str, where: str) -> None:
        self.hit(answer, f"tool {ticked(name)} is listed twice {where}", key=key_of(name))
