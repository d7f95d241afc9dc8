"""What looks like a credential: well-known shapes of tokens, and values whose name says so.

A shape (``ghp_`` and 36 letters) is proof enough; a name (``password``) is not. Placeholders and
values that are masked already are neither. Nothing here prints a value: see :func:`masked_value`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from mcp_tap.record.patterns import lazy
from mcp_tap.record.secret_shapes import SHAPES

NODES_SCANNED = 200_000
"""Values of one message that are looked at."""

LONG_NAME = 15
"""Characters of a member's name beyond which it may be a token itself."""

FOUND_KEPT = 100
"""Credentials of one message that are looked for."""

BEGINNING = 400
"""Characters of a token by which it is decided whether it is one."""

SHORTEST = 8
"""Characters of the shortest value that a name alone makes a credential of."""


PLACEHOLDER = lazy(
    r"example|placeholder|redacted|masked|changeme|change_me|change-me|dummy|your|insert|replace|xxxx|\*{3}"
    r"|\.\.\.|…|<|>|\$\{|\$\(|\{\{|%s|12345678|abcdefgh|([A-Za-z0-9*#-])\1{7}",
    re.IGNORECASE,
)
"""What is in a value that stands for another, in documentation and masks."""

WORD = lazy(
    r"pass(?:word|wd|phrase)?|secret|token|api[-_]?key|authorization|cookie|user(?:name)?|none|null|undefined"
    r"|required|optional|string|postgres|root|admin|test|guest",
    re.IGNORECASE,
)
"""Values that are nobody's credential."""

REFERENCE = lazy(
    r"[$/~%]|\.{1,2}/|\{|\[|(?:env|file|vault|op|arn|secrets?|process\.env|os\.environ|https?|keychain)[:.]"
    r"|[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+$"
)
"""How a value begins that says where the credential is: a variable, a path, a store."""

NAME = lazy(
    r"(?:password|passwd|passphrase|secret|token|api[-_]?key|authorization|cookie|private_?key)$",
    re.IGNORECASE,
)
"""How the name of a credential ends."""

HARMLESS = lazy(
    r"(?:progress|page|next|prev(?:ious)?|continuation|sync|cursor|resume|resumption|start|change|delta|max|cancel"
    r"(?:lation)?)[-_]?token$",
    re.IGNORECASE,
)
"""Tokens that only say where one is."""

SCHEME = lazy(r"(?:bearer|basic|token|digest|apikey)\s+(\S.*)$", re.IGNORECASE | re.DOTALL)
STRICT_NAME = lazy(r"(?:password|passwd|passphrase)$", re.IGNORECASE)

IN_TEXT = lazy(r"""["']([\w.-]{1,60})\\?["']\s{0,4}:\s{0,4}\\?["']([^"'\\]{8,4096})""")
"""A member of an object that is written in a text, as JSON or by Python."""
HEADER = lazy(r"(?<![\w\"'-])(authorization|cookie|x-api-key)\s*:\s*(\S[^\"'\r\n]{7,4096})", re.IGNORECASE)
ASSIGNMENT = lazy(r"(?<![\w-])([A-Z][A-Z0-9_]{0,60})=([^\s\"']{8,4096})")


@dataclass(frozen=True, slots=True)
class Credential:
    """Something that looks like a credential. ``path`` is where, ``proven`` whether its shape says so."""

    kind: str
    value: str
    path: str
    proven: bool

    @property
    def masked(self) -> str:
        """The value as it may be shown."""
        return masked_value(self.value)


