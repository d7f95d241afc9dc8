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
    r"(?:tokens?|secrets?|passwords?|passwd|passphrases?|api[-_]?keys?|credentials?"  # PGPASSWORD, too
    r"|(?:access|secret|private)[-_]?keys"
    r"|(?:^|[-_.\s])(?:pwd|pass|auth(?:orization)?|auth[-_]header|bearer|cookies?|session[-_]?id|signature|dsn|pat"
    r"|key|jwt|otp|creds?|conn(?:ection)?[-_]?str(?:ing)?))$",
    re.IGNORECASE,
)
_NO_SECRET_NAME = lazy(
    r"(?:public[-_]?key|(?:max|min|num|total|input|output|new|count|limit)[-_]?tokens)$", re.IGNORECASE
)
_CAMEL_HUMP = lazy(r"(?<=[a-z0-9])(?=[A-Z])")
_OPTION = lazy(r"^(--?[A-Za-z][\w.-]*)(?:([=:])(.*))?$", re.DOTALL)
_ASSIGNMENT = lazy(r"^((?:\$(?:env:)?)?[A-Za-z_][\w.-]*)=(.*)$", re.DOTALL | re.IGNORECASE)
_SPACED_ASSIGNMENT = lazy(
    r"""(\$(?:env:)?(\w{1,80})\s{0,9}=\s{0,9})("[^"]*"|'[^']*'|[^\s;"']+)""", re.IGNORECASE
)
"""As PowerShell has it."""
_HEADER = lazy(r"^([A-Za-z][\w-]*)\s*:\s*(?!//)(\S.*)$", re.DOTALL)
# Bounded at both ends: a command line may hold a megabyte of base64.
_URL_USER = lazy(r"(?<![a-z0-9+.-])([a-z][a-z0-9+.-]{0,20}://)([^/\s?#]+)@", re.IGNORECASE)
_URL_QUERY = lazy(r"([?&;#])([\w.-]{1,80})=((?:[^&;#\s?]|\?(?![\w.-]{1,80}=))+)")
_QUERY_ONLY = frozenset({"sig", "code"})
"""Names of secrets in a URL, and of anything elsewhere."""
# Of a hosted server or a webhook, whose whole secret is its address.
_URL_SECRET_PATH = lazy(
    r"(?<=/)(?:[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|[0-9a-fA-F]{32,}"
    r"|(?=[\w-]{0,200}\d)(?=[\w-]{0,200}[a-z])(?=[\w-]{0,200}[A-Z])[\w-]{20,})(?=[/?#]|$)"
)
_WEB_ADDRESS = lazy(r"\bhttps?://[^\s\"']+", re.IGNORECASE)
_JSON_MEMBER = lazy(
    r"""((?<!\\)(\\{0,8}["'])([\w.-]{1,80})\2\s*:\s*(\\{0,8}["']))((?:(?!\4)(?:[^\\]|\\.))*)\4""", re.DOTALL
)
"""Of JSON, also inside a string of JSON, and of what Python prints."""
_JSON_LIST = lazy(r"""((?<!\\)(\\{0,8}["'])([\w.-]{1,80})\2\s*:\s*)\[[^\]]{0,10000}\]?""")
_SHELL_WORD = lazy(r"""(?:"[^"]*"|'[^']*'|[^\s"';&|])+|[;&|]+""")
"""A word of a command line that is one word here (``sh -c``), or what stands between two commands."""
_QUOTED = lazy(r"""(["'])(.*)\1""", re.DOTALL)
_PERCENT = lazy(r"%[0-9A-Fa-f]{2}")
_REFERENCE = lazy(
    r"(?:(?:bearer|basic|token)\s+)?(?:\$\{[^}]*\}|\$(?:env:)?\w+|%\w+%|\{\{[^}]*\}\})", re.IGNORECASE
)
"""What stands for a secret and is none: the client, a shell or a template puts it in."""
_NO_SECRETS = frozenset(
    {"true", "false", "yes", "no", "on", "off", "none", "null", "undefined", "auto", "required", "optional",
     "oauth", "oauth2", "basic", "bearer", "header", "env", "keychain", "prompt", "stdin"}
)  # fmt: skip
"""What an option named for a secret takes to say how, or whether."""
_USER_OPTIONS = frozenset({"-u", "--user", "--userpass", "--proxy-user"})
_PASSWORD_OPTIONS = {
    **dict.fromkeys(("mysql", "mysqldump", "mysqladmin", "mariadb", "mariadb-dump", "mycli"), ("-p", False)),
    **dict.fromkeys(("mongosh", "mongo", "mongodump", "mongorestore", "login", "sshpass"), ("-p", True)),
    "redis-cli": ("-a", True),
    **dict.fromkeys(("ldapsearch", "ldapmodify"), ("-w", True)),
}
"""By program (and ``docker login``): its short option for a password, and whether it may be the next word."""
_USER_PERCENT = frozenset({"smbclient", "rpcclient", "net"})
"""Programs to whom a user is ``name%password``."""
_NUMBER = lazy(r"\d+(?::\d+)?")
_USER = lazy(r"""([^\s:/"']+):(?!\d+$)([^\s:/"']+)""")
_USER_AT_HOST = lazy(
    r"^(?!(?:npm|jsr|git|file|link|workspace|github|pypi):)([\w.+-]+)([:/])([^\s@/:]+)@(?=//|(?!sha\d+:)[A-Za-z][\w-]*[.:/])"
)
_SLASH_OPTION = lazy(r"^(/[A-Za-z][\w-]{0,80}):(.+)$", re.DOTALL)
_BEARER = lazy(r"\b(bearer|basic)\s+(\S+)", re.IGNORECASE)


