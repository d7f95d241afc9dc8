"""TOL: lists that come in pages (MCP server/utilities/pagination)."""

from __future__ import annotations

from dataclasses import dataclass, field

from mcp_tap.model.exchange import Exchange
from mcp_tap.model.methods import CATALOGUE
from mcp_tap.rules.case import Case, Seen, plural
from mcp_tap.rules.facts.pending import explain
from mcp_tap.rules.finding import Hit
from mcp_tap.rules.rule import Rule

PAGINATION = "2025-11-25/server/utilities/pagination"

PAGES_LIMIT = 1_000
"""Pages of one list: no server has so much to list."""

PAGES_ASKED = 256
"""Pages that wait for their answer."""


@dataclass(slots=True, eq=False)
class Chain:
    """The pages of one list, as the server strings them together.

    ``next`` is by the cursor of a page (None: the first) the cursor that it names. A page that is
    asked for again changes nothing in it.
    """

    next: dict[str | None, str] = field(default_factory=dict)
    asked: dict[Exchange, str | None] = field(default_factory=dict)
    listing: int = 0
    """How often the list was begun."""
    seen: set[str | None] = field(default_factory=set)
    """The pages of the current listing that have come."""
    items: int = 0
    """On all of them."""

    def begin(self) -> None:
        """The first page has come."""
        self.next, self.seen, self.items = {}, set(), 0
        self.listing += 1

    def add(self, cursor: str | None, then: object) -> None:
        """The page at ``cursor`` has come, which names ``then`` as the next."""
        self.seen.add(cursor)
        if isinstance(then, str):
            self.next[cursor] = then
        else:
            self.next.pop(cursor, None)

    def goes_round(self, cursor: str | None) -> bool:
        """Whether the way on from the page at ``cursor`` comes back to it."""
        at = self.next.get(cursor)
        for _ in range(len(self.next)):
            if at is None or at == cursor:
                break
            at = self.next.get(at)
        return at is not None and at == cursor


class Pages(Rule):
    """The base of rules about lists that come in pages."""

    methods = frozenset(CATALOGUE)

    def __init__(self, case: Case) -> None:
        super().__init__(case)
        self.chains: dict[str, Chain] = {method: Chain() for method in CATALOGUE}

    def page(self, seen: Seen, exchange: Exchange, chain: Chain, cursor: str | None, again: bool) -> None:
        """A page has come; ``again`` says that it had come before, in this listing."""

    def request(self, seen: Seen) -> None:
        exchange, cursor = seen.exchange, seen.params.get("cursor")
        if exchange is None or exchange.side != "c2s" or exchange.method not in CATALOGUE:
            return
        if not isinstance(cursor, str | None):
            return
        chain = self.chains[exchange.method]
        if len(chain.asked) >= PAGES_ASKED:
            chain.asked.clear()
        chain.asked[exchange] = cursor

    def answer(self, seen: Seen) -> None:
        exchange = seen.exchange
        chain = None if exchange is None else self.chains.get(exchange.method)
        if exchange is None or chain is None or exchange not in chain.asked:
            return
        cursor = chain.asked.pop(exchange)
        if exchange.outcome == "error":
            return
        if cursor is None:
            chain.begin()
        again = cursor in chain.seen
        if len(chain.seen) <= PAGES_LIMIT:
            chain.add(cursor, seen.result.get("nextCursor"))
            if not again:
                items = seen.result.get(CATALOGUE[exchange.method])
                chain.items += len(items) if isinstance(items, list) else 0
        self.page(seen, exchange, chain, cursor, again)


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

    def page(self, seen: Seen, exchange: Exchange, chain: Chain, cursor: str | None, again: bool) -> None:
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

    def _hit(self, seen: Seen, exchange: Exchange, chain: Chain, message: str) -> None:
        hit = self.hit(seen, f"{message}: the list does not end", key=exchange.method)
        hit.facts["listing"] = chain.listing
        explain(hit, [seen.seq])

    def sentence(self, hit: Hit) -> str:
        return hit.message  # of the first time: each further page repeats it


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

    def __init__(self, case: Case) -> None:
        super().__init__(case)
        self._last: dict[str, tuple[int, float]] = {}

    def page(self, seen: Seen, exchange: Exchange, chain: Chain, cursor: str | None, again: bool) -> None:
        self._last[exchange.method] = (seen.seq, seen.t)

    def end(self) -> None:
        if not self.case.whole or not self.case.over:
            return
        for method, (seq, t) in self._last.items():
            chain, went_on = self.chains[method], (self.case.last_c2s_t or 0.0) > t
            # An empty cursor is a legal one, and what servers say that mean the end.
            left = any(then and then not in chain.seen for then in chain.next.values())
            if left and went_on and not chain.asked:
                pages = "only the first page" if len(chain.seen) == 1 else f"{len(chain.seen):,} pages"
                items = plural(chain.items, "item")
                self.hit(seq, f"client read {pages} of {method} ({items}), and there are more", key=method)
