"""JSON and JSONC, located: where every key and value stands, and where another member could.

No library in Python keeps a file with comments byte for byte: json5 and its like lose them, those that
keep them reformat, take two seconds for 400 kB or need Node. So the text is only read here, never
written. Comments and trailing commas are overwritten with spaces, which leaves strict JSON of the same
length, and the standard library's own C scanner finds where values end in it; only the objects that
are asked for are looked into. A ``.claude.json`` of 5 MB takes a tenth of a second.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from typing import Any, NoReturn

from mcp_tap.clients.tree import (
    ConfigError,
    EmptyConfig,
    Format,
    InsertPoint,
    ListItem,
    ListLayout,
    Member,
    Movable,
    Node,
    NodeKind,
    Token,
    end_of,
    flow_layout,
    indent_before,
    line_of,
    node_kind,
)  # fmt: skip

_STRING = r'"[^"\\]*+(?:\\.[^"\\]*+)*+"'
_COMMENT = r"//[^\n\r]*+|/\*.*?\*/"
_STRING_OR_COMMENT = re.compile(f"{_STRING}|{_COMMENT}", re.DOTALL)
_STRING_OR_COMMA = re.compile(rf"{_STRING}|,(?=[ \t\n\r]*+[}}\]])", re.DOTALL)
_TOKENS = re.compile(rf"{_STRING}|{_COMMENT}|[^\s{{}}\[\],:\"/]++", re.DOTALL)
_NOT_NEWLINE = re.compile(r"[^\n\r]")
_SPACE = re.compile(r"[ \t\n\r]*+")
_COLON = re.compile(r"[ \t\n\r]*+:[ \t\n\r]*+")


def parse_json(text: str, form: Format) -> Node:
    """The root of ``text``. Raises :class:`ConfigError` where a client that reads ``form`` could not."""
    try:
        return JsonNode.whole(text, text)
    except ConfigError:
        strict = blank(text, form)
        if strict == text:
            raise
    return JsonNode.whole(text, strict)


def blank(text: str, form: Format) -> str:
    """``text`` as strict JSON of the same length. Raises :class:`ConfigError` for what ``form`` forbids."""

    def comment(match: re.Match[str]) -> str:
        if match[0][0] == '"':
            return match[0]
        if form == "json":
            raise ConfigError(
                f"has a comment on line {line_of(text, match.start())}, which its client cannot read"
            )
        return _NOT_NEWLINE.sub(" ", match[0])

    def comma(match: re.Match[str]) -> str:
        if match[0][0] == '"':
            return match[0]
        if form != "jsonc":
            where = line_of(text, match.start())
            raise ConfigError(f"has a trailing comma on line {where}, which its client cannot read")
        at = match.start() - 1
        while match.string[at] in " \t\n\r":
            at -= 1
        return "," if match.string[at] in "[{,:" else " "  # it ends nothing there

    return _STRING_OR_COMMA.sub(comma, _STRING_OR_COMMENT.sub(comment, text))


def json_tokens(text: str) -> Iterator[Token]:
    """Strings, other scalars and comments, in order."""
    for match in _TOKENS.finditer(text):
        if match[0][0] == "/":
            yield Token(match.start(), match.end(), "comment")
        else:
            is_key = match[0][0] == '"' and _COLON.match(text, match.end()) is not None
            yield Token(match.start(), match.end(), "key" if is_key else "value")


class NotJson(ValueError):
    """A constant of JavaScript's."""


def _no_constant(name: str) -> NoReturn:
    raise NotJson(f"{name} is not JSON")


_scan = json.JSONDecoder(parse_constant=_no_constant).raw_decode