def is_secret_name(name: str) -> bool:
    """Whether a value called ``name`` is likely to be a secret: ``API_KEY``, ``--auth-token``."""
    plain = _CAMEL_HUMP.sub("_", name.strip("-").removeprefix("$env:").lstrip("$"))
    return _SECRET_NAME.search(plain) is not None and _NO_SECRET_NAME.search(plain) is None


def may_be_secret(value: str) -> bool:
    """Whether what stands where a secret belongs can be one: not ``${TOKEN}``, nor ``none``."""
    return value.lower() not in _NO_SECRETS and _REFERENCE.fullmatch(value) is None


def mask_argv(argv: list[str]) -> list[str]:
    """``argv`` with secret-looking values replaced; as many words as before.

    ``--token X``, ``--token=X``, ``TOKEN=X``, ``Authorization: X``, the user part and secret-named query
    values of a URL, members of JSON, the passwords of known programs, all that in a word that is a command
    line itself, and the well-known token shapes anywhere.
    """
    masked: list[str] = []
    before, program, awaited = "", "", False
    for word in argv:
        option = _OPTION.match(word)
        program = _known_program(word) or program
        has_value = bool(option and option[2])
        if awaited and not has_value and not word.startswith("--"):
            shown = _masked(word)
        else:
            shown = _mask_password(word, before, program) or _mask_word(
                _mask_user(word) if before in _USER_OPTIONS and not option else word, option
            )
        awaited = option is not None and not has_value and shown == word and is_secret_name(option[1])
        masked.append(shown)
        before = word
    return masked


def _masked(value: str, before: str = "") -> str:
    return before + (MASK if may_be_secret(value) else value)


def _mask_password(word: str, before: str, program: str) -> str:
    """A password that a known program takes by a short option; empty where it is none."""
    flag, separate = _PASSWORD_OPTIONS.get(program, ("", False))
    if flag and separate and before == flag and _NUMBER.fullmatch(word) is None:
        return _masked(word)
    if flag and word.startswith(flag) and word != flag:
        return _masked(word.removeprefix(flag), flag)
    if before == "-U" and program in _USER_PERCENT and "%" in word:
        return f"{word.partition('%')[0]}%{MASK}"
    return ""


def _known_program(word: str) -> str:
    name = re.split(r"[/\\]", word)[-1].removesuffix(".exe")
    return name if name in _PASSWORD_OPTIONS or name in _USER_PERCENT else ""


def _mask_word(word: str, option: re.Match[str] | None) -> str:
    if option and option[2] and is_secret_name(option[1]):
        return f"{option[1]}{option[2]}{MASK}" if may_be_secret(option[3]) else word
    if option and option[2]:
        value = _mask_user(option[3]) if option[1] in _USER_OPTIONS else option[3]
        return f"{option[1]}{option[2]}{_mask_value(value)}"
    return _mask_value(word)


