"""Placeholders of configurations that nobody has replaced, told from text that only looks like them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from mcp_tap.record.patterns import lazy

EDITORS = (
    r"\$\{(?:env\.\w{1,80}|(?:inputs?|env|command|config|secrets?|workspaceFolder):[\w.:@/ -]{1,80}"
    r"|user_config\.[\w.-]{1,80}|(?:(?:localW|w)orkspaceFolder(?:Basename)?|workspaceRoot|userHome|cwd|__dirname"
    r"|file(?:Dirname|Basename|WorkspaceFolder)?|pathSeparator))\}"
)
"""What clients replace in their configuration, each in its own way."""

VARIABLE = r"\$\{[A-Z][A-Z0-9_]{0,80}(?::-[^{}\s]{0,80})?\}"
"""``${API_TOKEN}``, with a default or without."""

IN_ARGV = lazy(
    rf"{EDITORS}|{VARIABLE}|\$env:[A-Za-z_]\w{{0,80}}|%[A-Z][A-Z0-9_()]{{2,80}}%"
    r"|(?:(?<=^)|(?<=[=:,/\\]))\$[A-Z][A-Z0-9_]{1,80}\b|\{\{ ?(?:env\.)?\w{1,80} ?\}\}"
    r"|\$\((?:pwd|[a-z][\w-]{1,20} [\w ./-]{1,60})\)"
)
IN_WORDS = lazy(EDITORS)
"""What is no doubt a placeholder, wherever it is quoted."""

COMPLAINS = lazy(
    r"error|invalid|fail|not (?:a|found|exist|valid|set)|n't|no such|cannot|unable|unknown|missing|refused"
    r"|denied|illegal|unexpected|unresolved|enoent|exception",
    re.IGNORECASE,
)
"""What a line of stderr has that complains; others may tell what a placeholder was replaced by."""

WHOLE_ARGUMENT = lazy(rf"{EDITORS}(?:[/\\][^\s$]*)?|{VARIABLE}")
WHOLE_OF_PROMPT = lazy(
    rf"{EDITORS}(?:[/\\][^\s$]*)?|{VARIABLE}|\$ARGUMENTS|\$\{{?\d\}}?|\$\{{\w{{1,80}}\}}"
    r"|\{\{ ?\w{1,80} ?\}\}"
)
POSITION = lazy(r"\$\{?(\d)\}?")

TAKEN_AS_TEXT = lazy(
    r"(?:^|[^a-z])(?:cmd|code|command|commands|content|contents|edit|expr\w*|find|format|grep|input|insert|message"
    r"|new|old|pattern|query|regex\w*|replace\w*|script|search|shell|sql|string|substitut\w*|template|text|write)"
    r"(?:$|[^a-z])",
    re.IGNORECASE,
)
"""Names of tools and arguments for which such a text may be just what is meant."""

EXPANDERS = frozenset(
    {"sh", "bash", "dash", "zsh", "fish", "ksh", "cmd", "powershell", "pwsh", "ssh", "nu", "envsubst", "-S"}
)
"""Words after which somebody else expands what follows: a shell, here or far away, and ``env -S``."""

CODE = lazy(r"[();`\n]")
"""What a word has that is a program of its own."""

HEADERS = frozenset({"--header", "-H", "--headers"})

ARGUMENTS_LOOKED_AT = 200


def in_argv(words: list[str], environment: Iterable[str]) -> list[str]:
    """The placeholders that a command line still has.

    In headers that a bridge is given, it expands the variables that it has itself.
    """
    found: dict[str, None] = {}
    known = set(environment)
    for before, word in zip(["", *words], words, strict=False):
        if base_of(word) in EXPANDERS:
            break
        is_header = before in HEADERS or word.startswith(tuple(f"{each}=" for each in HEADERS))
        placeholders = [match[0] for match in IN_ARGV.finditer(word)]
        for each in () if CODE.search(IN_ARGV.sub("", word)) else placeholders:
            if not (is_header and each.strip("${}%") in known):
                found[each] = None
    return list(found)


def base_of(word: str) -> str:
    """A program's name without its folder and suffix."""
    return re.split(r"[/\\]", word)[-1].removesuffix(".exe").removesuffix(".cmd")


def in_call(tool: str, arguments: dict[str, object]) -> Iterator[tuple[str, str]]:
    """The arguments of a tool that are a placeholder, each with its text."""
    if TAKEN_AS_TEXT.search(spread(tool)):
        return
    for path, text in texts_in(arguments):
        if "$" in text and WHOLE_ARGUMENT.fullmatch(text) and not TAKEN_AS_TEXT.search(spread(path)):
            yield path, text


def in_prompt(arguments: dict[str, object], number: int) -> Iterator[tuple[str, str]]:
    """The same of a prompt that has so many arguments: ``$1`` is one where it can stand for the first."""
    for path, text in texts_in(arguments):
        if WHOLE_OF_PROMPT.fullmatch(text):
            at = POSITION.fullmatch(text)
            if at is None or 1 <= int(at[1]) <= number:
                yield path, text


def texts_in(arguments: dict[str, object]) -> Iterator[tuple[str, str]]:
    """The strings among arguments, and in lists and objects of them, with their names."""
    left: list[tuple[str, object]] = list(reversed(arguments.items()))
    for _ in range(ARGUMENTS_LOOKED_AT):
        if not left:
            return
        path, value = left.pop()
        if isinstance(value, str):
            yield path, value
        elif isinstance(value, dict):
            left.extend((f"{path}.{name}", each) for name, each in reversed(value.items()))
        elif isinstance(value, list):
            left.extend((path, each) for each in reversed(value))


def spread(name: str) -> str:
    """``replace_in_file`` for ``replaceInFile``."""
    return re.sub(r"(?<=[a-z])(?=[A-Z])", "_", name)