def masked_value(value: str) -> str:
    """The first letters of ``value``, four at most and never more than a quarter, and its length."""
    shown = "".join(letter for letter in value[: min(4, len(value) // 4)] if letter.isprintable())
    return f"{shown}… ({len(value):,} characters)"


# What a credential cannot be without, as bytes of JSON. Each pattern begins with a literal: the
# engine runs to the next one at memory speed and looks at little else (an alternation, or a
# pattern that ignores case, costs forty times as much).
_MEMBER = lazy(
    rb'":(?<=[OSARKIosarki][RWSEOIrwseoi][DTNYEdtnye]":)'  # what the last three letters can be
    rb'(?i:(?<=password":)|(?<=passwd":)|(?<=passphrase":)|(?<=secret":)|(?<=token":)(?<!progresstoken":)'
    rb'|(?<=apikey":)|(?<=api_key":)|(?<=api-key":)|(?<=private_key":)|(?<=privatekey":)'
    rb'|(?<=authorization":)|(?<=cookie":))'
    rb'\s*"(?:[^"\\]|\\.){8}'
)
_UNDERSCORE = lazy(rb"_(?<=[hpvu][pousrmeb]_)(?:(?<=gh[pousr]_)|(?<=npm_)|(?<=k_live_)|(?<=github_)pat_)")
_HYPHEN = lazy(rb"-(?<=[sxaE][kabeprstY]-)(?:(?<=sk-)|(?<=xox[abeprs]-)|(?<=glpat-)|(?<=PRIVATE KEY-))")
_CAPITAL = lazy(rb"A(?:[KS]IA[0-9A-Z]{16}|Iza[\w-]{35})")
_BEARER = lazy(rb"Bearer [\w.~+/\\-]{20}")
_JWT = lazy(rb"J(?<=eyJ)[\w-]{8}")
_USER = lazy(rb"/(?<=[/\\]/)[^\s/?#:@\"'<>]{0,1300}:[^\s/?#@\"'<>]{4,1300}@")


def looks_secret(payload: bytes) -> bool:
    """Whether a line of JSON may hold a credential; where it is false, :func:`credentials_in` finds none.

    A microsecond for a call, and 2 ns a byte beyond. True is no proof. (A writer that puts a space
    *before* a colon, or escapes plain letters, hides a name; no serialiser in use does either.)
    """
    return (
        _MEMBER.search(payload) is not None
        or (95 in payload and _UNDERSCORE.search(payload) is not None)
        or (45 in payload and _HYPHEN.search(payload) is not None)
        or (65 in payload and _CAPITAL.search(payload) is not None)
        or (66 in payload and _BEARER.search(payload) is not None)
        or (74 in payload and _JWT.search(payload) is not None)
        or (64 in payload and _USER.search(payload) is not None)
    )


def is_credential_name(name: str) -> bool:
    """Whether a value of this name is likely to be a credential: ``api_key``, ``accessToken``."""
    return NAME.search(name) is not None and HARMLESS.search(name) is None


def is_placeholder(value: str) -> bool:
    """Whether ``value`` stands for another."""
    return PLACEHOLDER.search(value) is not None or WORD.fullmatch(value) is not None


def is_plausible(name: str, value: str) -> bool:
    """Whether a value with the name of a credential may be one."""
    scheme, value = SCHEME.match(value.strip()), bare(value)
    if not SHORTEST <= len(value) <= 4096 or is_placeholder(value) or REFERENCE.match(value):
        return False
    if name.lower().endswith("cookie"):
        return "=" in value
    if " " in value or "\n" in value:
        return False
    if STRICT_NAME.search(name) or re.search(r"\d", value):
        return True
    return scheme is not None and value not in (value.lower(), value.upper(), value.capitalize())


def bare(value: str) -> str:
    """``value`` without the scheme of an ``Authorization`` header before it."""
    value = value.strip()
    scheme = SCHEME.match(value)
    return value if scheme is None else scheme[1]


def shapes_in(text: str) -> Iterator[tuple[str, str]]:
    """Kind and value of each token of a known shape in ``text``."""
    for shape in SHAPES:
        if shape.proven is None or not any(anchor in text for anchor in shape.anchors):
            continue
        for match in shape.proven.finditer(text):
            value, beginning = match[1], match[1][:BEGINNING]
            if shape.sure.search(beginning) and not is_placeholder(beginning):
                yield shape.kind, value


def credentials_in(value: Any, path: str = "") -> list[Credential]:
    """The credentials in a JSON value, in order: shapes in any string, and members by their names."""
    found: list[Credential] = []
    stack: list[tuple[str, str, Any]] = [(path, "", value)]
    for _ in range(NODES_SCANNED):
        if not stack or len(found) >= FOUND_KEPT:
            break
        at, name, node = stack.pop()
        if isinstance(node, str):
            found += in_string(node, at, name)
        elif isinstance(node, dict):
            binary = "data" if node.get("type") in ("image", "audio") else "blob"
            children = [
                (joined(at, key), key, child)
                for key, child in node.items()
                if child.__class__ in CONTAINERS and key != binary
            ]
            found += [each for key in node if len(key) > LONG_NAME for each in in_string(key, at, "")]
            stack.extend(reversed(children))
        elif isinstance(node, list):
            stack.extend(
                (f"{at}[{number}]", "", child)
                for number, child in reversed(list(enumerate(node)))
                if child.__class__ in CONTAINERS
            )
    return found[:FOUND_KEPT]


CONTAINERS = (str, dict, list)


def joined(path: str, key: str) -> str:
    """The path of a member; a key that is a credential itself is not written down."""
    if len(key) > LONG_NAME:
        key = masked(" ".join(key.split()))[:40]
    return f"{path}.{key}" if path else key


def in_string(text: str, path: str, name: str) -> list[Credential]:
    """The credentials in one string, which is the value of ``name``."""
    found = [Credential(kind, value, path, True) for kind, value in shapes_in(text)]
    if not found and name and is_credential_name(name) and is_plausible(name, text):
        found.append(Credential("credential", bare(text), path, False))
    return found


WORDS_OF_NAMES = ("passw", "passphrase", "secret", "token", "key", "authorization", "cookie")


def in_line(text: str) -> list[Credential]:
    """The credentials in a line of a log.

    Shapes, and what is written as ``"name": "value"``, ``Authorization: value`` or ``NAME=value``.
    """
    if not looks_secret(text.encode()):
        lower = text.lower()
        if not any(word in lower for word in WORDS_OF_NAMES):
            return []
    found = [Credential(kind, value, "", True) for kind, value in shapes_in(text)]
    for pattern in (IN_TEXT, HEADER, ASSIGNMENT):
        found += [
            Credential("credential", bare(value), "", False)
            for name, value in pattern.findall(text)
            if is_credential_name(name)
            and is_plausible(name, value)
            and not any(value in each.value or each.value in value for each in found)
        ]
    return found[:FOUND_KEPT]


def masked(text: str) -> str:
    """``text`` with the tokens in it shortened to what may be shown."""
    for _, value in list(shapes_in(text)):
        text = text.replace(value, masked_value(value))
    return text
