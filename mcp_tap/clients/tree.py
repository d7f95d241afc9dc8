"""A configuration file as a tree whose nodes know where they stand in the text.

JSON, TOML and YAML are each read into this by a module of their own; whoever edits sees no difference
between them. Positions are offsets into the text, in characters; the byte order mark is not part of it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, Protocol

NodeKind = Literal["map", "list", "string", "other"]

Movable = Literal["anywhere", "blocks", "nowhere"]

Format = Literal["json", "json with comments", "jsonc", "toml", "yaml"]
"""What a client's parser takes: strict JSON; that and comments; that and trailing commas; …"""


KeyPath = tuple[str | int, ...]
"""The keys of maps, and the positions in lists, from the root to a value."""


class ConfigError(Exception):
    """The text cannot be read, or not be edited with certainty: ``str()`` follows the file's name."""


class EmptyConfig(ConfigError):
    """There is nothing in the text but space and comments."""

    def __init__(self) -> None:
        super().__init__("is empty")


@dataclass(frozen=True, slots=True)
class InsertPoint:
    """Room for a new member ``args`` behind an existing one: where, and what stands around its words."""

    at: int
    before: str
    between: str
    after: str = "]"


@dataclass(frozen=True, slots=True)
class ListItem:
    """One of a list. ``begin`` is where the item with all that introduces it starts (a YAML dash)."""

    begin: int
    node: Node


@dataclass(frozen=True, slots=True)
class ListLayout:
    """A list, and how words are put in front of what it has.

    An ``opener`` and the words with ``between`` between them, then ``last``, in front of the first item;
    without ``last`` at ``inside`` where there is none. ``tail`` is the end of the last item, with the
    comma after it. Where it is not ``is_usual``, it is only read.
    """

    items: tuple[ListItem, ...]
    inside: int
    tail: int
    between: str
    last: str
    opener: str = ""
    is_block: bool = False
    is_usual: bool = True


class Node(Protocol):
    """A value in the text: ``text[start:end]`` is its raw token, ``value`` what it means."""

    @property
    def kind(self) -> NodeKind: ...
    @property
    def start(self) -> int: ...
    @property
    def end(self) -> int: ...
    @property
    def value(self) -> Any: ...
    @property
    def movable(self) -> Movable:
        """Where else in the text the raw token means the same; a "block" is a line of its own in YAML."""
        ...

    def members(self) -> Sequence[Member]:
        """What a map holds, in order, duplicates too; nothing for other nodes."""
        ...

    def list_layout(self) -> ListLayout | None:
        """What a list holds; None for other nodes."""
        ...


@dataclass(frozen=True, slots=True)
class Member:
    """A key of a map. ``removal`` is what goes when the member goes: the inverse of an insertion."""

    key: str
    node: Node
    insert_point: InsertPoint
    removal: tuple[int, int]


@dataclass(frozen=True, slots=True)
class ParsedNode:
    """A node whose children are known already."""

    kind: NodeKind
    start: int
    end: int
    value: Any
    children: tuple[Member, ...] = field(default=(), repr=False)
    layout: ListLayout | None = field(default=None, repr=False)
    movable: Movable = "anywhere"

    def members(self) -> Sequence[Member]:
        """See :class:`Node`."""
        return self.children

    def list_layout(self) -> ListLayout | None:
        """See :class:`Node`."""
        return self.layout


@dataclass(frozen=True, slots=True)
class Token:
    """Something written in the text: what could be a secret (``value``, ``comment``), or a ``key``."""

    start: int
    end: int
    kind: Literal["key", "value", "comment"]


def with_comments(text: str, tokens: Sequence[Token]) -> list[Token]:
    """``tokens`` and, as everything from "#" to the end of a line between them, the comments."""
    found: list[Token] = []
    at = 0
    for token in (*tokens, None):
        end = token.start if token else len(text)
        while (start := text.find("#", at, end)) >= 0:
            at = text.find("\n", start, end) if "\n" in text[start:end] else end
            found.append(Token(start, at, "comment"))
        if token:
            found.append(token)
            at = token.end
    return found


def member_of(node: Node, key: str) -> Member | None:
    """The member called ``key``. Raises :class:`ConfigError` where there are two: which one counts?"""
    found = [member for member in node.members() if member.key == key]
    if len(found) > 1:
        raise _duplicate(key)
    return found[0] if found else None


def _duplicate(key: str) -> ConfigError:
    return ConfigError(f"has a duplicate key {key!r}")


def node_kind(value: Any) -> NodeKind:
    """The kind of a node that means ``value``."""
    if isinstance(value, dict):
        return "map"
    if isinstance(value, list):
        return "list"
    return "string" if isinstance(value, str) else "other"


def line_of(text: str, at: int) -> int:
    """The line of an offset, counted from 1."""
    return text.count("\n", 0, at) + 1


def newline_before(text: str, at: int) -> str:
    """How the line before the one of ``at`` ends; empty in the first line."""
    end = text.rfind("\n", 0, at)
    return "" if end < 0 else "\r\n" if text[end - 1 : end] == "\r" else "\n"


def indent_before(text: str, at: int) -> str | None:
    """The newline and the indentation before ``at``; None where something else stands in its line."""
    begin = at
    while text[begin - 1 : begin] in (" ", "\t"):  # and no further: a line may have millions of letters
        begin -= 1
    if text[begin - 1 : begin] != "\n":
        return None
    begin -= 2 if text[begin - 2 : begin - 1] == "\r" else 1
    return text[begin:at]


def flow_layout(
    text: str, items: Sequence[ListItem], inside: int, tail: int, between: str = ", "
) -> ListLayout:
    """The layout of a list in brackets, whose items may stand in lines of their own."""
    indent = indent_before(text, items[0].begin) if items else ""
    last = f",{indent}" if indent else between if items else ""
    return ListLayout(tuple(items), inside, tail, between, last)


def end_of(pattern: re.Pattern[str], text: str, at: int) -> int:
    """Where ``pattern`` ends that is known to match at ``at``, since the text has been parsed."""
    match = pattern.match(text, at)
    assert match is not None
    return match.end()


def nodes_at(root: Node, paths: Sequence[KeyPath]) -> list[Node | None]:
    """The nodes at ``paths``; None where there is none. Each map is gone through once for all of them."""
    inside: dict[KeyPath, dict[str | int, Node]] = {}

    def find(path: KeyPath) -> Node | None:
        if not path:
            return root
        above = path[:-1]
        if above not in inside:
            node = find(above)
            inside[above] = _nodes_in(node) if node else {}
        return inside[above].get(path[-1])

    return [find(path) for path in paths]


def _nodes_in(node: Node) -> dict[str | int, Node]:
    layout = node.list_layout()
    found: dict[str | int, Node] = {at: item.node for at, item in enumerate(layout.items if layout else ())}
    for member in node.members():
        found.setdefault(member.key, member.node)
    return found


def walk(node: Node, path: Sequence[str]) -> Iterator[tuple[tuple[str, ...], Node]]:
    """The nodes at ``path``, in which "*" is any key. Raises :class:`ConfigError` for a duplicate key."""
    if not path:
        yield (), node
        return
    members: dict[str, Node] = {}
    for member in node.members():
        if path[0] in ("*", member.key):
            if member.key in members:
                raise _duplicate(member.key)
            members[member.key] = member.node
    for key, below in members.items():
        for rest, found in walk(below, path[1:]):
            yield (key, *rest), found
