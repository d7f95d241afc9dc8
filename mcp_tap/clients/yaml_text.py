"""YAML, located: where every key and value stands, and where another member could.

PyYAML reads, and is asked for nothing but the places of what it has read: whatever writes YAML anew,
ruamel.yaml too, moves comments and indentation. What cannot be moved as it is (block and multi-line
scalars, tags, anchors and aliases) is found, but not movable. PyYAML knows YAML 1.1, Goose and Continue
1.2; the difference is in what unquoted words mean, and here every scalar but ``true`` and ``false`` is
taken for the words it is written as.
"""

from __future__ import annotations

import re
from typing import Any

import yaml
from yaml.nodes import MappingNode, ScalarNode, SequenceNode

from mcp_tap.clients.tree import (
    ConfigError,
    EmptyConfig,
    InsertPoint,
    ListItem,
    ListLayout,
    Member,
    Movable,
    ParsedNode,
    Token,
    flow_layout,
    indent_before,
    with_comments,
)

_BOOLEANS = {"true": True, "True": True, "TRUE": True, "false": False, "False": False, "FALSE": False}
_NOT_IN_FLOW = frozenset("[]{},")
"""What a plain scalar must not hold to mean the same in ``[…]``."""

_QUOTED = re.compile(r""" '[^']*'| "[^"]*\"""")
"""What PyYAML quotes of the text, an alias that is none: it may be a password that begins with "*"."""

DEEPEST = 100
"""Levels that are looked into: deeper ones are aliases that hold themselves, or no configuration."""


def parse_yaml(text: str) -> ParsedNode:
    """The root of ``text``. Raises :class:`ConfigError` where it is no YAML, or has several documents."""
    try:
        root = yaml.compose(text, Loader=yaml.SafeLoader)
    except yaml.reader.ReaderError:
        raise ConfigError("has a character that YAML does not allow") from None
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        what = _QUOTED.sub("", error.context or error.problem or "")
        where = f" on line {mark.line + 1}" if mark else ""
        raise ConfigError(f"is not valid YAML: {what}{where}") from None
    except RecursionError:
        raise ConfigError("is nested too deeply") from None
    if root is None:
        raise EmptyConfig
    return _node(text, root, 0)


def yaml_tokens(text: str) -> list[Token]:
    """Keys, scalars and comments of valid YAML, in order."""
    tokens: list[Token] = []
    is_key = False
    for token in yaml.scan(text, Loader=yaml.SafeLoader):
        if isinstance(token, (yaml.ScalarToken, yaml.AliasToken, yaml.AnchorToken, yaml.TagToken)):
            kind = "key" if is_key and isinstance(token, yaml.ScalarToken) else "value"
            end = token.end_mark.index
            tokens.append(Token(token.start_mark.index, end, "key" if kind == "key" else "value"))
        is_key = isinstance(token, yaml.KeyToken)
    return with_comments(text, tokens)


def _node(text: str, node: yaml.Node, depth: int) -> ParsedNode:
    start, end = node.start_mark.index, node.end_mark.index
    if depth > DEEPEST:
        raise ConfigError("is nested too deeply")
    if isinstance(node, MappingNode):
        members = _members(text, node, depth)
        # Not {key: value}: with a key twice it is the caller who is asked which one is meant.
        return ParsedNode("map", start, end, {each.key: each.node.value for each in members}, members)
    if isinstance(node, SequenceNode):
        items = [_node(text, each, depth + 1) for each in node.value]
        layout = _flow(text, node, items) if node.flow_style else _block(text, node, items)
        return ParsedNode("list", start, end, [each.value for each in items], layout=layout)
    assert isinstance(node, ScalarNode)
    value: Any = node.value
    if node.style is None:
        value = _BOOLEANS.get(node.value, value)
    is_string = isinstance(value, str) and (node.style is not None or text[start:end] != "")
    raw = text[start:end]
    return ParsedNode(
        "string" if is_string else "other", start, end, value if raw else None, movable=_movable(node, raw)
    )


