"""What a server has listed, as far as rules need it: tools with their schemas, prompts, resources."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from mcp_tap.model.exchange import Exchange
from mcp_tap.model.methods import CATALOGUE

ITEMS_KEPT = 10_000
"""Items of one list that are remembered."""


@dataclass(slots=True, eq=False)
class Listing:
    """One list of a server, over all its pages.

    ``items`` are those of the current listing by name (or URI), in order; ``complete`` is whether
    its last page has been seen. ``before`` is the listing before this one, once complete.
    """

    items: dict[str, dict[str, Any]] = field(default_factory=dict)
    complete: bool = False
    before: dict[str, dict[str, Any]] | None = None
    pages: int = 0
    repeated: list[str] = field(default_factory=list)
    """Names that the page taken last has repeated within the listing."""

    def take(self, page: Any, first: bool, last: bool) -> None:
        """Add a page of the list."""
        if first or self.complete:
            self.before = self.items if self.complete else self.before
            self.items, self.pages = {}, 0
        self.pages += 1
        self.complete = last
        self.repeated = []
        for item in page if isinstance(page, list) else []:
            name = name_of(item)
            if name is None or len(self.items) >= ITEMS_KEPT:
                continue
            if name in self.items:
                self.repeated.append(name)
            self.items[name] = item


@dataclass(slots=True, eq=False)
class Listings:
    """All lists of a server, by the method that lists them."""

    by_method: dict[str, Listing] = field(default_factory=lambda: {name: Listing() for name in CATALOGUE})

    @property
    def tools(self) -> Listing:
        """The tools."""
        return self.by_method["tools/list"]

    def take(self, exchange: Exchange, result: dict[str, Any]) -> None:
        """Note the answer to a list request; any other is ignored."""
        what = CATALOGUE.get(exchange.method)
        if what is not None:
            listing = self.by_method[exchange.method]
            listing.take(result.get(what), not exchange.pages_on, "nextCursor" not in result)


def name_of(item: Any) -> str | None:
    """By what an item of a list is told from the others."""
    if not isinstance(item, dict):
        return None
    for key in ("name", "uri", "uriTemplate"):
        if isinstance(item.get(key), str):
            return str(item[key])
    return None
