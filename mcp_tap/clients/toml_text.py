"""TOML, located: where every key and value stands, and where another member could.

``tomlkit`` keeps comments, but not every byte when words are put into an array and taken out again (it
loses ``[ ]``, a trailing comma before the bracket, the space after it, and cannot read a byte order mark:
tried with 0.15.2). So the standard library's parser says whether the text is TOML and what it means, and
this says where its parts are; it relies on the text being valid.
"""

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass, field
from typing import Any

from mcp_tap.clients.tree import (
    ConfigError,
    InsertPoint,
    KeyPath,
    ListItem,
    Member,
    ParsedNode,
    Token,
    end_of,
    flow_layout,
    newline_before,
    node_kind,
    with_comments,
)  # fmt: skip

_STRING = (
    r'"""(?:[^"\\]|\\.|"{1,2}(?!"))*+"{3,5}'
    r"|'''(?:[^']|'{1,2}(?!'))*+'{3,5}"
    r'|"(?:[^"\\\n]|\\.)*+"'
    r"|'[^'\n]*+'"
)
_VALUE = re.compile(rf"(?:{_STRING}|\d{{4}}-\d\d-\d\d[ ]\d\d[^\s,\]}}#]*+|[^\s,\]}}#\[{{]++)", re.DOTALL)
_KEY_PART = re.compile(rf"(?:{_STRING}|[A-Za-z0-9_-]++)")
_BLANK = re.compile(r"(?:[ \t]++|\r?\n|#[^\n]*+)*+")
_LINE_SPACE = re.compile(r"[ \t]*+")
_COMMENT_TO_END = re.compile(r"[ \t]*+(?:#[^\r\n]*+(?:\r(?!\n)[^\r\n]*+)*+)?")


@dataclass(frozen=True, slots=True)
class TomlFloat:
    """A number with a point, as it is written: equal to itself where nan is not."""

    text: str


@dataclass(slots=True)
class TomlTable:
    """What is known of a table: TOML may give its members in several places."""

    members: dict[str, Member | TomlTable] = field(default_factory=dict)


def parse_toml(text: str) -> ParsedNode:
    """The root of ``text``. Raises :class:`ConfigError` where it is no TOML 1.0."""
    try:
        value = tomllib.loads(text, parse_float=TomlFloat)
    except tomllib.TOMLDecodeError as error:
        raise ConfigError(f"is not valid TOML: {error}") from None
    except ValueError:  # Python reads 4,300 digits
        raise ConfigError("has a number with too many digits") from None
    except RecursionError:
        raise ConfigError("is nested too deeply") from None
    reader = _Reader(text, value)
    reader.read()
    return _parsed(reader.root, value)


def toml_tokens(text: str) -> list[Token]:
    """Keys, scalars and comments of valid TOML, in order."""
    reader = _Reader(text, tomllib.loads(text, parse_float=TomlFloat))
    reader.read()
    return with_comments(text, reader.tokens)


def _parsed(table: TomlTable, value: Any) -> ParsedNode:
    if not isinstance(value, dict):  # an array of tables, in which nobody looks for servers
        return ParsedNode(node_kind(value), 0, 0, value)
    members = tuple(
        found
        if isinstance(found, Member)
        else Member(key, _parsed(found, value[key]), InsertPoint(0, "", ""), (0, 0))
        for key, found in table.members.items()
    )
    return ParsedNode("map", 0, 0, value, members)


