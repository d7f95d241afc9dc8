"""The tap put into an entry and taken out again: pure, and inverse to each other.

Nothing is written anew. The raw token of the old command moves, as it stands, to the arguments, behind
``run --name NAME --log-dir DIR --``, and the tap takes its place; the way back is the same splice read
backwards. So the entry says by itself, in its command and arguments alone (clients drop other keys and
hide the environment), how it was before, and a client may have rewritten the whole file in between.

One thing would be lost: whether an entry had no arguments or an empty list of them. So the options are
joined (``--name=NAME``) where there was none.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from mcp_tap.clients.known import EntryShape
from mcp_tap.clients.one_string import is_one_string
from mcp_tap.clients.tree import InsertPoint, ListLayout, Member, Node, member_of
from mcp_tap.clients.wrapped_command import read_wrapped

RefusalReason = Literal[
    "remote",
    "extension",
    "disabled",
    "shape",
    "one string",
    "debug",
    "expansion",
    "duplicate",
    "not wrapped",
    "managed",
]

NOTHING_TO_WRAP: frozenset[RefusalReason] = frozenset({"remote", "extension", "disabled", "managed"})
"""Reasons that are nobody's mistake: who asks for all servers does not mean these."""

_REMOTE_KEYS = ("url", "httpUrl", "serverUrl", "uri")
_REMOTE_TYPES = frozenset({"http", "sse", "streamablehttp", "remote", "ws", "websocket"})
_EXTENSION_TYPES = frozenset({"builtin", "platform", "frontend", "inlinepython", "extension"})


@dataclass(frozen=True, slots=True)
class EntryRefusal:
    """Why an entry is left alone: ``str()`` is a clause that follows its name."""

    reason: RefusalReason
    clause: str

    def __str__(self) -> str:
        return self.clause


@dataclass(frozen=True, slots=True)
class Edit:
    """``text[start:end]`` becomes ``new``."""

    start: int
    end: int
    new: str


@dataclass(frozen=True, slots=True)
class CommandSlot:
    """Where an entry has its command line.

    ``command`` is the program's node; ``words`` the list of its arguments, None where there is no such
    key. Where ``command`` is None, ``words`` is the whole command line.
    """

    words: ListLayout | None
    shape: EntryShape
    command: Node | None = None
    insert_point: InsertPoint | None = None
    removal: tuple[int, int] | None = None

    @property
    def argv(self) -> list[str]:
        """The command line, as it is."""
        items = [item.node.value for item in self.words.items] if self.words else []
        return [*([self.command.value] if self.command else []), *items]


def command_slot(entry: Node, shapes: Sequence[EntryShape]) -> CommandSlot | EntryRefusal:
    """Where ``entry`` has its command line. Raises :class:`.tree.ConfigError` for a key twice."""
    if entry.kind != "map":
        return EntryRefusal("shape", "is not a table of settings")
    for shape in shapes:
        holder = entry
        if shape.inside is not None:
            inner = member_of(entry, shape.inside)
            if inner is None or inner.node.kind != "map":
                continue
            holder = inner.node
        command = member_of(holder, shape.command)
        if command is not None and command.node.kind == ("string" if shape.args else "list"):
            return _slot(command, member_of(holder, shape.args) if shape.args else None, shape)
    return _no_slot(entry)


def _slot(command: Member, args: Member | None, shape: EntryShape) -> CommandSlot | EntryRefusal:
    if not shape.args:
        return _checked_slot(CommandSlot(command.node.list_layout(), shape))
    if args is None:
        return _checked_slot(CommandSlot(None, shape, command.node, command.insert_point))
    if args.node.kind != "list":
        return EntryRefusal("shape", "has arguments that are not a list")
    return _checked_slot(
        CommandSlot(args.node.list_layout(), shape, command.node, command.insert_point, args.removal)
    )


def _checked_slot(slot: CommandSlot) -> CommandSlot | EntryRefusal:
    if slot.words and any(item.node.kind != "string" for item in slot.words.items):
        return EntryRefusal("shape", "has arguments that are not strings")
    if slot.words and not slot.words.is_usual:
        return EntryRefusal("shape", "has arguments in a form that cannot be edited safely")
    if not slot.argv or not slot.argv[0]:
        return EntryRefusal("shape", "has an empty command")
    return slot


def _no_slot(entry: Node) -> EntryRefusal:
    value = entry.value
    if remote := remote_of(value):
        return remote
    if "settings" in value or value.get("source") == "extension" or _plain_type(value) in _EXTENSION_TYPES:
        return EntryRefusal(
            "extension", "is part of an extension or of the client itself, and has no command to wrap"
        )
    return EntryRefusal("shape", "has no command that this client can run")


def remote_of(value: Mapping[str, Any]) -> EntryRefusal | None:
    """Whether an entry is reached over the network, whatever else it holds."""
    inner = value.get("transport")
    for each in (value, inner if isinstance(inner, dict) else {}):
        key = next((key for key in _REMOTE_KEYS if each.get(key)), None)
        if key or _plain_type(each) in _REMOTE_TYPES:
            how = key or f"type {each['type']}"
            return EntryRefusal(
                "remote", f"is reached over the network ({how}); the tap only records stdio servers"
            )
    return None


def _plain_type(value: Mapping[str, Any]) -> str:
    return str(value.get("type", "")).lower().replace("_", "").replace("-", "")


def is_disabled(value: Mapping[str, Any]) -> bool:
    """Whether the entry itself says that its client is not to start it."""
    return value.get("disabled") is True or value.get("enabled") is False


