"""A whole text edited, and proven before anybody writes it: pure.

The proof does not trust what has made the edit. The new text is read again: the entries have to start what
they are meant to start, everything else has to mean what it meant, and where the tap was put in, taking
it out has to give the old text back, to the last character.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from mcp_tap.clients.entry import (
    CommandSlot,
    Edit,
    EntryRefusal,
    apply,
    command_slot,
    unwrap_edits,
    wrap_edits,
)  # fmt: skip
from mcp_tap.clients.formats import parse
from mcp_tap.clients.known import Client, EntryShape
from mcp_tap.clients.tree import ConfigError, Format, KeyPath, Node, nodes_at, walk
from mcp_tap.clients.wrapped_command import read_wrapped


@dataclass(frozen=True, slots=True)
class ServerEntry:
    """A server's entry. ``path`` leads to it from the root; ``slot`` is where it has its command line."""

    name: str
    path: KeyPath
    node: Node
    slot: CommandSlot | EntryRefusal

    @property
    def is_wrapped(self) -> bool:
        """Whether the tap is in it."""
        return isinstance(self.slot, CommandSlot) and read_wrapped(self.slot.argv) is not None

    @property
    def sure_slot(self) -> CommandSlot:
        """The slot of an entry that has one: those that have none are refused before they are edited."""
        assert isinstance(self.slot, CommandSlot)
        return self.slot


def entries(root: Node, keys: Sequence[str], client: Client) -> list[ServerEntry]:
    """The servers in the map at ``keys``. Raises :class:`ConfigError` where it is there twice."""
    found: list[ServerEntry] = []
    for path, node in walk(root, keys):
        named = list(_named(node, path, client))
        names = Counter(name for name, _, _ in named)
        for name, below, each in named:
            slot = _slot(each, client.shapes)
            if names[name] > 1:
                slot = EntryRefusal("duplicate", "appears twice under the same name")
            found.append(ServerEntry(name, below, each, slot))
    return found


def _named(node: Node, path: tuple[str, ...], client: Client) -> Iterator[tuple[str, KeyPath, Node]]:
    for member in node.members():
        yield member.key, (*path, member.key), member.node
    layout = node.list_layout() if client.by_name else None
    for number, item in enumerate(layout.items if layout else ()):
        name = next((each.node.value for each in item.node.members() if each.key == "name"), None)
        if isinstance(name, str):
            yield name, (*path, number), item.node


def _slot(node: Node, shapes: Sequence[EntryShape]) -> CommandSlot | EntryRefusal:
    try:
        return command_slot(node, shapes)
    except ConfigError as error:
        return EntryRefusal("duplicate", str(error))


@dataclass(frozen=True, slots=True)
class EditedText:
    """A text before and after, and what makes the one of the other."""

    before: str
    after: str
    edits: tuple[Edit, ...]
    roots: tuple[Node, Node]


def wrap(
    text: str,
    form: Format,
    chosen: Sequence[ServerEntry],
    tap: Sequence[str],
    options: Mapping[str, str],
    root: Node,
    own_options: Mapping[KeyPath, Mapping[str, str]] | None = None,
) -> EditedText:
    """``text`` with the tap in the ``chosen`` entries of ``root``; some may have ``own_options`` instead.

    Raises :class:`ConfigError` where it cannot be proven that the tap can be taken out again without a trace.
    """
    edits: list[Edit] = []
    for entry in chosen:
        given = (own_options or {}).get(entry.path, options)
        edits += wrap_edits(text, entry.sure_slot, tap, entry.name, given)
    edited = _with_edits(text, form, edits, root)
    back: list[Edit] = []
    for entry, node in _in_new_text(edited, chosen):
        slot = _slot_in_new_text(edited, entry, node)
        wrapped = read_wrapped(slot.argv)
        out = unwrap_edits(edited.after, slot)
        if (
            wrapped is None
            or isinstance(out, EntryRefusal)
            or [*wrapped.tap, *wrapped.server] != [*tap, *entry.sure_slot.argv]
        ):
            raise _unproven(entry)
        back += out
    if apply(edited.after, back) != text:
        raise _unproven(chosen[0])
    _prove_rest_untouched(edited, chosen)
    return edited


