"""The texts for readers, and what in them can be held to the truth: links, command lines, code, output.

Usage: python -m tests.documents writes what the commands print now below each ``$ mcp-tap …`` in docs/, and
into the picture of the README.
"""

from __future__ import annotations

import contextlib
import importlib.util
import io
import os
import re
import shlex
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import NamedTuple
from unittest import mock

from mcp_tap.cli import main
from tests.picture import PICTURE, picture

ROOT = Path(__file__).parents[1]

FENCE = re.compile(r"^( *)```(\w*)[^\n]*\n(.*?)^\1```$", re.MULTILINE | re.DOTALL)
CODE_SPAN = re.compile(r"`([^`\n]+)`")
LINK = re.compile(r"!?\[[^\]]*\]\(([^)\s]+)\)")
HEADING = re.compile(r"^#+ (.+)$", re.MULTILINE)
SHOWN = re.compile(r"^```text\n\$ mcp-tap ([^\n]+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
INCLUDE = re.compile(r'^--8<-- "(.+)"$', re.MULTILINE)

COLUMNS = 100
"""Of the output that is shown: what a page of the site has room for."""


class Block(NamedTuple):
    """Fenced code, and what it is written in (empty where that is not said)."""

    language: str
    text: str


def documents() -> list[Path]:
    """All of them: at the top, in docs/, beside the code, and the templates of issues."""
    folders = (ROOT.glob("*.md"), *((ROOT / name).rglob("*.md") for name in ("docs", "mcp_tap", ".github")))
    return sorted(path for folder in folders for path in folder)


def read(path: Path) -> str:
    """A document's text, with the files that it includes in their places."""
    return INCLUDE.sub(lambda line: read(ROOT / line[1]), path.read_text(encoding="utf-8"))


def blocks(text: str, *languages: str) -> list[Block]:
    """The fenced code in one of ``languages``."""
    return [Block(found[2], found[3]) for found in FENCE.finditer(text) if found[2] in languages]


def prose(text: str) -> str:
    """The text without fenced code."""
    return FENCE.sub("", text)


def links(text: str) -> list[str]:
    """Where the links and pictures of a text lead."""
    return LINK.findall(CODE_SPAN.sub("", prose(text)))


def anchors(text: str) -> set[str]:
    """What a link can have behind its "#": GitHub and the site make the same of plain headings."""
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in HEADING.findall(text)}


def commands(text: str) -> list[list[str]]:
    """The words after each ``mcp-tap`` in shell code."""
    lines = [line for block in blocks(text, "sh", "console") for line in block.text.splitlines()]
    return [words for line in lines for words in commands_in(line)]


def mentions(text: str) -> list[list[str]]:
    """The words after each ``mcp-tap`` in code spans, which may be only the beginning of a command line."""
    spans = [span for span in CODE_SPAN.findall(prose(text)) if span.startswith("mcp-tap ")]
    return [words for span in spans for words in commands_in(span)]


def commands_in(line: str) -> Iterator[list[str]]:
    """Those in a line of shell: ``a | mcp-tap x > y && mcp-tap z`` has two."""
    lexer = shlex.shlex(line, posix=True, punctuation_chars=True)
    lexer.whitespace_split = True
    words: list[str] = []
    for word in [*lexer, ";"]:
        if word[0] not in "|&;<>()":
            words.append(word)
            continue
        if words and words[0].rpartition("/")[2] == "mcp-tap":
            yield words[1:]
        words = []


def hooks() -> ModuleType:
    """``docs/hooks.py``, which makes the site's pages of the rules."""
    spec = importlib.util.spec_from_file_location("hooks", ROOT / "docs" / "hooks.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def with_output(text: str) -> str:
    """``text`` with the output of each command that it shows as it is today."""
    return SHOWN.sub(lambda shown: f"```text\n$ mcp-tap {shown[1]}\n{output_of(shown[1])}```", text)


def output_of(line: str) -> str:
    """What ``mcp-tap line`` prints, in the repository's directory."""
    printed = io.StringIO()
    terminal = mock.patch.dict(os.environ, {"COLUMNS": str(COLUMNS)})
    with contextlib.chdir(ROOT), terminal, contextlib.redirect_stdout(printed):
        main(shlex.split(line))
    return "".join(f"{line.rstrip()}\n" for line in printed.getvalue().splitlines())


if __name__ == "__main__":
    for page in (ROOT / "docs").glob("*.md"):
        page.write_text(with_output(page.read_text(encoding="utf-8")), encoding="utf-8")
    PICTURE.write_text(picture(), encoding="utf-8")
