"""Text of a server's lists that a model reads, and how sentences name a credential without its value."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import orjson

from mcp_tap.diagnosis.context import Answer, SessionContext
from mcp_tap.diagnosis.finding import Hit
from mcp_tap.diagnosis.interest import sees
from mcp_tap.diagnosis.listing import name_of
from mcp_tap.diagnosis.rule import Rule
from mcp_tap.diagnosis.text import quoted
from mcp_tap.model.methods import CATALOGUE

STRINGS_SCANNED = 20_000
"""Strings of one item, or of one result, that are looked at."""

ITEMS_REMEMBERED = 10_000
"""Items that are known to have been looked at in the form they are in."""

GREETINGS = frozenset({"initialize", "server/discover"})

SPEAKS = frozenset({"tools/call", "resources/read", "prompts/get"})
"""Requests whose results hold content."""

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


def named(text: str | None, limit: int = 60) -> str:
    """A name from the wire as part of a sentence."""
    line = " ".join((text or "?").split())
    return f"`{line if len(line) <= limit else line[: limit - 1] + '…'}`"


def article(kind: str) -> str:
    """``a GitHub token``, ``an AWS access key``."""
    return f"{'an' if kind[0] in 'aeiouA' else 'a'} {kind}"


class Metadata(Rule):
    """A rule about what a server says of itself; each item is looked at once in each form."""

    culprit = "server"
    methods = GREETINGS | frozenset(CATALOGUE)

    def __init__(self, context: SessionContext) -> None:
        super().__init__(context)
        self._known: set[int] = set()

    @sees(sides="s2c")
    def answer(self, answer: Answer) -> None:
        method, result = answer.exchange.method, answer.result
        if method in GREETINGS:
            text = result.get("instructions")
            if isinstance(text, str):
                self._once(
                    answer, text, Item("the server", "instructions", "server", (("instructions", text),))
                )
            return
        kind, listed = KINDS[method], result.get(CATALOGUE[method])
        for value in listed if isinstance(listed, list) else ():
            name = name_of(value)
            if name is not None:
                self._once(answer, value, item_of(kind, name, value))

    def _once(self, answer: Answer, value: Any, item: Item) -> None:
        try:
            form = hash((item.key, orjson.dumps(value)))
        except orjson.JSONEncodeError:  # nested deeper than can be written
            form = hash(item.key)
        if form not in self._known:
            if len(self._known) < ITEMS_REMEMBERED:
                self._known.add(form)
            self.examine(answer, item)

    def examine(self, answer: Answer, item: Item) -> None:
        """Look at one item."""
        raise NotImplementedError

    def sentence(self, hit: Hit) -> str:
        return hit.message


def item_of(kind: str, name: str, value: dict[str, Any]) -> Item:
    """An item of a list."""
    strings = tuple(pair for field in FIELDS if field in value for pair in strings_in(value[field], field))
    short = " ".join(name.split())[:60]
    return Item(f"{kind} `{short}`", f"{kind} {name}", kind, strings)