def _mask_value(word: str) -> str:
    for pattern, joint in ((_ASSIGNMENT, "="), (_HEADER, ": ")):
        named = pattern.match(word)
        # "key: value" is what a pattern or a text may hold; a header of that name does not exist.
        if named and is_secret_name(named[1]) and (named[1].lower() != "key" or pattern is not _HEADER):
            return f"{named[1]}{joint}{MASK}" if may_be_secret(named[2]) else word
    slash = _SLASH_OPTION.match(word)
    if slash:
        secret = is_secret_name(slash[1].strip("/")) and may_be_secret(slash[2])
        return f"{slash[1]}:{MASK if secret else _mask_value(slash[2])}"
    word = _URL_USER.sub(lambda match: _instead(match, match[1], match[2], "@"), word)
    word = _USER_AT_HOST.sub(rf"\1\2{MASK}@", word)
    word = _WEB_ADDRESS.sub(lambda match: _URL_SECRET_PATH.sub(MASK, match[0]), word)
    is_url = "://" in word
    word = _URL_QUERY.sub(
        lambda match: _instead(
            match,
            f"{match[1]}{match[2]}=",
            match[3],
            name=None if match[2] in _QUERY_ONLY and is_url else match[2],
        ),
        word,
    )
    word = _JSON_MEMBER.sub(lambda match: _instead(match, match[1], match[5], match[4], name=match[3]), word)
    word = _JSON_LIST.sub(lambda match: _instead(match, match[1], match[0], name=match[3]), word)
    word = _SPACED_ASSIGNMENT.sub(
        lambda match: _instead(match, match[1], match[3].strip("\"'"), name=match[2]), word
    )
    if not is_url or re.search(r"\s", word):
        word = _mask_commands(word)
    word = _BEARER.sub(lambda match: _instead(match, f"{match[1]} ", match[2]), word)
    return _mask_encoded(_mask_shapes(word))


def _instead(
    match: re.Match[str], before: str, value: str, after: str = "", *, name: str | None = None
) -> str:
    """What stands for a match: the mask in place of ``value``, if that is called a secret and may be one."""
    called_secret = name is None or is_secret_name(name)
    return f"{before}{MASK}{after}" if called_secret and may_be_secret(value) else match[0]


def _mask_commands(text: str) -> str:
    """A word that holds command lines, or assignments one after the other, masked word by word."""
    found = list(_SHELL_WORD.finditer(text))
    if len(found) < 2:
        return text
    parts, at = [], 0
    for words in _commands(found):
        bare = [quoted[2] if (quoted := _QUOTED.fullmatch(word[0])) else word[0] for word in words]
        for word, plain, shown in zip(words, bare, mask_argv(bare), strict=True):
            if shown != plain:
                quote = word[0][0] if word[0] != plain else ""
                parts += [text[at : word.start()], quote, shown, quote]
                at = word.end()
    return "".join([*parts, text[at:]])


def _commands(found: list[re.Match[str]]) -> list[list[re.Match[str]]]:
    commands: list[list[re.Match[str]]] = [[]]
    for word in found:
        if word[0][0] in ";&|":
            commands.append([])
        else:
            commands[-1].append(word)
    return commands


def _mask_encoded(word: str) -> str:
    """A word in which percent-encoding hides a secret, as it is decoded and masked; any other as it is."""
    if _PERCENT.search(word) is None:
        return word
    from urllib.parse import unquote

    decoded = unquote(word)
    shown = decoded if decoded == word else _mask_value(decoded)
    return word if shown == decoded else shown


def _mask_shapes(word: str) -> str:
    for shape in SHAPES:
        if shape.masked is not None and any(anchor in word for anchor in shape.anchors):
            word = shape.masked.sub(lambda match: (match[1] if match.re.groups else "") + MASK, word)
    return word


def _mask_user(word: str) -> str:
    """``name:password`` as curl takes it, and not ``1000:1000`` as docker does."""
    whole = _USER.fullmatch(word)
    return f"{whole[1]}:{MASK}" if whole else word