class JsonNode:
    """A value of the text; the members of an object are looked for when they are asked for."""

    __slots__ = ("_members", "_strict", "_text", "end", "kind", "movable", "start", "value")

    def __init__(self, text: str, strict: str, start: int, end: int, value: Any) -> None:
        self._text, self._strict = text, strict
        self.start, self.end, self.value = start, end, value
        self.kind: NodeKind = node_kind(value)
        self.movable: Movable = "anywhere"
        self._members: tuple[Member, ...] | None = None

    @classmethod
    def whole(cls, text: str, strict: str) -> JsonNode:
        """The one value of ``strict``. Raises :class:`ConfigError`."""
        start = _after_space(strict, 0)
        if start == len(strict):
            raise EmptyConfig
        try:
            value, end = _scan(strict, start)
        except json.JSONDecodeError as error:
            what = error.msg.removesuffix(" at")  # "Unterminated string starting at"
            raise ConfigError(f"is not valid JSON: {what} on line {error.lineno}") from None
        except NotJson as error:
            raise ConfigError(f"is not valid JSON: {error}") from None
        except ValueError:  # Python reads 4,300 digits
            raise ConfigError("has a number with too many digits") from None
        except RecursionError:
            raise ConfigError("is nested too deeply") from None
        rest = _after_space(strict, end)
        if rest < len(strict):
            raise ConfigError(
                f"is not valid JSON: unexpected text after its end on line {line_of(text, rest)}"
            )
        return cls(text, strict, start, end, value)

    def members(self) -> Sequence[Member]:
        """See :class:`mcp_tap.clients.tree.Node`."""
        if self._members is None:
            self._members = tuple(self._read_members()) if self.kind == "map" else ()
        return self._members

    def _read_members(self) -> Iterator[Member]:
        found: list[tuple[str, int, JsonNode]] = []
        at = _after_space(self._strict, self.start + 1)
        while self._strict[at] == '"':
            key, end = _scan(self._strict, at)
            node = self._value_at(end_of(_COLON, self._strict, end))
            found.append((key, at, node))
            at = self._after_comma(node.end)
        for position, (key, start, node) in enumerate(found):
            yield Member(key, node, self._insert_point(start, node), self._removal(found, position))

    def list_layout(self) -> ListLayout | None:
        """See :class:`mcp_tap.clients.tree.Node`."""
        if self.kind != "list":
            return None
        items: list[ListItem] = []
        tail = at = self.start + 1
        at = _after_space(self._strict, at)
        while self._strict[at] != "]":
            node = self._value_at(at)
            items.append(ListItem(node.start, node))
            at = self._after_comma(node.end)
            tail = node.end
        if items:
            tail = after_comma_in(self._text, tail)
        between = "," if self._text[self.start - 1 : self.start] == ":" else ", "
        return flow_layout(self._text, items, self.start + 1, tail, between)

    def _value_at(self, at: int) -> JsonNode:
        value, end = _scan(self._strict, at)
        return JsonNode(self._text, self._strict, at, end, value)

    def _after_comma(self, at: int) -> int:
        at = _after_space(self._strict, at)
        return _after_space(self._strict, at + 1) if self._strict[at] == "," else at

    def _insert_point(self, start: int, node: JsonNode) -> InsertPoint:
        indent = indent_before(self._text, start)
        if indent is not None:
            return InsertPoint(node.end, f',{indent}"args": [', ", ")
        tight = self._text[node.start - 1] == ":"
        return InsertPoint(node.end, ',"args":[' if tight else ', "args": [', "," if tight else ", ")

    def _removal(self, found: list[tuple[str, int, JsonNode]], position: int) -> tuple[int, int]:
        _, start, node = found[position]
        if position:
            return self._strict.index(",", found[position - 1][2].end), node.end
        if len(found) > 1:
            return start, found[1][1]
        return start, after_comma_in(self._text, node.end)


def after_comma_in(text: str, end: int) -> int:
    """The end of what ends at ``end``, with a comma that follows in the same breath."""
    at = _after_space(text, end)
    return at + 1 if text[at : at + 1] == "," else end


def _after_space(text: str, at: int) -> int:
    return end_of(_SPACE, text, at)