def _movable(node: ScalarNode, raw: str) -> Movable:
    if "\n" in raw or raw[:1] in ("!", "&", "*"):
        return "nowhere"
    if node.style in ("'", '"'):
        return "anywhere"
    if node.style is not None or raw != node.value:
        return "nowhere"
    return "blocks" if _NOT_IN_FLOW & set(raw) else "anywhere"


def _members(text: str, mapping: MappingNode, depth: int) -> tuple[Member, ...]:
    members: list[Member] = []
    pairs = [pair for pair in mapping.value if isinstance(pair[0], ScalarNode)]
    for position, (key, value) in enumerate(pairs):
        node = _node(text, value, depth + 1)
        start = key.start_mark.index
        if mapping.flow_style:
            insert_point = InsertPoint(node.end, ", args: [", ", ")
            removal = _flow_removal(text, pairs, position, node)
        else:
            indent = indent_before(text, start)
            args_indent = indent or _indent_after_dash(text, start)
            insert_point = InsertPoint(_end_of_line(text, node.end), f"{args_indent}args: [", ", ")
            following = pairs[position + 1][0].start_mark.index if position + 1 < len(pairs) else None
            removal = _block_removal(start, node, indent, following)
        members.append(Member(key.value, node, insert_point, removal))
    return tuple(members)


def _block_removal(
    start: int, node: ParsedNode, indent: str | None, following: int | None
) -> tuple[int, int]:
    """A line, or the lines of a block: to the end of its last item, and no comment after that."""
    if indent is None and following is not None:  # what stands in front, a dash, is for the next one then
        return start, following
    end = node.end
    while node.layout is not None and node.layout.items and node.layout.is_block:
        node = node.layout.items[-1].node  # type: ignore[assignment]  # no other nodes are here
        end = node.end
    return start - len(indent or ""), end


def _flow_removal(text: str, pairs: list[Any], position: int, node: ParsedNode) -> tuple[int, int]:
    if position:
        return text.index(",", pairs[position - 1][1].end_mark.index), node.end
    if len(pairs) > 1:
        return pairs[0][0].start_mark.index, pairs[1][0].start_mark.index
    return pairs[0][0].start_mark.index, node.end


def _indent_after_dash(text: str, start: int) -> str:
    """The newline and indentation for a further member of the map that starts behind a dash."""
    line = text.rfind("\n", 0, start) + 1
    newline = "\r\n" if "\r\n" in text else "\n"
    return newline + "".join(" " if letter == "-" else letter for letter in text[line:start])


def _end_of_line(text: str, at: int) -> int:
    end = text.find("\n", at)
    end = len(text) if end < 0 else end
    return end - 1 if text[end - 1 : end] == "\r" and end > at else end


def _flow(text: str, node: SequenceNode, items: list[ParsedNode]) -> ListLayout:
    found = tuple(ListItem(each.start, each) for each in items)
    inside = node.start_mark.index + 1
    tail = inside
    if items:
        tail = items[-1].end
        rest = text[tail : node.end_mark.index]
        tail += len(rest) - len(rest.lstrip()) + 1 if rest.lstrip().startswith(",") else 0
    return flow_layout(text, found, inside, tail)


def _block(text: str, node: SequenceNode, items: list[ParsedNode]) -> ListLayout:
    begins = [_dash(text, each.start) for each in items]
    indent = None if None in begins else indent_before(text, begins[0] or 0)
    found = tuple(
        ListItem(each.start if begin is None else begin, each)
        for begin, each in zip(begins, items, strict=True)
    )
    is_usual = indent is not None
    return ListLayout(
        found,
        found[0].begin,
        items[-1].end,
        f"{indent}- ",
        indent or "",
        "- ",
        is_block=True,
        is_usual=is_usual,
    )


def _dash(text: str, at: int) -> int | None:
    """The dash before an item; None where a comment or a tag stands between them."""
    while text[at - 1 : at] in (" ", "\t", "\r", "\n"):  # and no copy of the text, for each item
        at -= 1
    return at - 1 if text[at - 1 : at] == "-" else None
