"""Configurations as people and programs write them, for Hypothesis: valid, and as odd as that allows."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from random import Random
from typing import Any

from hypothesis import strategies as st

WORDS = st.one_of(
    st.sampled_from(["npx", "-y", "--", "C:\\srv\\x.exe", "a b", 'say "hi"', "", "ünï→😀", "${HOME}/x", "#",
                     "//", "run", "it's", ",", "]", "--name", "mcp-tap", "a\tb", "\u2028"]),
    st.text(st.characters(codec="utf-8", categories=["L", "N", "P", "S", "Zs"]), max_size=12),
)  # fmt: skip
COMMANDS = WORDS.filter(lambda word: word not in ("", "mcp-tap"))
NAMES = st.one_of(
    st.sampled_from(["files", "a.b", "with space", 'quo"te', "sla/sh", "back\\slash", "ünï", "", "$x", "--"]),
    st.text(st.characters(codec="utf-8", categories=["L", "N", "P", "S"]), max_size=8),
)  # fmt: skip


@dataclass
class Server:
    """An entry. ``args`` None: there is no such key."""

    command: str
    args: list[str] | None
    env: dict[str, str] = field(default_factory=dict)
    command_first: bool = True

    @property
    def meaning(self) -> dict[str, Any]:
        members: list[tuple[str, Any]] = [("command", self.command)]
        if self.args is not None:
            members.append(("args", self.args))
        if not self.command_first:
            members.reverse()
        return dict([*members, ("env", self.env)] if self.env else members)


SERVERS = st.builds(
    Server,
    COMMANDS,
    st.one_of(st.none(), st.lists(WORDS, max_size=4)),
    st.dictionaries(st.sampled_from(["KEY", "PATH", "args", "command"]), WORDS, max_size=2),
    st.booleans(),
)
CONFIGURATIONS = st.dictionaries(NAMES, SERVERS, min_size=1, max_size=3)

TRIVIA = ("", "", "", " ", "\n  ", "\n", "\r\n\t", "  ")
COMMENTS = ("/* c */", "// , ] }\n", '// "args": [\r\n', '/*\n * "command": 1,\n */', "/**/", " ")

LAYOUTS = st.integers(0, 2**32).map(Random)
"""How a file is laid out is not worth shrinking, and would take a hundred draws."""


def json_string(rng: Random, text: str) -> str:
    """A string, with more escapes than it needs."""
    how = rng.choice(["plain", "ascii", "all", "slash"])
    if how == "all" and all(ord(letter) < 0x10000 for letter in text):
        return '"' + "".join(f"\\u{ord(letter):04x}" for letter in text) + '"'
    if how == "slash":
        return json.dumps(text, ensure_ascii=False).replace("/", "\\/")
    return json.dumps(text, ensure_ascii=how == "ascii")


def json_text(rng: Random, value: Any, *, lenient: bool = True) -> str:
    """``value`` as JSON, or JSONC, with anything between the tokens that may be there."""

    def space() -> str:
        between = rng.choice(TRIVIA)
        return (
            between + rng.choice(COMMENTS) + rng.choice(TRIVIA)
            if lenient and not rng.randrange(5)
            else between
        )

    def render(each: Any) -> str:
        if isinstance(each, dict):
            parts = [
                f"{space()}{json_string(rng, key)}{space()}:{space()}{render(below)}{space()}"
                for key, below in each.items()
            ]
            return "{" + joined(parts) + "}"
        if isinstance(each, list):
            return "[" + joined([f"{space()}{render(below)}{space()}" for below in each]) + "]"
        return json_string(rng, each) if isinstance(each, str) else json.dumps(each)

    def joined(parts: list[str]) -> str:
        if not parts:
            return space()
        return ",".join(parts) + ("," + space() if lenient and rng.randrange(2) else "")

    return space() + render(value) + space()


@st.composite
def json_configuration(draw: st.DrawFn, key: str = "mcpServers", *, lenient: bool = True) -> tuple[str, Any]:
    """A file, and what it means."""
    servers, rng = draw(CONFIGURATIONS), draw(LAYOUTS)
    meaning: dict[str, Any] = {"theme": ["dark", 1e3, None], "a//b": {"args": ["x"]}}
    meaning[key] = {name: server.meaning for name, server in servers.items()}
    if rng.randrange(2):
        meaning["command"] = "not a server"
    return json_text(rng, meaning, lenient=lenient), meaning


def toml_escaped(text: str) -> str:
    """A basic string of nothing but escapes."""
    return '"' + "".join(f"\\U{ord(letter):08x}" for letter in text) + '"'


def toml_string(rng: Random, text: str) -> str:
    """A string in one of TOML's four notations, where it can be."""
    how = rng.choice(["basic", "literal", "multi", "multi-literal", "escaped"])
    if how == "escaped" or not text.isprintable():
        return toml_escaped(text)
    if how == "literal" and "'" not in text:
        return f"'{text}'"
    if how == "multi-literal" and "'" not in text:
        return f"'''{text}'''"
    if how == "multi" and not text.endswith('"'):
        body = text.replace("\\", "\\\\").replace('"""', '""\\"')
        return (
            rng.choice(['"""\n', '"""\\\n  ', '"""']) + body + '"""' if body[:1] != " " else f'"""{body}"""'
        )
    return json.dumps(text, ensure_ascii=False)


