"""What of a configuration may be shown, and a change of it as a unified diff of that: pure.

Whatever is not known to be harmless is masked: every value but the command line of the entries that are
being changed (and there the words that look like secrets) and a few settings beside it, and every
comment, which may be a setting that somebody has switched off. Keys stay, and so do true, false and null.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher

from mcp_tap.clients.edit import EditedText, ServerEntry
from mcp_tap.clients.entry import EntryRefusal, command_slot, quote
from mcp_tap.clients.formats import tokens
from mcp_tap.clients.known import EntryShape
from mcp_tap.clients.tree import Format, Node, Token, nodes_at
from mcp_tap.record.argv_masking import MASK, mask_argv, may_be_secret

CONTEXT = 3
"""Lines around a change, as ``diff -u`` shows."""

LONG = 400
"""Characters from which a line is cut around its change: some clients write their file in one line."""

AROUND = 80
"""Characters that are kept on each side of the change in such a line."""

HARMLESS = frozenset(
    {"type", "name", "source", "cwd", "working_directory", "timeout", "disabled", "enabled", "transport",
     "startup_timeout_sec", "startup_timeout_ms", "tool_timeout_sec"}
)  # fmt: skip
_NEWLINE = re.compile("\n")
_LINE = re.compile("[^\n]*\n|[^\n]+")
"""Lines as they are counted here: what else is taken for the end of one may stand in a string."""

_CONSTANTS = frozenset({"true", "false", "null"})
_TRANSPORTS = frozenset({"stdio", "sse", "http", "streamable-http", "streamableHttp", "local", "remote"})
"""Values that every configuration has, whatever key they stand under."""

_OPENERS = ("//", "/*", "#")

Shown = dict[tuple[int, int], str]
"""Tokens that may be shown, by their position, and as what."""


def unified_diff(edited: EditedText, form: Format, chosen: Sequence[ServerEntry], name: str) -> list[str]:
    """The change of a file called ``name``, without line ends; not fit for ``patch`` where it is masked."""
    before = _Masked(edited.before, form, edited.roots[0], chosen)
    after = _Masked(edited.after, form, edited.roots[1], chosen)
    lines = [f"--- {name}", f"+++ {name}"]
    hunks = list(_hunks(edited, before, after))
    olds, news = before.blocks([hunk.old for hunk in hunks]), after.blocks([hunk.new for hunk in hunks])
    for hunk, old, new in zip(hunks, olds, news, strict=True):
        lines.append(f"@@ -{hunk.old[0] + 1},{len(old)} +{hunk.new[0] + 1},{len(new)} @@")
        lines += _changed(hunk, old, new)
    return lines


@dataclass(frozen=True, slots=True)
class _Hunk:
    """The line ranges that are to be shown, in both texts, and in them those that differ."""

    old: tuple[int, int]
    new: tuple[int, int]
    changes: list[list[int]]
    """First line and the one after the last, in the old text and in the new."""


class _Masked:
    """A text by lines, each of them masked when it is asked for."""

    def __init__(self, text: str, form: Format, root: Node, chosen: Sequence[ServerEntry]) -> None:
        self.text = text
        shown: Shown = {}
        nodes = nodes_at(root, [entry.path for entry in chosen])
        for entry, node in zip(chosen, nodes, strict=True):
            if not isinstance(entry.slot, EntryRefusal):
                assert node is not None  # the edit has been proven
                shown |= _shown(node, entry.slot.shape)
        self.form, self.shown = form, shown
        self.starts = [0, *(match.end() for match in _NEWLINE.finditer(text))]

    @property
    def count(self) -> int:
        """How many lines there are."""
        return len(self.starts) - (self.starts[-1] == len(self.text))

    def line_at(self, at: int) -> int:
        """The line of an offset, counted from 0."""
        return bisect_right(self.starts, at) - 1

    def blocks(self, ranges: Sequence[tuple[int, int]]) -> list[list[str]]:
        """The lines of each range (its end excluded), with their ends; ``ranges`` are in order.

        Neighbours may share lines. The tokens of the text are gone through once for all of them.
        """
        found: list[list[str]] = []
        coming = iter(tokens(self.text, self.form))
        recent: list[Token] = []
        """Those that begin in the range before and reach into it or come after."""
        for start, end in ranges:
            begin = self.starts[start]
            stop = self.starts[end] if end < len(self.starts) else len(self.text)
            recent = [token for token in recent if token.end > begin]
            while not recent or recent[-1].start < stop:
                token = next(coming, None)
                if token is None:
                    break
                if token.end > begin:
                    recent.append(token)
            found.append(self._masked(begin, stop, recent))
        return found

    def _masked(self, begin: int, stop: int, within: Iterable[Token]) -> list[str]:
        parts, at = [], begin
        for token in within:
            first, last = max(token.start, begin), min(token.end, stop)
            if first < last and (mask := _mask(self.text, token, self.shown)):
                parts += [self.text[at:first], mask, "\n" * self.text.count("\n", first, last)]
                at = last
        return _LINE.findall("".join([*parts, self.text[at:stop]]))


def _shown(entry: Node, shape: EntryShape) -> Shown:
    slot = command_slot(entry, [shape])
    assert not isinstance(slot, EntryRefusal)
    nodes = [slot.command] if slot.command else []
    nodes += [item.node for item in slot.words.items] if slot.words else []
    shown = {
        (node.start, node.end): "" if word == node.value else quote(word)
        for node, word in zip(nodes, mask_argv(slot.argv), strict=True)
    }
    for member in entry.members():
        if member.key in HARMLESS and member.node.kind in ("string", "other"):
            shown[member.node.start, member.node.end] = ""
    return shown


def _mask(text: str, token: Token, shown: Shown) -> str:
    """What stands for a token; empty where it stands for itself."""
    raw = text[token.start : token.end]
    if token.kind == "key" or raw in _CONSTANTS:
        return ""
    word = raw.strip("\"'")
    if word in _TRANSPORTS or not may_be_secret(word):
        return ""
    if token.kind == "comment":
        return next(opener for opener in _OPENERS if raw.startswith(opener)) + f" {MASK}"
    return shown.get((token.start, token.end), f'"{MASK}"')


def _hunks(edited: EditedText, before: _Masked, after: _Masked) -> Iterator[_Hunk]:
    """The changes with what is around them."""
    groups: list[list[list[int]]] = []
    shift = 0
    for edit in edited.edits:
        new_start = edit.start + shift
        shift += len(edit.new) - (edit.end - edit.start)
        old = before.line_at(edit.start), before.line_at(edit.end) + 1
        new = after.line_at(new_start), after.line_at(edit.end + shift) + 1
        last = groups[-1][-1] if groups else None
        if last and (old[0] <= last[1] or new[0] <= last[3]):
            last[1], last[3] = old[1], new[1]
        elif last and old[0] <= last[1] + 2 * CONTEXT:
            groups[-1].append([*old, *new])
        else:
            groups.append([[*old, *new]])
    for changes in groups:
        (start, _, new_start, _), (_, end, _, new_end) = changes[0], changes[-1]
        above = min(CONTEXT, start, new_start)
        below = max(0, min(CONTEXT, before.count - end, after.count - new_end))
        yield _Hunk((start - above, end + below), (new_start - above, new_end + below), changes)


def _changed(hunk: _Hunk, old: list[str], new: list[str]) -> Iterator[str]:
    """The lines of a hunk. Only where it differs is it compared, which takes the square of the lines."""
    at = 0
    for start, end, new_start, new_end in hunk.changes:
        begin, stop = start - hunk.old[0], end - hunk.old[0]
        yield from (_line(" ", line, "") for line in old[at:begin])
        yield from _compared(old[begin:stop], new[new_start - hunk.new[0] : new_end - hunk.new[0]])
        at = stop
    yield from (_line(" ", line, "") for line in old[at:])


def _compared(old: list[str], new: list[str]) -> Iterator[str]:
    for kind, a, b, c, d in SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        if kind == "equal":
            yield from (_line(" ", line, "") for line in old[a:b])
            continue
        partners = [*new[c:d], *[""] * (b - a)], [*old[a:b], *[""] * (d - c)]
        for sign, lines, others in (("-", old[a:b], partners[0]), ("+", new[c:d], partners[1])):
            yield from (_line(sign, line, other) for line, other in zip(lines, others, strict=False))
            if lines and not lines[-1].endswith("\n"):
                yield "\\ No newline at end of file"


def _line(sign: str, line: str, partner: str) -> str:
    line = line.rstrip("\r\n")
    if len(line) <= LONG:
        return sign + line
    partner = partner.rstrip("\r\n")
    first = _alike(line, partner)
    last = _alike(line[:first:-1], partner[:first:-1])
    start, end = max(0, first - AROUND), min(len(line), len(line) - last + AROUND)
    if sign == " ":
        start, end = 0, AROUND
    return sign + ("…" if start else "") + line[start:end] + ("…" if end < len(line) else "")


def _alike(one: str, other: str) -> int:
    """How many letters two texts have in common at their beginning."""
    low, high = 0, min(len(one), len(other))
    while low < high:  # by halves: a line may have millions
        middle = (low + high + 1) // 2
        low, high = (middle, high) if one[low:middle] == other[low:middle] else (low, middle - 1)
    return low
