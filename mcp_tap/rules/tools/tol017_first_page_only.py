"""TOL017: client read only the first page."""

from __future__ import annotations

from mcp_tap.diagnosis.context import Answer, SessionContext
from mcp_tap.diagnosis.text import plural
from mcp_tap.rules.tools._pages import PAGINATION, Chain, Pages


class FirstPageOnly(Pages):
    """A list of which the client has read only the beginning.

    What it means: the server answered a list request with ``nextCursor``, there is more; and the
    client went on without asking for it.

    Why it matters: what is on later pages does not exist for that client, nor for its user.

    Fails:
        → 1 tools/list
        ← 1 result {"tools":[{"name":"find","inputSchema":{"type":"object"}}],"nextCursor":"p2"}
        → 2 ping
        ← 2 result {}

    Passes:
        → 1 tools/list
        ← 1 result {"tools":[{"name":"find","inputSchema":{"type":"object"}}],"nextCursor":"p2"}
        → 2 tools/list {"cursor":"p2"}
        ← 2 result {"tools":[{"name":"read","inputSchema":{"type":"object"}}]}

    What to do: follow nextCursor until there is none. A server can return everything in one page.
    """

    id = "TOL017"
    title = "client read only the first page"
    severity = "info"
    culprit = "client"
    next = "follow nextCursor until there is none; a server with few items can return them in one page"
    spec = PAGINATION
    needs_whole = True

    def __init__(self, context: SessionContext) -> None:
        super().__init__(context)
        self._last: dict[str, tuple[int, float]] = {}

    def page(self, answer: Answer, chain: Chain, cursor: str | None, again: bool) -> None:
        self._last[answer.exchange.method] = (answer.seq, answer.t)

    def end(self) -> None:
        if not self.context.over:
            return
        for method, (seq, t) in self._last.items():
            chain, went_on = self.chains[method], (self.context.last_c2s_t or 0.0) > t
            # An empty cursor is a legal one, and what servers say that mean the end.
            left = any(then and then not in chain.seen for then in chain.next.values())
            if left and went_on and not chain.asked:
                pages = "only the first page" if len(chain.seen) == 1 else f"{len(chain.seen):,} pages"
                items = plural(chain.items, "item")
                self.hit(seq, f"client read {pages} of {method} ({items}), and there are more", key=method)
