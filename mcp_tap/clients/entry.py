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
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from mcp_tap.clients.known import Shape
from mcp_tap.clients.tree import Gap, Listing, Member, Node, member_of

DISTRIBUTION = "mcp-tap-recorder"
COMMAND = "mcp-tap"
MODULE = "mcp_tap"

Reason = Literal[
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

NOTHING_TO_WRAP: frozenset[Reason] = frozenset({"remote", "extension", "disabled", "managed"})
"""Reasons that are nobody's mistake: who asks for all servers does not mean these."""

_REMOTE_KEYS = ("url", "httpUrl", "serverUrl", "uri")
_REMOTE_TYPES = frozenset({"http", "sse", "streamablehttp", "remote", "ws", "websocket"})
_EXTENSION_TYPES = frozenset({"builtin", "platform", "frontend", "inlinepython", "extension"})

_PYTHON = re.compile(r"^(?:python|pypy|py)[\d.]*w?$")
_PYTHON_FLAG = re.compile(r"^-(?:[bBdEiIOPqsSuvx]+|[XW].+|\d[\d.-]*|V:.+)$")
_PYTHON_FLAG_WITH_VALUE = frozenset({"-X", "-W"})
_PROGRAM = re.compile(r"\.(?:exe|cmd|bat|pyz|pex)$")
_RUNNERS = frozenset({"uvx", "uv", "pipx"})


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why an entry is left alone: ``str()`` is a clause that follows its name."""

    reason: Reason
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
class Seat:
    """Where an entry has its command line.

    ``command`` is the program's node; ``words`` the list of its arguments, None where there is no such
    key. Where ``command`` is None, ``words`` is the whole command line.
    """

    words: Listing | None
    shape: Shape
    command: Node | None = None
    gap: Gap | None = None
    removal: tuple[int, int] | None = None

    @property
    def argv(self) -> list[str]:
        """The command line, as it is."""
        items = [item.node.value for item in self.words.items] if self.words else []
        return [*([self.command.value] if self.command else []), *items]


@dataclass(frozen=True, slots=True)
class Tapped:
    """A command line with the tap in it: its own words, the options of ``run``, the server's command."""

    tap: tuple[str, ...]
    options: Mapping[str, str]
    is_joined: bool
    server: tuple[str, ...]


def seat_of(entry: Node, shapes: Sequence[Shape]) -> Seat | Refusal:
    """Where ``entry`` has its command line. Raises :class:`mcp_tap.clients.tree.Broken` for a key twice."""
    if entry.kind != "map":
        return Refusal("shape", "is no table of settings")
    for shape in shapes:
        holder = entry
        if shape.inside is not None:
            inner = member_of(entry, shape.inside)
            if inner is None or inner.node.kind != "map":
                continue
            holder = inner.node
        command = member_of(holder, shape.command)
        if command is not None and command.node.kind == ("string" if shape.args else "list"):
            return _seat(command, member_of(holder, shape.args) if shape.args else None, shape)
    return _no_seat(entry)


def _seat(command: Member, args: Member | None, shape: Shape) -> Seat | Refusal:
    if not shape.args:
        return _checked(Seat(command.node.listing(), shape))
    if args is None:
        return _checked(Seat(None, shape, command.node, command.gap))
    if args.node.kind != "list":
        return Refusal("shape", "has arguments that are no list of words")
    return _checked(Seat(args.node.listing(), shape, command.node, command.gap, args.removal))


def _checked(seat: Seat) -> Seat | Refusal:
    if seat.words and any(item.node.kind != "string" for item in seat.words.items):
        return Refusal("shape", "has arguments that are no words")
    if seat.words and not seat.words.is_usual:
        return Refusal("shape", "has arguments in a form that cannot be edited with certainty")
    if not seat.argv or not seat.argv[0]:
        return Refusal("shape", "has an empty command")
    return seat


def _no_seat(entry: Node) -> Refusal:
    value = entry.value
    if remote := remote_of(value):
        return remote
    kind = str(value.get("type", "")).lower().replace("_", "").replace("-", "")
    if "settings" in value or value.get("source") == "extension" or kind in _EXTENSION_TYPES:
        return Refusal("extension", "comes with an extension or the client itself: it has no command to wrap")
    return Refusal("shape", "has no command that this client would run")


def remote_of(value: Mapping[str, Any]) -> Refusal | None:
    """Whether an entry is reached over the network, whatever else it holds."""
    inner = value.get("transport")
    for each in (value, inner if isinstance(inner, dict) else {}):
        key = next((key for key in _REMOTE_KEYS if each.get(key)), None)
        kind = str(each.get("type", ""))
        if key or kind.lower().replace("_", "").replace("-", "") in _REMOTE_TYPES:
            how = key or f"type {kind}"
            return Refusal("remote", f"is reached over the network ({how}), and the tap records stdio only")
    return None


def is_disabled(value: Mapping[str, Any]) -> bool:
    """Whether the entry itself says that its client is not to start it."""
    return value.get("disabled") is True or value.get("enabled") is False


def objection(
    value: Mapping[str, Any], seat: Seat, *, even_disabled: bool, is_file: bool, expands_command: bool
) -> Refusal | None:
    """Why an entry with a command line is better not wrapped.

    ``is_file``: the command, as one word, names a file. ``expands_command``: the client expands ``~``
    and ``$NAME`` in the command alone.
    """
    program = seat.argv[0]
    if remote := remote_of(value):
        return remote
    if value.get("remote") is True or value.get("experimental_environment") == "remote":  # Zed, Codex
        return Refusal("remote", "runs on another machine, where this tap is not")
    if is_disabled(value) and not even_disabled:
        return Refusal("disabled", "is disabled; --disabled wraps it all the same")
    if any(letter.isspace() for letter in program) and not is_file:
        return Refusal(
            "one string", "has its whole command line in one string: move its words to the arguments"
        )
    if isinstance(dev := value.get("dev"), dict) and dev.get("debug"):
        return Refusal("debug", "is set up for the debugger (dev.debug), which looks at the command itself")
    if expands_command and (program.startswith("~") or "$" in program):
        return Refusal(
            "expansion", "has a ~ or $ that its client expands in the command only: write the path out"
        )
    if not can_move(seat):
        return Refusal("shape", CANNOT_MOVE)
    return None


def caution(value: Mapping[str, Any], log_dir: str) -> str | None:
    """What else the user has to see to for the tap to record; a clause."""
    if value.get("sandboxEnabled") is True:
        return f"runs in a sandbox: let it write to {log_dir} (filesystem.allowWrite), or nothing is recorded"
    return None


CANNOT_MOVE = "has a command in a form that cannot be moved as it is: write it as one word in quotes"


def can_move(seat: Seat) -> bool:
    """Whether the command's raw token can be where the arguments are."""
    if seat.command is None or seat.command.movable == "anywhere":
        return True
    return seat.command.movable == "blocks" and seat.words is not None and seat.words.is_block


def read_tapped(argv: Sequence[str]) -> Tapped | None:
    """What ``argv`` says if it starts the tap: as ``mcp-tap`` or ``mcp-tap.exe`` anywhere, by Python's
    ``-m mcp_tap`` or from an archive ``mcp-tap.pyz``, or by uv or pipx from its distribution; else None.

    As ``run`` reads its options: all of them have a value, which may be joined to them.
    """
    at = _tap_length(argv)
    if at is None:
        return None
    tap, options, is_joined = tuple(argv[:at]), {}, False
    at += 1
    while at < len(argv) and argv[at].startswith("-") and argv[at] != "--":
        name, joined, value = argv[at].partition("=")
        if name == "--name":
            is_joined = bool(joined)
        options[name] = value if joined else argv[at + 1] if at + 1 < len(argv) else ""
        at += 1 if joined else 2
    if at < len(argv) and argv[at] == "--":
        at += 1
    return Tapped(tap, options, is_joined, tuple(argv[at:]))


def _tap_length(argv: Sequence[str]) -> int | None:
    """How many words come before ``run``."""
    first = base_name(argv[0])
    found: int | None = None
    if first == COMMAND:
        found = 1
    elif _PYTHON.match(first):
        at = 1
        while at < len(argv) and (argv[at] in _PYTHON_FLAG_WITH_VALUE or _PYTHON_FLAG.match(argv[at])):
            at += 2 if argv[at] in _PYTHON_FLAG_WITH_VALUE else 1
        if list(argv[at : at + 2]) == ["-m", MODULE]:
            found = at + 2
        elif at < len(argv) and base_name(argv[at]) == COMMAND:  # an archive, or the script itself
            found = at + 1
    elif first in _RUNNERS:
        at = next((at for at, word in enumerate(argv) if at and base_name(word) == COMMAND), 0)
        found = at + 1 if any(word.startswith(DISTRIBUTION) for word in argv[1:at]) else None
    return found if found is not None and found < len(argv) and argv[found] == "run" else None


def base_name(word: str) -> str:
    """A program's name without its directory, on any system, and without ``.exe`` and the like."""
    return _PROGRAM.sub("", re.split(r"[/\\]", word)[-1].lower())


def quote(word: str) -> str:
    """A printable word as JSON, TOML and YAML alike write it."""
    return json.dumps(word, ensure_ascii=False)


def label(name: str) -> str:
    """The entry's name as a value of ``--name``: printable, and nothing in it that a client expands."""
    cleaned = "".join(letter if letter.isprintable() and letter not in "$%{}" else "-" for letter in name)
    return cleaned if cleaned not in ("", "--") else "server"


def wrap_edits(
    text: str, seat: Seat, tap: Sequence[str], name: str, options: Mapping[str, str]
) -> list[Edit]:
    """What puts ``tap`` in front; ``options`` are those of ``run`` besides ``--name``.

    The caller has made sure that there is no :func:`objection`, and that all words are printable.
    """
    given = {"--name": label(name), **options}
    is_joined = seat.words is None
    pairs = [[f"{key}={value}"] if is_joined else [key, value] for key, value in given.items()]
    words = ["run", *(word for pair in pairs for word in pair), "--"]
    if seat.command is None:
        return [_in_front(seat.words, [quote(word) for word in (*tap, *words)])]
    command, gap = seat.command, seat.gap
    moved = [*(quote(word) for word in (*tap[1:], *words)), text[command.start : command.end]]
    replaced = Edit(command.start, command.end, quote(tap[0]))
    if seat.words is not None:
        return [replaced, _in_front(seat.words, moved)]
    assert gap is not None  # there is one behind every command
    return [replaced, Edit(gap.at, gap.at, gap.before + gap.between.join(moved) + gap.after)]


def _in_front(words: Listing | None, raw: list[str]) -> Edit:
    assert words is not None
    at = words.items[0].begin if words.items else words.inside
    return Edit(at, at, words.opener + words.between.join(raw) + words.last)


def unwrap_edits(text: str, seat: Seat) -> list[Edit] | Refusal:
    """What takes the tap out again, whoever has put it in; one layer of it where there are several."""
    tapped = read_tapped(seat.argv)
    if tapped is None:
        return Refusal("not wrapped", "is not wrapped")
    words = seat.words
    if not tapped.server or words is None:
        return Refusal("shape", "has the tap for its command, but no server's command behind it")
    first = len(words.items) - len(tapped.server)
    begin = words.items[0].begin
    if seat.command is None:
        return [Edit(begin, words.items[first].begin, "")]
    node = words.items[first].node
    raw = text[node.start : node.end]
    if node.movable == "nowhere":
        if raw[:1] in ("!", "&", "*"):
            return Refusal("shape", CANNOT_MOVE)
        raw = quote(node.value)  # its client has folded it: it is not as it was anyway
    restored = Edit(seat.command.start, seat.command.end, raw)
    if first + 1 < len(words.items):
        return [restored, Edit(begin, words.items[first + 1].begin, "")]
    if tapped.is_joined and seat.removal is not None:
        return [restored, Edit(*seat.removal, "")]
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
