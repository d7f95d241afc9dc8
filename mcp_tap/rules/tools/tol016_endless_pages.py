"""TOL016: pagination does not end."""

from __future__ import annotations

from mcp_tap.diagnosis.context import Occurrence
from mcp_tap.diagnosis.finding import Hit
from mcp_tap.diagnosis.pending import explain
from mcp_tap.model.exchange import Exchange
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

    def page(
        self, seen: Occurrence, exchange: Exchange, chain: Chain, cursor: str | None, again: bool
    ) -> None:
        method, hit = exchange.method, self.hits.get(exchange.method)
        if "nextCursor" not in seen.result:
            if hit is not None and hit.facts["listing"] == chain.listing:
                del self.hits[method]  # it came to its end after all
        elif cursor is not None and chain.goes_round(cursor):
            self._hit(
                seen,
                exchange,
                chain,
                f"page {len(chain.seen):,} of {method} names a nextCursor that was there before",
            )
        elif len(chain.seen) > PAGES_LIMIT:
            self._hit(seen, exchange, chain, f"{method} has more than {PAGES_LIMIT:,} pages and goes on")

    def _hit(self, seen: Occurrence, exchange: Exchange, chain: Chain, message: str) -> None:
        hit = self.hit(seen, f"{message}: the list does not end", key=exchange.method)
        hit.facts["listing"] = chain.listing
        explain(hit, [seen.seq])

    def sentence(self, hit: Hit) -> str:
        return hit.message  # of the first time: each further page repeats it
