"""What a line is that is no message: the model's flaws, and a closer look at the bytes."""

from __future__ import annotations

import json
import re
from typing import Any, Literal

from mcp_tap.model.message import Message, read_message
from mcp_tap.model.not_json import Flaw, leniently
from mcp_tap.record.patterns import lazy

LineKind = Literal[
    "text", "colours", "blank", "header", "spread", "two-values", "mixed", "broken", "unended",
    "not-utf-8", "surrogate", "constant", "byte-order-mark", "utf-16", "json", "no-message", "unread",
]  # fmt: skip
"""What a line is that is no message. ``header``: of LSP, and what comes with it. ``spread``: lines that
are one message together. ``mixed``: a message, and text on the same line. ``broken``: meant as a
message, and not JSON. ``unended``: the stream ended before the line. ``json``: a value that has
nothing of a message; ``no-message``: one that has. ``unread``: nothing that can be told."""

KINDS: dict[Flaw, LineKind] = {
    "empty": "blank", "lsp-header": "header", "colours": "colours", "text": "text",
    "byte-order-mark": "byte-order-mark", "utf-16": "utf-16", "not-utf-8": "not-utf-8",
    "constant": "constant", "surrogate": "surrogate", "number": "unread", "depth": "unread",
    "too-large": "unread", "two-values": "two-values", "trailing-text": "mixed", "cut-off": "broken",
    "syntax": "broken", "no-newline": "unended",
}  # fmt: skip
"""What the model's flaws come to, before a closer look."""

LOOKED_AT = 64 * 1024
"""Bytes of a line in which a sign of something is looked for."""

LSP_BODY_END = lazy(rb"content-length:\s*\d+\s*$", re.IGNORECASE)
LSP_TYPE = lazy(rb"content-type:\s*application/(?:vscode-)?json", re.IGNORECASE)
HALF_PAIR = lazy(rb"\xed[\xa0-\xbf][\x80-\xbf]")
"""Half of a surrogate pair, encoded as if it were a character."""

PROTOCOL_MEMBERS = frozenset({"jsonrpc", "method", "result", "error"})
"""Members by which an object was meant as a message."""

SIGN = '"jsonrpc"'
"""What no line has that was not meant as a message."""


def is_like_a_message(value: Any) -> bool:
    """Whether a value has anything of a message."""
    return isinstance(value, dict) and not PROTOCOL_MEMBERS.isdisjoint(value)


def is_a_message(message: Message | None) -> bool:
    """Whether a lenient reader has found a message of JSON-RPC 2.0."""
    return message is not None and isinstance(message.value, dict) and "jsonrpc" in message.value


def is_mostly_nul(line: bytes) -> bool:
    """Whether ``line`` is text in UTF-16 that was taken for something else."""
    return b"\0" in line and line.count(0) * 3 >= len(line)


def is_utf_8_but_for_halves(line: bytes) -> bool:
    """Whether nothing is wrong with the encoding but halves of surrogate pairs."""
    try:
        line.decode("utf-8", "surrogatepass")
    except UnicodeDecodeError:
        return False
    return True


def message_within(line: bytes) -> Message | None:
    """The message that a line of text goes on with: ``Loading... {"jsonrpc":"2.0",…}``."""
    at = line.find(b"{" + SIGN.encode(), 0, LOOKED_AT)
    if at < 0:
        return None
    value = leniently(line[at:].decode(errors="replace"))
    return read_message(value) if isinstance(value, dict) else None


def values_of(line: bytes, first: Message | None) -> tuple[LineKind, Message | None]:
    """What a line is that holds a JSON value, and something that may be another."""
    text = line.decode(errors="replace")
    if first is None or SIGN not in text:
        return "text", None
    try:
        _, end = json.JSONDecoder().raw_decode(text.lstrip())
        json.JSONDecoder().raw_decode(text.lstrip()[end:].lstrip())
    except (ValueError, RecursionError):
        return ("mixed" if is_a_message(first) else "text"), first
    return "two-values", first
