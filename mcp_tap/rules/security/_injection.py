"""Text of a server's lists that a model reads, and the base of rules about it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import orjson

from mcp_tap.diagnosis.context import Answer, Occurrence, SessionContext
from mcp_tap.diagnosis.finding import Hit
from mcp_tap.diagnosis.listing import name_of
from mcp_tap.diagnosis.rule import Rule
from mcp_tap.diagnosis.text import quoted
from mcp_tap.model.methods import CATALOGUE

STRINGS_SCANNED = 20_000
"""Strings of one item, or of one result, that are looked at."""

ITEMS_REMEMBERED = 10_000
"""Items that are known to have been looked at in the form they are in."""

GREETINGS = frozenset({"initialize", "server/discover"})

FIELDS = ("name", "title", "description", "inputSchema", "outputSchema", "annotations", "arguments")
"""What a model is shown of an item, or may be."""

KINDS = {
    "tools/list": "tool",
    "prompts/list": "prompt",
    "resources/list": "resource",
    "resources/templates/list": "resource template",
}


@dataclass(frozen=True, slots=True)
class Item:
    """A piece of metadata: what it is called in a sentence, its key, its strings with their paths."""

    label: str
    key: str
    kind: str
    strings: tuple[tuple[str, str], ...]


def strings_in(value: Any, path: str) -> Iterator[tuple[str, str]]:
    """Every string in a JSON value with its path, names of members too, in order."""
    stack = [(path, value)]
    for _ in range(STRINGS_SCANNED):
        if not stack:
            return
        at, node = stack.pop()
        if isinstance(node, str):
            yield at, node
        elif isinstance(node, dict):
            for key, child in reversed(list(node.items())):
                stack.append((f"{at}.{key[:40]}", child))
                stack.append((at, key))
        elif isinstance(node, list):
            stack.extend((at, child) for child in reversed(node))


def quote_around(text: str, words: str) -> str:
    """``words`` with some of what is around them."""
    at = max(0, text.find(words))
    return quoted(text[max(0, at - 20) : at + len(words) + 20], 120)


class Metadata(Rule):
    """A rule about what a server says of itself; each item is looked at once in each form."""

    culprit = "server"
    methods = GREETINGS | frozenset(CATALOGUE)

    def __init__(self, context: SessionContext) -> None:
        super().__init__(context)
        self._known: set[int] = set()

    def answer(self, seen: Answer) -> None:
        exchange = seen.exchange
        if exchange is None or seen.side != "s2c" or not self.may_matter(seen):
            return
        result = seen.result
        if exchange.method in GREETINGS:
            if isinstance(result.get("instructions"), str):
                text = result["instructions"]
                self._once(
                    seen, text, Item("the server", "instructions", "server", (("instructions", text),))
                )
            return
        kind, listed = KINDS[exchange.method], result.get(CATALOGUE[exchange.method])
        for value in listed if isinstance(listed, list) else ():
            name = name_of(value)
            if name is not None:
                self._once(seen, value, item_of(kind, name, value))

    def may_matter(self, seen: Occurrence) -> bool:
        """Whether the answer is worth taking apart."""
        return True

    def _once(self, seen: Occurrence, value: Any, item: Item) -> None:
        try:
            form = hash((item.key, orjson.dumps(value)))
        except orjson.JSONEncodeError:  # nested deeper than can be written
            form = hash(item.key)
        if form not in self._known:
            if len(self._known) < ITEMS_REMEMBERED:
                self._known.add(form)
            self.examine(seen, item)

    def examine(self, seen: Occurrence, item: Item) -> None:
        """Look at one item."""
        raise NotImplementedError

    def sentence(self, hit: Hit) -> str:
        return hit.message


def item_of(kind: str, name: str, value: dict[str, Any]) -> Item:
    """An item of a list."""
    strings = tuple(pair for field in FIELDS if field in value for pair in strings_in(value[field], field))
    short = " ".join(name.split())[:60]
    return Item(f"{kind} `{short}`", f"{kind} {name}", kind, strings)
