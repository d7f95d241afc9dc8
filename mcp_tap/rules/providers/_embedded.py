"""Base64 of a file within text: bare, as a data: URI, or as a member of JSON."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

import orjson

from mcp_tap.record.patterns import lazy
from mcp_tap.rules.providers._bytes import format_of

RUN = 200
"""Characters of base64 in a row that are worth a look; names, hashes and tokens have less."""

UNKNOWN_RUN = 1_000
"""Characters of base64 of which nothing but the length and the place speak for a file."""

VARIETY = 40
"""Different characters that base64 of so many has; a rule of dashes or a sequence of bases has few."""

STRINGS_LOOKED_AT = 2_000
"""Strings of JSON within a text."""

IN_A_ROW = b"A" * RUN

CHARACTERS = bytes(
    65 if chr(code).isascii() and (chr(code).isalnum() or chr(code) in "+/-_\\") else 32
    for code in range(256)
)
"""A letter for what may be base64 on the wire, where line breaks and slashes are escaped."""


def may_hold_base64(line: bytes) -> bool:
    """Whether a line has so many characters of base64 in a row; as fast as bytes can be read."""
    return len(line) > RUN and IN_A_ROW in line.translate(CHARACTERS)


BASE64 = lazy(r"(?<![A-Za-z0-9+/_-])[A-Za-z0-9+/_-]{200,}+={0,2}")
WHOLLY = lazy(r"[A-Za-z0-9+/_-]{200,}+={0,2}")
DATA_URI = lazy(r"data:([a-z]+)/([\w.+-]{1,60})(?:;[\w=.-]{1,60}){0,3};base64,")
KIND = lazy(r"(image|audio|video|application)(?:/[\w.+-]{1,60})?|file|screenshot|pdf|png|jpe?g|gif|webp", 2)
NAMES_A_FILE = lazy(
    r"base64|b64|image|img|screenshot|picture|photo|thumbnail|blob|bytes|binary|^data$|^file|audio|pdf|png|jpe?g",
    2,
)
MEANT_AS_TEXT = lazy(r"base64|b64|encod|encrypt|cipher|hash|sign|key|cert|token|jwt|pem", 2)
"""Names of tools whose answer may well be base64 that is no file."""


class Embedded(NamedTuple):
    """A file in text: ``image``, ``audio`` or another kind, its name in a sentence, its characters."""

    kind: str
    name: str
    size: int
    is_sure: bool


def embedded_in(text: str, tool: str) -> Embedded | None:
    """The file that is most of ``text``, which ``tool`` has returned, or surely a member of its JSON."""
    found = of_json(text) if text.lstrip()[:1] in ("{", "[", '"') else None
    if found is not None and found.is_sure and found.size >= UNKNOWN_RUN:
        return found
    found = found or of_text(text, tool)
    return found if found is not None and found.size * 2 >= len(text) else None


def of_text(text: str, tool: str) -> Embedded | None:
    """The file that text has in it as it stands."""
    whole = of_string(text, is_hinted=False)
    if whole is not None:
        return whole
    run = BASE64.search(text)
    while run is not None:
        before = text[max(0, run.start() - 200) : run.start()]
        found = of_string(run[0], is_hinted=False, before=before)
        if found is not None:
            return found
        run = BASE64.search(text, run.end())
    bare = text.strip()
    if len(bare) >= 2 * UNKNOWN_RUN and looks_binary(bare) and not MEANT_AS_TEXT.search(tool):
        return Embedded("file", "what looks like a file", len(bare), is_sure=False)
    return None


def of_json(text: str) -> Embedded | None:
    """The file that JSON in text has as a member."""
    try:
        value = orjson.loads(text)
    except orjson.JSONDecodeError:
        return None
    for string, hint in strings_in(value):
        found = of_string(string, is_hinted=bool(hint), hint=hint) if len(string) >= RUN else None
        if found is not None:
            return found
    return None


def strings_in(value: Any) -> Iterator[tuple[str, str]]:
    """The strings of a JSON value; each with what speaks for its being a file, empty if nothing does."""
    left: list[tuple[Any, str]] = [(value, "")]
    for _ in range(STRINGS_LOOKED_AT):
        if not left:
            return
        part, hint = left.pop()
        if isinstance(part, str):
            yield part, hint
        elif isinstance(part, list):
            left.extend((each, hint) for each in reversed(part))
        elif isinstance(part, dict):
            kind = next(
                (each for each in part.values() if isinstance(each, str) and KIND.fullmatch(each)), ""
            )
            for name, each in reversed(list(part.items())):
                left.append((each, kind or (name if NAMES_A_FILE.search(name) else "")))


def of_string(text: str, *, is_hinted: bool, hint: str = "", before: str = "") -> Embedded | None:
    """The file that a string is, as a whole; ``before`` is what precedes it."""
    uri = DATA_URI.match(text)
    if uri is None and before:
        uri = next((each for each in DATA_URI.finditer(before) if each.end() == len(before)), None)
    data = text[uri.end() :] if uri is not None and not before else text
    data = "".join(data.split()) if any(mark in data for mark in "\r\n ") else data
    if not WHOLLY.fullmatch(data):
        return None
    found = format_of(data)
    if found is not None:
        return Embedded(found.types[0].partition("/")[0], found.name, len(data), is_sure=True)
    if uri is not None:
        return Embedded(uri[1], f"a file of type {uri[1]}/{uri[2]}", len(data), is_sure=True)
    if is_hinted and len(data) >= UNKNOWN_RUN and looks_binary(data):
        kind = "image" if IMAGE.search(hint) else "audio" if "audio" in hint.lower() else "file"
        name = {"image": "an image", "audio": "a sound"}.get(kind, "a file")
        return Embedded(kind, name, len(data), is_sure=False)
    return None


IMAGE = lazy(r"image|img|screenshot|picture|photo|thumbnail|png|jpe?g|gif|webp", 2)


def looks_binary(data: str) -> bool:
    """Whether characters are as mixed as those of base64 are."""
    return WHOLLY.fullmatch(data) is not None and len(set(data[:4_000])) >= VARIETY