class _Reader:
    """Goes through the text once, and collects members into tables."""

    def __init__(self, text: str, value: dict[str, Any]) -> None:
        self.text, self.value = text, value
        self.root = TomlTable()
        self.counts: dict[KeyPath, int] = {}
        """How many tables of an array have been met."""
        self.tokens: list[Token] = []

    def read(self) -> None:
        """The whole text."""
        table, meaning = self.root, self.value
        at = end_of(_BLANK, self.text, 0)
        while at < len(self.text):
            if self.text[at] == "[":
                table, meaning, at = self._header(at)
            else:
                at = self._assignment(at, table, meaning)
            at = end_of(_BLANK, self.text, at)

    def _header(self, at: int) -> tuple[TomlTable, Any, int]:
        is_array = self.text.startswith("[[", at)
        keys, _, end = self._key(end_of(_LINE_SPACE, self.text, at + (2 if is_array else 1)))
        table, meaning = self.root, self.value
        path: KeyPath = ()
        for position, key in enumerate(keys):
            table, meaning, path = _below(table, key), meaning[key], (*path, key)
            if isinstance(meaning, list):
                is_new = is_array and position == len(keys) - 1
                self.counts[path] = self.counts.get(path, 0) + is_new
                number = self.counts[path] - 1
                # No entry is in an array.
                table, meaning, path = TomlTable(), meaning[number], (*path, number)
        return table, meaning, end + (2 if is_array else 1)

    def _assignment(self, at: int, table: TomlTable, meaning: Any) -> int:
        keys, last, end = self._key(at)
        value_at = end_of(_LINE_SPACE, self.text, end + 1)
        for key in keys[:-1]:
            table, meaning = _below(table, key), meaning[key]
        node = self._value(value_at, meaning[keys[-1]])
        eol = end_of(_COMMENT_TO_END, self.text, node.end)
        start = self.text.rfind("\n", 0, at) + 1
        newline = newline_before(self.text, at) or ("\r\n" if self.text[eol : eol + 2] == "\r\n" else "\n")
        # With everything that stands before the last part of the key: the indentation, and "server.".
        insert_point = InsertPoint(eol, f"{newline}{self.text[start:last]}args = [", ", ")
        previous = start - len(newline_before(self.text, at))
        removal = (previous, node.end) if start else (0, eol + len(newline))
        table.members[keys[-1]] = Member(keys[-1], node, insert_point, removal)
        return eol

    def _key(self, at: int) -> tuple[list[str], int, int]:
        """The parts of a dotted key, where the last one starts, and where "=" or "]" is."""
        parts: list[str] = []
        while True:
            match = _KEY_PART.match(self.text, at)
            assert match is not None  # the text has been parsed
            raw = match[0]
            self.tokens.append(Token(at, match.end(), "key"))
            parts.append(raw if raw[0] not in "\"'" else next(iter(tomllib.loads(f"{raw}=0"))))
            end = end_of(_LINE_SPACE, self.text, match.end())
            if self.text[end] != ".":
                return parts, at, end
            at = end_of(_LINE_SPACE, self.text, end + 1)

    def _value(self, at: int, meaning: Any) -> ParsedNode:
        if self.text[at] == "[":
            return self._array(at, meaning)
        if self.text[at] == "{":
            return self._inline_table(at, meaning)
        end = end_of(_VALUE, self.text, at)
        self.tokens.append(Token(at, end, "value"))
        return ParsedNode(node_kind(meaning), at, end, meaning)

    def _array(self, start: int, meaning: list[Any]) -> ParsedNode:
        items: list[ListItem] = []
        tail = start + 1
        at = end_of(_BLANK, self.text, start + 1)
        while self.text[at] != "]":
            node = self._value(at, meaning[len(items)])
            items.append(ListItem(at, node))
            at = end_of(_BLANK, self.text, node.end)
            tail = node.end
            if self.text[at] == ",":
                tail = at + 1
                at = end_of(_BLANK, self.text, at + 1)
        layout = flow_layout(self.text, items, start + 1, tail)
        return ParsedNode("list", start, at + 1, meaning, layout=layout)

    def _inline_table(self, start: int, meaning: dict[str, Any]) -> ParsedNode:
        table = TomlTable()
        at = end_of(_BLANK, self.text, start + 1)  # lines may end here from TOML 1.1 on
        comma = None
        previous: tuple[TomlTable, Member] | None = None
        while self.text[at] != "}":
            keys, last, end = self._key(at)
            below, inner = table, meaning
            for key in keys[:-1]:
                below, inner = _below(below, key), inner[key]
            node = self._value(end_of(_LINE_SPACE, self.text, end + 1), inner[keys[-1]])
            insert_point = InsertPoint(node.end, f", {self.text[at:last]}args = [", ", ")
            removal = (at if comma is None else comma, node.end)
            member = below.members[keys[-1]] = Member(keys[-1], node, insert_point, removal)
            if previous is not None and comma is not None:
                _let_first_go_with_its_comma(previous, at)
            previous = (below, member) if comma is None else None
            at = end_of(_BLANK, self.text, node.end)
            if self.text[at] == ",":
                comma = at
                at = end_of(_BLANK, self.text, at + 1)
        built = _parsed(table, meaning)
        return ParsedNode("map", start, at + 1, meaning, built.children)


def _let_first_go_with_its_comma(first: tuple[TomlTable, Member], end: int) -> None:
    table, member = first
    table.members[member.key] = Member(member.key, member.node, member.insert_point, (member.removal[0], end))


def _below(table: TomlTable, key: str) -> TomlTable:
    """The table at ``key``, made where there is none yet. An inline table is complete, and not asked for."""
    found = table.members.get(key)
    if not isinstance(found, TomlTable):
        found = table.members[key] = TomlTable()
    return found