def unwrap(text: str, form: Format, chosen: Sequence[ServerEntry], root: Node) -> EditedText:
    """``text`` with the tap taken out of the ``chosen`` entries of ``root``. Raises :class:`ConfigError`."""
    edits: list[Edit] = []
    for entry in chosen:
        out = unwrap_edits(text, entry.sure_slot)
        if isinstance(out, EntryRefusal):
            raise ConfigError(f"cannot be edited: {entry.name} {out}")
        edits += out
    edited = _with_edits(text, form, edits, root)
    for entry, node in _in_new_text(edited, chosen):
        wrapped = read_wrapped(entry.sure_slot.argv)
        if wrapped is None or _slot_in_new_text(edited, entry, node).argv != list(wrapped.server):
            raise _unproven(entry)
    _prove_rest_untouched(edited, chosen)
    return edited


def rewrap(
    text: str,
    form: Format,
    chosen: Sequence[ServerEntry],
    tap: Sequence[str],
    options: Mapping[str, str],
    root: Node,
    own_options: Mapping[KeyPath, Mapping[str, str]],
) -> EditedText:
    """As :func:`wrap`, where some entries have a tap in them that is to be replaced."""
    old = [entry for entry in chosen if entry.is_wrapped]
    if not old:
        return wrap(text, form, chosen, tap, options, root)
    without = unwrap(text, form, old, root)
    bare = [
        replace(entry, node=node or entry.node, slot=_slot_in_new_text(without, entry, node))
        for entry, node in _in_new_text(without, chosen)
    ]
    anew = wrap(without.after, form, bare, tap, options, without.roots[1], own_options)
    return _as_one(without, anew)


def _as_one(first: EditedText, second: EditedText) -> EditedText:
    """Two edits of which the second goes on where the first has ended: all between their ends is new."""
    start = min(each.edits[0].start for each in (first, second))
    rest = min(len(each.before) - max(edit.end for edit in each.edits) for each in (first, second))
    edit = Edit(start, len(first.before) - rest, second.after[start : len(second.after) - rest])
    return EditedText(first.before, second.after, (edit,), (first.roots[0], second.roots[1]))


def _with_edits(text: str, form: Format, edits: Sequence[Edit], root: Node) -> EditedText:
    after = apply(text, edits)
    return EditedText(
        text, after, tuple(sorted(edits, key=lambda edit: edit.start)), (root, parse(after, form))
    )


def _in_new_text(
    edited: EditedText, chosen: Sequence[ServerEntry]
) -> Iterator[tuple[ServerEntry, Node | None]]:
    return zip(chosen, nodes_at(edited.roots[1], [entry.path for entry in chosen]), strict=True)


def _slot_in_new_text(edited: EditedText, entry: ServerEntry, node: Node | None) -> CommandSlot:
    slot = command_slot(node, [entry.sure_slot.shape]) if node else None
    if not isinstance(slot, CommandSlot):
        raise _unproven(entry)
    return slot


def _prove_rest_untouched(edited: EditedText, chosen: Sequence[ServerEntry]) -> None:
    holders = {(*entry.path, *entry.sure_slot.shape.holder): entry.sure_slot.shape for entry in chosen}
    before, after = (_without_commands(root.value, _by_first_key(holders)) for root in edited.roots)
    if before != after:
        raise _unproven(chosen[0])


_Holders = dict[str | int, Any]
"""Where entries hold their commands, by the keys that lead there; at the end is the shape."""


def _by_first_key(holders: Mapping[KeyPath, EntryShape]) -> _Holders:
    found: _Holders = {}
    for path, shape in holders.items():
        at = found
        for key in path[:-1]:
            at = at.setdefault(key, {})
        at[path[-1]] = shape
    return found


def _without_commands(value: Any, holders: _Holders | EntryShape) -> Any:
    """``value`` without the commands and arguments; all in one pass, for there may be thousands."""
    if isinstance(holders, EntryShape):
        return {key: each for key, each in value.items() if key not in (holders.command, holders.args)}
    members = enumerate(value) if isinstance(value, list) else value.items()
    return {key: _without_commands(each, holders[key]) if key in holders else each for key, each in members}


def replaced_at(value: Any, path: KeyPath, change: Callable[[Any], Any]) -> Any:
    """``value`` with what lies at ``path`` replaced by what ``change`` makes of it; the rest is shared."""
    if not path:
        return change(value)
    if isinstance(value, list):
        return [
            replaced_at(each, path[1:], change) if at == path[0] else each for at, each in enumerate(value)
        ]
    return {
        key: replaced_at(each, path[1:], change) if key == path[0] else each for key, each in value.items()
    }


def _unproven(entry: ServerEntry) -> ConfigError:
    return ConfigError(f"is written in a form in which {entry.name!r} cannot be edited safely")