def toml_key(rng: Random, text: str) -> str:
    """A key, bare where it can be and may be."""
    is_bare = text != "" and text.isascii() and text.replace("-", "").replace("_", "").isalnum()
    if is_bare and rng.randrange(2):
        return text
    if text.isprintable() and "'" not in text and rng.randrange(2):
        return f"'{text}'"
    return json.dumps(text, ensure_ascii=False) if text.isprintable() else toml_escaped(text)


def toml_array(rng: Random, words: list[str], newline: str) -> str:
    """An array, over several lines or in one, with comments and a trailing comma."""
    trivia = ["", " ", "  ", f"{newline}  ", f" # it's [1,{newline}", f'{newline}# "x",{newline}\t']
    parts = [f"{rng.choice(trivia)}{toml_string(rng, word)}{rng.choice(trivia)}" for word in words]
    end = f",{rng.choice(trivia)}" if words and rng.randrange(2) else ""
    return "[" + ",".join(parts) + (end or rng.choice(trivia)) + "]"


@st.composite
def toml_configuration(draw: st.DrawFn) -> tuple[str, Any]:
    """A file, and what it means: servers as tables, inline tables and dotted keys."""
    servers, rng = draw(CONFIGURATIONS), draw(LAYOUTS)
    newline = rng.choice(["\n", "\r\n"])
    meaning = {"model": "x", "mcp_servers": {name: server.meaning for name, server in servers.items()}}
    with_table = rng.randrange(2)
    head = [f'model = "x" # [mcp_servers]{newline}', f"[mcp_servers]{newline}" if with_table else ""]
    prefix = "" if with_table else "mcp_servers."
    lines: list[str] = []
    tables: list[str] = []
    for name, server in servers.items():
        is_table, text = toml_server(rng, name, server, prefix, newline)
        (tables if is_table else lines).append(text)
    text = "".join([*head, *lines, *tables])
    return (text.removesuffix(newline) if rng.randrange(2) else text), meaning


def toml_server(rng: Random, name: str, server: Server, prefix: str, newline: str) -> tuple[bool, str]:
    """Whether it is a table of its own, and its lines."""
    key = toml_key(rng, name)
    members = [
        (each, toml_array(rng, value, newline) if isinstance(value, list) else toml_string(rng, value))
        for each, value in server.meaning.items()
        if each != "env"
    ]
    env = [(toml_key(rng, each), toml_string(rng, value)) for each, value in server.env.items()]
    both = [*members, ("env", "{ " + ", ".join(f"{a} = {b}" for a, b in env) + " }")] if env else members
    space, tail = rng.choice(["", " "]), rng.choice(["", "  ", ' # c = ["x"]']) + newline
    form = rng.choice(["table", "inline", "dotted"])
    if form == "inline":
        return False, f"{prefix}{key} = {{{space}" + ", ".join(
            f"{a} = {b}" for a, b in both
        ) + f"{space}}}{tail}"
    if form == "dotted":
        return False, "".join(f"{prefix}{key}{space}.{a}{space}={space}{b}{tail}" for a, b in both)
    indent, split = rng.choice(["", "  ", "\t"]), rng.randrange(2)
    lines = [f"[mcp_servers.{key}]{tail}"]
    lines += [f"{indent}{toml_key(rng, a)}{space}={space}{b}{tail}" for a, b in (members if split else both)]
    if env and split:
        lines += [f"[mcp_servers . {key}.env]{newline}", *(f"{a} = {b}{newline}" for a, b in env)]
    return True, "".join(lines)


