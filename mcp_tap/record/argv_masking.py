"""Which words of a command line look like secrets, so that they are not written down.

The recording carries what passed on the wire by design; a command line is shown on its own in
lists and reports, so its secrets are masked at once.
"""

from __future__ import annotations

import re

from mcp_tap.record.patterns import lazy
from mcp_tap.record.secret_shapes import SHAPES

MASK = "[masked]"

_SECRET_NAME = lazy(
    r"(?:token|secret|password|passwd|passphrase|apikey|credentials?"  # PGPASSWORD, too
    r"|(?:^|[-_.\s])(?:pwd|pass|auth(?:orization)?|auth[-_]header|bearer|cookie|session[-_]?id|signature|dsn|pat"
    r"|key|jwt|otp|creds?|conn(?:ection)?[-_]?str(?:ing)?))$",
    re.IGNORECASE,
)
_CAMEL_HUMP = lazy(r"(?<=[a-z0-9])(?=[A-Z])")
_OPTION = lazy(r"^(--?[A-Za-z][\w.-]*)(?:([=:])(.*))?$", re.DOTALL)
_ASSIGNMENT = lazy(r"^([A-Za-z_][\w.-]*)=(.*)$", re.DOTALL)
_HEADER = lazy(r"^([A-Za-z][\w-]*)\s*:\s*(?!//)(\S.*)$", re.DOTALL)
# Bounded at both ends: a command line may hold a megabyte of base64.
_URL_USER = lazy(r"(?<![a-z0-9+.-])([a-z][a-z0-9+.-]{0,20}://)([^/\s?#]+)@", re.IGNORECASE)
_URL_QUERY = lazy(r"([?&;#])([\w.-]{1,80})=([^&;#\s]+)")
_QUERY_ONLY = frozenset({"sig", "code"})
"""Names of secrets in a URL, and of anything elsewhere."""
# Of a hosted server or a webhook, whose whole secret is its address.
_URL_SECRET_PATH = lazy(
    r"(?<=/)(?:[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|[0-9a-fA-F]{32,}"
    r"|(?=[\w-]{0,200}\d)(?=[\w-]{0,200}[a-z])(?=[\w-]{0,200}[A-Z])[\w-]{20,})(?=[/?#]|$)"
)
_WEB_ADDRESS = lazy(r"\bhttps?://[^\s\"']+", re.IGNORECASE)
_JSON_MEMBER = lazy(r"""((["'])([\w.-]{1,80})\2\s*:\s*(["']))((?:(?!\4)[^\\]|\\.)*)\4""", re.DOTALL)
# In a command line or a connection string that is one word.
_INNER_ASSIGNMENT = lazy(r"""(?<=[\s;])([A-Za-z_][\w.-]{0,80})=("[^"]*"|'[^']*'|[^\s;&"']+)""")
_INNER_OPTION = lazy(r"""(?<=\s)(--?[A-Za-z][\w.-]{0,80})(\s+)("[^"]*"|'[^']*'|[^\s"'-][^\s"']*)""")
_USER_OPTIONS = frozenset({"-u", "--user", "--userpass", "--proxy-user"})
_USER = lazy(r"""([^\s:/"']+):(?!\d+$)([^\s:/"']+)""")
_USER_AT_HOST = lazy(
    r"^(?!(?:npm|jsr|git|file|link|workspace|github|pypi):)([\w.+-]+)([:/])([^\s@/:]+)@(?=//|(?!sha\d+:)[A-Za-z][\w-]*[.:/])"
)
_SLASH_OPTION = lazy(r"^(/[A-Za-z][\w-]{0,80}):(.+)$", re.DOTALL)
_BEARER = lazy(r"\b(bearer|basic)\s+\S+", re.IGNORECASE)


def is_secret_name(name: str) -> bool:
    """Whether a value called ``name`` is likely to be a secret: ``API_KEY``, ``--auth-token``."""
    return _SECRET_NAME.search(_CAMEL_HUMP.sub("_", name.strip("-"))) is not None


def mask_argv(argv: list[str]) -> list[str]:
    """``argv`` with secret-looking values replaced; as many words as before.

    ``--token X``, ``--token=X``, ``TOKEN=X``, ``Authorization: X``, the user part and
    secret-named query values of a URL, and the well-known token shapes anywhere.
    """
    masked: list[str] = []
    value_of_secret = False
    before = ""
    for word in argv:
        option = _OPTION.match(word)
        if before in _USER_OPTIONS and not option:
            word = _mask_user(word)
        before = word
        if value_of_secret and not (option and option[2]) and not word.startswith("--"):
            masked.append(MASK)
            value_of_secret = False
            continue
        masked.append(_mask_word(word, option))
        value_of_secret = bool(option and option[2] is None and is_secret_name(option[1]))
    return masked


def _mask_word(word: str, option: re.Match[str] | None) -> str:
    if option and option[2] and is_secret_name(option[1]):
        return f"{option[1]}{option[2]}{MASK}"
    if option and option[2]:
        value = _mask_user(option[3]) if option[1] in _USER_OPTIONS else option[3]
        return f"{option[1]}{option[2]}{_mask_value(value)}"
    return _mask_value(word)


def _mask_value(word: str) -> str:
    for pattern, joint in ((_ASSIGNMENT, "="), (_HEADER, ": ")):
        named = pattern.match(word)
        if named and is_secret_name(named[1]):
            return f"{named[1]}{joint}{MASK}"
    slash = _SLASH_OPTION.match(word)
    if slash and is_secret_name(slash[1].strip("/")):
        return f"{slash[1]}:{MASK}"
    word = _URL_USER.sub(rf"\1{MASK}@", word)
    word = _USER_AT_HOST.sub(rf"\1\2{MASK}@", word)
    word = _WEB_ADDRESS.sub(lambda match: _URL_SECRET_PATH.sub(MASK, match[0]), word)
    word = _URL_QUERY.sub(
        lambda match: (
            f"{match[1]}{match[2]}={MASK}"
            if is_secret_name(match[2]) or (match[2] in _QUERY_ONLY and "://" in word)
            else match[0]
        ),
        word,
    )
    word = _JSON_MEMBER.sub(
        lambda match: f"{match[1]}{MASK}{match[4]}" if is_secret_name(match[3]) else match[0], word
    )
    word = _INNER_ASSIGNMENT.sub(
        lambda match: f"{match[1]}={MASK}" if is_secret_name(match[1]) else match[0], word
    )
    word = _INNER_OPTION.sub(_mask_inner_option, word)
    word = _BEARER.sub(rf"\1 {MASK}", word)
    return _mask_shapes(word)


def _mask_shapes(word: str) -> str:
    for shape in SHAPES:
        if shape.masked is not None and any(anchor in word for anchor in shape.anchors):
            word = shape.masked.sub(lambda match: (match[1] if match.re.groups else "") + MASK, word)
    return word


def _mask_inner_option(match: re.Match[str]) -> str:
    if is_secret_name(match[1]):
        return f"{match[1]}{match[2]}{MASK}"
    return f"{match[1]}{match[2]}{_mask_user(match[3])}" if match[1] in _USER_OPTIONS else match[0]


def _mask_user(word: str) -> str:
    """``name:password`` as curl takes it, and not ``1000:1000`` as docker does."""
    whole = _USER.fullmatch(word)
    return f"{whole[1]}:{MASK}" if whole else word
