"""Why a line is not JSON, and what it was meant as.

Only lines that are not JSON come here. The words do not depend on any parser's messages, which
change from version to version; and no line takes more time than its length warrants.
"""

from __future__ import annotations

import json
import math
import re
from typing import Any, Literal

from mcp_tap.record.patterns import lazy
from mcp_tap.record.schema import PARSED_LIMIT, parsed_size

Flaw = Literal[
    "empty", "lsp-header", "colours", "text", "byte-order-mark", "utf-16", "not-utf-8", "constant",
    "surrogate", "number", "depth", "too-large", "two-values", "trailing-text", "cut-off",
    "syntax", "no-newline",
]  # fmt: skip
"""Why a line is not JSON, in one word for rules; ``Message.why`` says it in a sentence's part."""

EXAMINED = 16 * 1024 * 1024
"""Bytes up to which a line that is not JSON is read again to find out why: a quarter of a second."""

MAX_DEPTH = 1024
"""Levels of nesting that are read as JSON: the limit of the parser by which the tap decides."""


def why_not_json(line: bytes) -> tuple[Flaw, str, Any]:
    """Why ``line`` is not strictly valid JSON, in one word and in a few; what it may mean all the same."""
    if not line.strip():
        return "empty", "empty line", None
    if line.startswith(b"\xef\xbb\xbf"):
        return (
            "byte-order-mark",
            "begins with a byte order mark",
            leniently(line[3:].decode(errors="replace")),
        )
    if line.startswith((b"\xff\xfe", b"\xfe\xff")) or line[:4].count(0) == 2:
        return "utf-16", "UTF-16 instead of UTF-8", None
    try:
        text = line.decode()
    except UnicodeDecodeError as error:
        value = leniently(line.decode(errors="replace"))
        return "not-utf-8", f"invalid UTF-8 at byte {error.start + 1}", value
    if line[:15].lower() == b"content-length:":
        return "lsp-header", "a Content-Length header (LSP framing)", None
    if not LIKE_JSON.match(text):
        return "colours" if "\x1b[" in text else "text", plain(text), None
    if len(line) > EXAMINED:
        return "too-large", "not JSON, too long to analyse", None
    return why_almost_json(text)


def plain(text: str) -> str:
    """What text is that was never meant as JSON."""
    return "text with terminal colours" if "\x1b[" in text else "plain text"


LIKE_JSON = lazy(r'\s*(?:\{|\[\s*[\[{"])')
"""How a line begins that was meant as a message; ``[notes] ready`` was not."""

ESCAPE = lazy(
    r"\\(?:u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|(u[dD][89a-fA-F][0-9a-fA-F]{2})|.)",
    re.DOTALL,
)
"""An escape in a string; half of a surrogate pair is its group."""

TOKEN = lazy(r'"(?:[^"\\]+|\\.)*"?|[\[{]|[\]}]', re.DOTALL)
"""A string, or a bracket. A string may lack its end: looking for it again would take square time."""


class Leniently(json.JSONDecoder):
    """A parser that takes more than JSON, and tells what it took."""

    def __init__(self) -> None:
        self.taken: list[tuple[Flaw, str]] = []
        super().__init__(parse_constant=self._constant, parse_int=self._integer, parse_float=self._float)

    def _constant(self, name: str) -> None:
        self.taken.append(("constant", f"{name}, which is not JSON"))

    def _integer(self, digits: str) -> int | None:
        # Beyond this no double holds it; Python itself refuses to read more than 4,300 digits.
        if len(digits) <= LONGEST_INTEGER:
            return int(digits)
        self._too_long(digits)
        return None

    def _float(self, digits: str) -> float | None:
        value = float(digits)
        if not math.isinf(value):
            return value
        self._too_long(digits)
        return None

    def _too_long(self, digits: str) -> None:
        size = f" of {len(digits):,} characters" if len(digits) > 20 else f" ({digits})"
        self.taken.append(("number", f"a number{size}, beyond double precision"))


LONGEST_INTEGER = 308
"""Characters of an integer that double precision is sure to hold."""


def leniently(text: str) -> Any:
    """The value that ``text`` begins with; None if it is none, or too much to look for one."""
    if len(text) > EXAMINED or is_deeper(text, MAX_DEPTH):
        return None
    try:
        return Leniently().decode(text)
    except (ValueError, RecursionError):
        return None


def why_almost_json(text: str) -> tuple[Flaw, str, Any]:
    """The same as :func:`why_not_json`, of ``text`` that begins like JSON."""
    if is_deeper(text, MAX_DEPTH):
        return "depth", f"nested more than {MAX_DEPTH:,} levels deep", None
    parser = Leniently()
    try:
        value, end = parser.raw_decode(text, len(text) - len(text.lstrip()))
    except json.JSONDecodeError as error:
        if error.pos >= len(text.rstrip()) or error.msg.startswith("Unterminated string"):
            return "cut-off", "truncated JSON", None
        return "syntax", f"invalid JSON at character {error.pos + 1}", None
    except RecursionError:  # a few levels below the other parser's limit
        return "syntax", "not JSON, nested too deeply to analyse", None
    rest = text[end:].strip()
    if rest[:1] in ("{", "["):
        return "two-values", "two JSON values on one line", value
    if rest:
        return "trailing-text", "text after the JSON", value
    return *what_is_not_strict(text, parser), value


def what_is_not_strict(text: str, parser: Leniently) -> tuple[Flaw, str]:
    """Why a stricter parser refuses ``text``, which ``parser`` has read."""
    if parser.taken:
        return parser.taken[0]
    half = next((found[1] for found in ESCAPE.finditer(text) if found[1]), None)
    if half is not None:
        return "surrogate", f"lone surrogate (\\{half})"
    if parsed_size(text.encode()) > PARSED_LIMIT:
        return "too-large", "too many values to parse"
    return "syntax", "not strictly valid JSON"


def is_deeper(text: str, limit: int) -> bool:
    """Whether the brackets of ``text`` are nested deeper than that, those in strings not counted."""
    depth = 0
    for found in TOKEN.finditer(text):
        mark = found[0]
        if mark in "[{":
            depth += 1
            if depth > limit:
                return True
        elif mark in "]}":
            depth -= 1
    return False
