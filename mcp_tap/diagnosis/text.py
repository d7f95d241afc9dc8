"""Words for sentences: how they put a request, a name, a value, a time, a size, a plural."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any

import orjson

from mcp_tap.model.exchange import Exchange
from mcp_tap.model.message import Message
from mcp_tap.model.units import seconds as seconds
from mcp_tap.record.argv_masking import mask_argv

NAME_SHOWN = 60
"""Characters of a name in a sentence; tool names in use have less."""

KEY_NAME_KEPT = 200
"""Characters of a name in a finding's key."""

NAMES_SHOWN = 3

VALUE_SHOWN = 40
"""Characters of a value in a sentence."""

EXCERPT_KEPT = 200
"""Characters of an excerpt."""

TYPES = {
    "array": "an array",
    "boolean": "a boolean",
    "integer": "an integer",
    "null": "null",
    "number": "a number",
    "object": "an object",
    "string": "a string",
}
"""A type as part of a sentence."""


def quoted(text: str, limit: int = 60) -> str:
    """``text`` in single quotes as part of a sentence: shortened, on one line."""
    line = " ".join(text.split())
    return "'" + (line if len(line) <= limit else line[: limit - 1] + "…") + "'"


def excerpt(text: str) -> str:
    """``text`` as evidence: its beginning, with what looks like a secret masked."""
    return mask_argv([text[: EXCERPT_KEPT * 4]])[0][:EXCERPT_KEPT]


def ticked(name: object) -> str:
    """A name as part of a sentence, on one line and shortened."""
    line = " ".join(str(name).split()) or str(name)
    return "`" + (line if len(line) <= NAME_SHOWN else line[: NAME_SHOWN - 1] + "…") + "`"


def some(names: Iterable[object]) -> str:
    """The first few names, and how many there are more."""
    every = list(names)
    more = f" and {len(every) - NAMES_SHOWN:,} more" if len(every) > NAMES_SHOWN else ""
    return ", ".join(map(ticked, every[:NAMES_SHOWN])) + more


def named(text: str) -> str:
    """The name of a tool, a URI, a method, as part of a sentence."""
    return f"`{quoted(excerpt(text))[1:-1]}`"


def called(exchange: Exchange) -> str:
    """``tools/call `export` `` for a sentence."""
    method = quoted(exchange.method)[1:-1]
    return method if exchange.target is None else f"{method} {named(exchange.target)}"


def key_of(*names: object) -> str:
    """A finding's key of names."""
    return " ".join(str(name)[:KEY_NAME_KEPT] for name in names)


def key_of_request(exchange: Exchange) -> str:
    """The same for the key of a finding; without a secret that a URI may hold."""
    return called(exchange).replace("`", "")


def subject(exchange: Exchange) -> str:
    """What a request is about, the same in another session: ``tools/call export``."""
    parts = (exchange.method, exchange.target)
    return " ".join(" ".join(part.split())[:NAME_SHOWN] for part in parts if part)


def named_with_id(exchange: Exchange) -> str:
    """A request for sentences: ``tools/call export (id 5)``."""
    return f"{subject(exchange)} (id {shown_id(exchange.id)})"


def shown_id(value: object) -> str:
    """An id with its JSON type: 5 or "5"."""
    try:
        return json.dumps(value, ensure_ascii=False)[:NAME_SHOWN]
    except (ValueError, RecursionError):  # pragma: no cover - nested deeper than can be written
        return "?"


def short(value: Any) -> str:
    """An id or a token as part of a sentence."""
    text = f'"{value}"' if isinstance(value, str) else str(value)
    return text if len(text) <= 40 else text[:39] + "…"


def said(message: Message) -> str:
    """The words of an error, in quotes; empty where it has none."""
    error = message.value.get("error")
    words = error.get("message") if isinstance(error, dict) else None
    return quoted(excerpt(words)) if isinstance(words, str) and words else ""


def shown(value: Any) -> str:
    """A value for a sentence: shortened, masked where it looks like a secret."""
    if isinstance(value, dict):
        return TYPES["object"]
    if isinstance(value, list):
        return TYPES["array"]
    text = excerpt(as_json(value))
    return text if len(text) <= VALUE_SHOWN else text[: VALUE_SHOWN - 1] + "…"


def as_json(value: Any) -> str:
    """``value`` as JSON, whatever is in it."""
    try:
        return orjson.dumps(value).decode()
    except orjson.JSONEncodeError:  # nested too deep, or an integer beyond 64 bits
        return f"({type(value).__name__})" if isinstance(value, (dict, list)) else str(value)


def article(kind: str) -> str:
    """``a string``, ``an integer``, ``null``."""
    if kind == "null":
        return kind
    return f"an {kind}" if kind[0] in "aio" else f"a {kind}"


def plural(number: int, one: str, many: str | None = None) -> str:
    """``1 line``, ``3 lines``, ``12,000 lines``."""
    return f"{number:,} {one if number == 1 else (many or one + 's')}"


def size(number: int) -> str:
    """Bytes: ``512 B``, ``1.2 kB``, ``34 MB`` (powers of a thousand)."""
    value = float(number)
    for unit in ("B", "kB", "MB", "GB"):
        if value < 999.5:
            return f"{value:.{1 if unit != 'B' and value < 9.95 else 0}f} {unit}"
        value /= 1000
    return f"{value:,.1f} TB"