def yaml_string(rng: Random, text: str) -> str:
    """A string on one line: quoted, or plain where that means the same."""
    how = rng.choice(["double", "single", "plain"])
    if how == "single" and text.isprintable():
        return "'" + text.replace("'", "''") + "'"
    if how == "plain" and text.isascii() and text.replace("-", "").isalnum() and text[0].isalpha():
        return text if text.lower() not in _NOT_STRINGS else f'"{text}"'
    return yaml_quoted(text)


def yaml_quoted(text: str) -> str:
    """A double-quoted string, with escapes for whatever is not ASCII."""
    return json.dumps(text) if all(ord(letter) < 0x10000 for letter in text) else toml_escaped(text)


_NOT_STRINGS = ("true", "false", "null", "y", "n", "yes", "no", "on", "off")


@st.composite
def yaml_configuration(draw: st.DrawFn, *, by_name: bool) -> tuple[str, Any]:
    """A file, and what it means: of Goose, or with ``by_name`` of Continue."""
    servers, rng = draw(CONFIGURATIONS), draw(LAYOUTS)
    newline, step = rng.choice(["\n", "\r\n"]), rng.choice([" ", "  ", "    "])
    keys = {} if by_name else {"command": "cmd", "env": "envs"}
    lines = ["# first", f"{'mcpServers' if by_name else 'extensions'}:{rng.choice(YAML_COMMENTS)}"]
    meaning = {}
    for name, server in servers.items():
        entry = {keys.get(key, key): value for key, value in server.meaning.items()}
        entry = {"name": name, **entry} if by_name else entry
        meaning[name] = entry
        if rng.randrange(3) == 0:
            inline = flow(rng, entry)
            lines.append(f"{step}- {inline}" if by_name else f"{step}{yaml_quoted(name)}: {inline}")
        elif by_name:
            body = yaml_block(rng, entry, step)
            lines += [f"{step}{'  ' if at else '- '}{line}".rstrip() for at, line in enumerate(body)]
        else:
            lines.append(f"{step}{yaml_quoted(name)}:{rng.choice(YAML_COMMENTS)}")
            lines += [f"{step}{step}{line}".rstrip() for line in yaml_block(rng, entry, step)]
    return newline.join(lines) + rng.choice(["", newline]), meaning


YAML_COMMENTS = ("", "", "  # it's: [", " # - x")


def yaml_block(rng: Random, entry: dict[str, Any], step: str) -> list[str]:
    """The lines of an entry, each member on its own."""
    body: list[str] = []
    for key, value in entry.items():
        if isinstance(value, list) and value and rng.randrange(2):
            inner = rng.choice(["", step])
            body.append(f"{key}:{rng.choice(YAML_COMMENTS)}")
            body += [f"{inner}- {yaml_string(rng, word)}{rng.choice(YAML_COMMENTS)}" for word in value]
        else:
            body.append(f"{key}: {flow(rng, value)}{rng.choice(YAML_COMMENTS)}")
        body += rng.choice([[], [], ["# own line"], [""]])
    return body


def flow(rng: Random, value: Any) -> str:
    """A value in one line."""
    if isinstance(value, list):
        return "[" + ", ".join(yaml_string(rng, each) for each in value) + rng.choice(["]", " ]"])
    if isinstance(value, dict):
        return "{" + ", ".join(f"{key}: {flow(rng, each)}" for key, each in value.items()) + "}"
    return yaml_string(rng, value)
