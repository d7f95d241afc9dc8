"""What a line carries, in short or in full, as text that may reach a terminal."""

from __future__ import annotations

import contextlib
import json
from collections.abc import Iterator
from typing import Any

import orjson

from mcp_tap.errors import without_ci_commands
from mcp_tap.model.exchange import Exchange
from mcp_tap.model.message import Message
from mcp_tap.model.methods import CATALOGUE, TARGETS
from mcp_tap.record.patterns import lazy
from mcp_tap.record.reader import Record
from mcp_tap.views.terminal import columns, shorten, visible

WIDEST_LETTER = 8
"""Bytes of a line, and letters of a text, per column that are looked at: the longest UTF-8 letter has
four bytes, and it may carry marks of no width of its own. A line of 64 MiB costs no more than its
beginning."""

DEEPEST_INDENT = 40
"""Levels that are indented; what is nested deeper stays under them."""


def truncate(text: str, width: int) -> str:
    """``text``, made visible and shortened to ``width`` columns."""
    for letters in (width + 1, WIDEST_LETTER * width + 1):
        beginning = text[:letters]
        if not beginning.isprintable():  # which is quicker than visible() to tell that all is well
            beginning = visible(beginning)
        if columns(beginning) > width:
            return shorten(beginning, width)
        if letters >= len(text):
            return beginning
    return shorten(beginning + "…", columns(beginning))


def plain(data: bytes, width: int | None = None) -> str:
    """The text of a line, not yet made visible: all of it, or what ``width`` columns can need."""
    return (data if width is None else data[: WIDEST_LETTER * width + 1]).decode("utf-8", "backslashreplace")


def compact(value: Any, otherwise: str = "…") -> str:
    """``value`` as JSON in one line; ``otherwise`` where it is nested too deeply to be written."""
    try:
        return orjson.dumps(value).decode()
    except TypeError:  # orjson reads 1024 levels and writes 254
        return otherwise


def summary(message: Message, exchange: Exchange | None) -> str:
    """What a message brings besides its method and target; not yet made visible or shortened."""
    if message.kind in ("request", "notification"):
        return summary_of_params(message)
    if message.kind == "error":
        return summary_of_error(message.value.get("error"))
    if message.kind == "response":
        return summary_of_result(message.value.get("result"), exchange)
    return compact(message.value)


def summary_of_params(message: Message) -> str:
    """The arguments, where the method has such; else the parameters that are not shown already."""
    params = message.value.get("params")
    if not isinstance(params, dict):
        return "" if params is None else compact(params)
    target = TARGETS.get(message.method or "")
    left = {key: value for key, value in params.items() if key != "_meta"}
    if target is not None and isinstance(left.get(target), str):
        del left[target]
    if set(left) == {"arguments"}:
        return compact(left["arguments"])
    return compact(left) if left else ""


def summary_of_error(error: Any) -> str:
    """``-32601 Method not found``, and the data."""
    if not isinstance(error, dict) or not isinstance(error.get("message"), str):
        return compact(error)
    data = f" {compact(error['data'])}" if error.get("data") is not None else ""
    return f"{compact(error.get('code'))} {error['message']}{data}"


def summary_of_result(result: Any, exchange: Exchange | None) -> str:
    """The text that a tool gives, the names in a list, else the result."""
    if not isinstance(result, dict):
        return compact(result)
    content = result.get("content")
    if isinstance(content, list) and content:
        return " ".join(summary_of_content(item) for item in content)
    page = result.get(CATALOGUE.get(exchange.method, "")) if exchange is not None else None
    if isinstance(page, list):
        return f"{len(page)}: " + ", ".join(name_of(item) for item in page)
    return compact({key: value for key, value in result.items() if key != "_meta"})


def summary_of_content(item: Any) -> str:
    """One content block: its text, or what it is."""
    if isinstance(item, dict) and item.get("type") == "text" and isinstance(item.get("text"), str):
        return str(item["text"])
    if isinstance(item, dict) and isinstance(item.get("data"), str):
        kind = " ".join(str(item[key]) for key in ("type", "mimeType") if isinstance(item.get(key), str))
        return f"[{kind}, {len(item['data'])} base64 characters]"
    return compact(item)


def name_of(item: Any) -> str:
    """What an entry of a list is called."""
    names = (item.get(key) for key in ("name", "uriTemplate", "uri")) if isinstance(item, dict) else ()
    return next((name for name in names if isinstance(name, str)), "?")


def whole(record: Record) -> Iterator[str]:
    """All that a record says, line by line: indented JSON, the text as it is, an event's fields."""
    if record.dir == "tap":
        yield from pretty(compact(record.fields))
    elif record.is_message:
        yield from pretty(plain(record.payload))
    else:
        yield visible(plain(record.payload))


_TOKEN = lazy(r'"[^"\\]*(?:\\.[^"\\]*)*"|[\[\]{},:]|[^\s\[\]{},:"]+')


def pretty(text: str) -> Iterator[str]:
    """JSON, indented: spelled as it was sent, with the same keys and numbers, at any depth."""
    line, depth, opened = "", 0, False
    for found in _TOKEN.finditer(text):
        token = found[0]
        if token in "]}":
            depth -= 1
            if not opened:
                yield line
                line = indent(depth)
            line, opened = line + token, False
            continue
        if opened:
            yield line
            line, opened = indent(depth), False
        if token in "[{":
            line, depth, opened = line + token, depth + 1, True
        elif token == ",":
            yield line + ","
            line = indent(depth)
        else:
            line += ": " if token == ":" else readable(token)
    yield line


def indent(depth: int) -> str:
    """Two blanks a level."""
    return "  " * min(depth, DEEPEST_INDENT)


def readable(token: str) -> str:
    """A JSON string or number, with letters for the escapes of letters: ``\\u4e2d`` is 中."""
    if "\\u" in token:
        with contextlib.suppress(ValueError):  # whatever it is, it can be shown as it is
            token = orjson.dumps(orjson.loads(token)).decode()
    return json_safe(token)


def json_safe(text: str) -> str:
    """JSON, with what would be invisible in its strings escaped as JSON does it: it is still the same.

    Line breaks between its values stay.
    """
    if not text.isprintable():
        text = "".join(
            letter if letter == "\n" or visible(letter) == letter else json_escape(letter) for letter in text
        )
    return text if "##" not in text else without_ci_commands(text)


def json_text(value: Any, indent: int | None = None) -> str:
    """A JSON document: one line, or one with ``indent`` for people too; safe wherever it is printed.

    A name that is no valid Unicode has halves of surrogate pairs in it, which are escaped.
    """
    try:
        made = orjson.dumps(value, option=orjson.OPT_INDENT_2 if indent else None).decode()
    except TypeError:
        separators = (",", ": ") if indent else (",", ":")
        made = json.dumps(value, indent=indent, separators=separators)
    return json_safe(made)


def json_escape(letter: str) -> str:
    """A letter as JSON escapes it, which knows 16 bits only."""
    units = letter.encode("utf-16-be", "surrogatepass")
    return "".join(f"\\u{high:02x}{low:02x}" for high, low in zip(units[::2], units[1::2], strict=True))
