"""TOL016: pagination does not end."""

from __future__ import annotations

from mcp_tap.diagnosis.context import Answer, SessionContext
from mcp_tap.diagnosis.finding import Hit
from mcp_tap.diagnosis.pending import explain
from mcp_tap.rules.tools._pages import PAGES_LIMIT, PAGINATION, Chain, Pages


class EndlessPages(Pages):
    """Pagination that does not end.

    What it means: the pages of a list lead back to one that was there before: its ``nextCursor`` is
    one by which the client has come already, or the list has more than 1,000 pages. Where the list
    came to an end after all, nothing is reported.

    Why it matters: a client that follows the cursors asks for ever, or gives up and shows nothing.

    Fails:
        → 1 resources/list
        ← 1 result {"resources":[{"uri":"note://1","name":"1"}],"nextCursor":"p2"}
        → 2 resources/list {"cursor":"p2"}
        ← 2 result {"resources":[{"uri":"note://2","name":"2"}],"nextCursor":"p2"}

    Passes:
        → 1 resources/list
        ← 1 result {"resources":[{"uri":"note://1","name":"1"}],"nextCursor":"p2"}
        → 2 resources/list {"cursor":"p2"}
        ← 2 result {"resources":[{"uri":"note://2","name":"2"}]}

    What to do: leave nextCursor out on the last page, and take the cursor that is asked for into account.
    """

    id = "TOL016"
    title = "pagination does not end"
    severity = "error"
    culprit = "server"
    next = "leave nextCursor out on the last page, and read the cursor that the client sends"
    spec = PAGINATION

    def __init__(self, context: SessionContext) -> None:
        super().__init__(context)
        self._listings: dict[str, int] = {}
        """By method, the listing in which it was found last."""

    def page(self, answer: Answer, chain: Chain, cursor: str | None, again: bool) -> None:
        method = answer.exchange.method
        if "nextCursor" not in answer.result:
            if self._listings.get(method) == chain.listing:
                self.hits.pop(method, None)  # it came to its end after all
        elif cursor is not None and chain.goes_round(cursor):
            pages = len(chain.seen)
            self._hit(answer, chain, f"page {pages:,} of {method} names a nextCursor that was there before")
        elif len(chain.seen) > PAGES_LIMIT:
            self._hit(answer, chain, f"{method} has more than {PAGES_LIMIT:,} pages and goes on")

    def _hit(self, answer: Answer, chain: Chain, message: str) -> None:
        method = answer.exchange.method
        hit = self.hit(answer, f"{message}: the list does not end", key=method)
        self._listings[method] = chain.listing
        explain(hit, [answer.seq])

    def sentence(self, hit: Hit) -> str:
        return hit.message  # of the first time: each further page repeats it
