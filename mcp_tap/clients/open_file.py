"""A configuration file read and parsed, or the sentence that says why that failed."""

from __future__ import annotations

from dataclasses import dataclass, field

from mcp_tap.clients.files import ConfigFile, read_config
from mcp_tap.clients.formats import parse
from mcp_tap.clients.tree import ConfigError, EmptyConfig, Format, Node, ParsedNode
from mcp_tap.errors import one_line


@dataclass(frozen=True, slots=True)
class OpenFile:
    """A file and what is in it."""

    file: ConfigFile
    text: str
    form: Format
    root: Node = field(repr=False)


def open_file(path: str, form: Format) -> OpenFile | str:
    """A file, or the sentence that says why it cannot be used."""
    try:
        file = read_config(path)
        text = file.text
        return OpenFile(file, text, form, parse_or_empty(text, form))
    except ConfigError as error:
        return f"{one_line(path)} {error}"
    except OSError as error:
        return f"cannot read {one_line(path)}: {error.strerror}"


def parse_or_empty(text: str, form: Format) -> Node:
    """The tree of a file; an empty file holds no servers. Raises :class:`ConfigError`."""
    try:
        return parse(text, form)
    except EmptyConfig:
        return ParsedNode("map", 0, 0, {})
