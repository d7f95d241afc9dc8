"""Lists that come in pages (MCP server/utilities/pagination)."""

from __future__ import annotations

from dataclasses import dataclass, field

from mcp_tap.diagnosis.bounded import Latest
from mcp_tap.diagnosis.context import Answer, Request, SessionContext
from mcp_tap.diagnosis.interest import sees
from mcp_tap.diagnosis.rule import Rule
from mcp_tap.model.exchange import Exchange
from mcp_tap.model.methods import CATALOGUE

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
    asked: Latest[Exchange, str | None] = field(default_factory=lambda: Latest(PAGES_ASKED))
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

    def __init__(self, context: SessionContext) -> None:
        super().__init__(context)
        self.chains: dict[str, Chain] = {method: Chain() for method in CATALOGUE}

    def page(self, answer: Answer, chain: Chain, cursor: str | None, again: bool) -> None:
        """A page has come; ``again`` says that it had come before, in this listing."""

    @sees(sides="c2s", methods=CATALOGUE)
    def request(self, request: Request) -> None:
        cursor = request.params.get("cursor")
        if isinstance(cursor, str | None):
            self.chains[request.exchange.method].asked[request.exchange] = cursor

    @sees(sides="s2c", methods=CATALOGUE)
    def answer(self, answer: Answer) -> None:
        exchange, chain = answer.exchange, self.chains[answer.exchange.method]
        if exchange not in chain.asked:
            return
        cursor = chain.asked.pop(exchange)
        if exchange.outcome == "error":
            return
        if cursor is None:
            chain.begin()
        again = cursor in chain.seen
        if len(chain.seen) <= PAGES_LIMIT:
            chain.add(cursor, answer.result.get("nextCursor"))
            if not again:
                items = answer.result.get(CATALOGUE[exchange.method])
                chain.items += len(items) if isinstance(items, list) else 0
        self.page(answer, chain, cursor, again)