def wrap_refusal(
    value: Mapping[str, Any], slot: CommandSlot, *, with_disabled: bool, is_file: bool, expands_command: bool
) -> EntryRefusal | None:
    """Why an entry with a command line is better not wrapped.

    ``is_file``: the command, as one word, names a file. ``expands_command``: the client expands ``~``
    and ``$NAME`` in the command alone.
    """
    program = slot.argv[0]
    if remote := remote_of(value):
        return remote
    if value.get("remote") is True or value.get("experimental_environment") == "remote":  # Zed, Codex
        return EntryRefusal("remote", "runs on another machine, where this tap is not installed")
    if is_disabled(value) and not with_disabled:
        return EntryRefusal("disabled", "is disabled; use --disabled to wrap it anyway")
    if not is_file and is_one_string(slot.argv):
        return EntryRefusal(
            "one string", "has its whole command line in one string: move the arguments to the argument list"
        )
    if isinstance(dev := value.get("dev"), dict) and dev.get("debug"):
        return EntryRefusal(
            "debug", "is set up for debugging (dev.debug), and the debugger needs the original command"
        )
    if expands_command and (program.startswith("~") or "$" in program):
        return EntryRefusal(
            "expansion", "has a ~ or $ that the client expands only in the command: write the full path"
        )
    if not can_move(slot):
        return EntryRefusal("shape", CANNOT_MOVE)
    return None


def wrap_warning(value: Mapping[str, Any], log_dir: str) -> str | None:
    """What else the user has to see to for the tap to record; a clause."""
    if value.get("sandboxEnabled") is True:
        allow = f"allow it to write to {log_dir} (filesystem.allowWrite)"
        return f"runs in a sandbox: {allow}, or nothing is recorded"
    return None


CANNOT_MOVE = "has a command in a form that cannot be moved: write it as one quoted string"


def can_move(slot: CommandSlot) -> bool:
    """Whether the command's raw token can be where the arguments are."""
    if slot.command is None or slot.command.movable == "anywhere":
        return True
    return slot.command.movable == "blocks" and slot.words is not None and slot.words.is_block


def quote(word: str) -> str:
    """A printable word as JSON, TOML and YAML alike write it."""
    return json.dumps(word, ensure_ascii=False)


def label(name: str) -> str:
    """The entry's name as a value of ``--name``: printable, and nothing in it that a client expands."""
    cleaned = "".join(letter if letter.isprintable() and letter not in "$%{}" else "-" for letter in name)
    return cleaned if cleaned not in ("", "--") else "server"


def wrap_edits(
    text: str, slot: CommandSlot, tap: Sequence[str], name: str, options: Mapping[str, str]
) -> list[Edit]:
    """What puts ``tap`` in front; ``options`` are those of ``run`` besides ``--name``.

    The caller has made sure that there is no :func:`wrap_refusal`, and that all words are printable.
    """
    given = {"--name": label(name), **options}
    is_joined = slot.words is None
    pairs = [[f"{key}={value}"] if is_joined else [key, value] for key, value in given.items()]
    words = ["run", *(word for pair in pairs for word in pair), "--"]
    if slot.command is None:
        return [_prepended(slot.words, [quote(word) for word in (*tap, *words)])]
    command, insert_point = slot.command, slot.insert_point
    moved = [*(quote(word) for word in (*tap[1:], *words)), text[command.start : command.end]]
    replaced = Edit(command.start, command.end, quote(tap[0]))
    if slot.words is not None:
        return [replaced, _prepended(slot.words, moved)]
    assert insert_point is not None  # there is one behind every command
    return [
        replaced,
        Edit(
            insert_point.at,
            insert_point.at,
            insert_point.before + insert_point.between.join(moved) + insert_point.after,
        ),
    ]


def _prepended(words: ListLayout | None, raw: list[str]) -> Edit:
    assert words is not None
    at = words.items[0].begin if words.items else words.inside
    return Edit(at, at, words.opener + words.between.join(raw) + words.last)


def unwrap_edits(text: str, slot: CommandSlot) -> list[Edit] | EntryRefusal:
    """What takes the tap out again, whoever has put it in; one layer of it where there are several."""
    wrapped = read_wrapped(slot.argv)
    if wrapped is None:
        return EntryRefusal("not wrapped", "is not wrapped")
    words = slot.words
    if not wrapped.server or words is None:
        return EntryRefusal("shape", "starts the tap, but without a server command")
    first = len(words.items) - len(wrapped.server)
    begin = words.items[0].begin
    if slot.command is None:
        return [Edit(begin, words.items[first].begin, "")]
    node = words.items[first].node
    raw = text[node.start : node.end]
    if node.movable == "nowhere":
        if raw[:1] in ("!", "&", "*"):
            return EntryRefusal("shape", CANNOT_MOVE)
        raw = quote(node.value)  # its client has folded it: it is not as it was anyway
    restored = Edit(slot.command.start, slot.command.end, raw)
    if first + 1 < len(words.items):
        return [restored, Edit(begin, words.items[first + 1].begin, "")]
    if wrapped.is_joined and slot.removal is not None:
        return [restored, Edit(*slot.removal, "")]
    if words.is_block:  # an empty list that its client has written anew, with the tap in it
        key = len(text[:begin].rstrip())
        end = len(text[: words.tail].rstrip())
        return [restored, Edit(key if text[key - 1] == ":" else begin, end, " []")]
    return [restored, Edit(begin, words.tail, "")]


def apply(text: str, edits: Iterable[Edit]) -> str:
    """``text`` with ``edits`` made; no two of them overlap."""
    parts, at = [], 0
    for edit in sorted(edits, key=lambda edit: (edit.start, edit.end)):
        parts += [text[at : edit.start], edit.new]
        at = edit.end
    return "".join([*parts, text[at:]])
