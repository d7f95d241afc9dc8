"""A whole text edited, and proven before anybody writes it: pure.

The proof does not trust what has made the edit. The new text is read again: the entries have to start what
they are meant to start, everything else has to mean what it meant, and where the tap was put in, taking
it out has to give the old text back, to the last character.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from mcp_tap.clients.entry import (
    Edit,
    Refusal,
    Seat,
    apply,
    read_tapped,
    seat_of,
    unwrap_edits,
    wrap_edits,
)  # fmt: skip
from mcp_tap.clients.formats import parse
from mcp_tap.clients.known import Client, Shape
from mcp_tap.clients.tree import Broken, Format, Node, walk

Path = tuple[str | int, ...]


@dataclass(frozen=True, slots=True)
class Entry:
    """A server's entry. ``path`` leads to it from the root; ``seat`` is where it has its command line."""

    name: str
    path: Path
    node: Node
    seat: Seat | Refusal

    @property
    def is_wrapped(self) -> bool:
        """Whether the tap is in it."""
        return isinstance(self.seat, Seat) and read_tapped(self.seat.argv) is not None


def entries(root: Node, keys: Sequence[str], client: Client) -> list[Entry]:
    """The servers in the map at ``keys``. Raises :class:`Broken` where it is there twice."""
    found: list[Entry] = []
    for path, node in walk(root, keys):
        named = list(_named(node, path, client))
        names = Counter(name for name, _, _ in named)
        for name, below, each in named:
            seat = _seat(each, client.shapes)
            if names[name] > 1:
                seat = Refusal("duplicate", "is there twice under the same name")
            found.append(Entry(name, below, each, seat))
    return found


def _named(node: Node, path: tuple[str, ...], client: Client) -> Iterator[tuple[str, Path, Node]]:
    for member in node.members():
        yield member.key, (*path, member.key), member.node
    listing = node.listing() if client.by_name else None
    for number, item in enumerate(listing.items if listing else ()):
        name = next((each.node.value for each in item.node.members() if each.key == "name"), None)
        if isinstance(name, str):
            yield name, (*path, number), item.node


def _seat(node: Node, shapes: Sequence[Shape]) -> Seat | Refusal:
    try:
        return seat_of(node, shapes)
    except Broken as error:
        return Refusal("duplicate", str(error))


@dataclass(frozen=True, slots=True)
class Edited:
    """A text before and after, and what makes the one of the other."""

    before: str
    after: str
    edits: tuple[Edit, ...]
    roots: tuple[Node, Node]


def wrap(
    text: str,
    form: Format,
    chosen: Sequence[Entry],
    tap: Sequence[str],
    options: Mapping[str, str],
    root: Node,
) -> Edited:
    """``text`` with the tap in the ``chosen`` entries of ``root``. Raises :class:`Broken` where it cannot be
    proven that the tap can be taken out of it again without a trace.
    """
    edits: list[Edit] = []
    for entry in chosen:
        assert isinstance(entry.seat, Seat)  # what has none is refused before
        edits += wrap_edits(text, entry.seat, tap, entry.name, options)
    edited = _made(text, form, edits, root)
    back: list[Edit] = []
    for entry in chosen:
        seat = _again(edited, entry)
        tapped = read_tapped(seat.argv)
        out = unwrap_edits(edited.after, seat)
        if (
            tapped is None
            or isinstance(out, Refusal)
            or [*tapped.tap, *tapped.server] != [*tap, *argv_of(entry)]
        ):
            raise _unproven(entry)
        back += out
    if apply(edited.after, back) != text:
        raise _unproven(chosen[0])
    _rest_is_untouched(edited, chosen)
    return edited


def unwrap(text: str, form: Format, chosen: Sequence[Entry], root: Node) -> Edited:
    """``text`` with the tap taken out of the ``chosen`` entries of ``root``. Raises :class:`Broken`."""
    edits: list[Edit] = []
    for entry in chosen:
        assert isinstance(entry.seat, Seat)  # or it would not be known to be wrapped
        out = unwrap_edits(text, entry.seat)
        if isinstance(out, Refusal):
            raise Broken(f"cannot be edited: {entry.name} {out}")
        edits += out
    edited = _made(text, form, edits, root)
    for entry in chosen:
        tapped = read_tapped(argv_of(entry))
        if tapped is None or _again(edited, entry).argv != list(tapped.server):
            raise _unproven(entry)
    _rest_is_untouched(edited, chosen)
    return edited


def argv_of(entry: Entry) -> list[str]:
    """The command line of an entry that has one."""
    assert isinstance(entry.seat, Seat)  # or it would have been refused
    return entry.seat.argv


def _made(text: str, form: Format, edits: Sequence[Edit], root: Node) -> Edited:
    after = apply(text, edits)
    return Edited(text, after, tuple(sorted(edits, key=lambda edit: edit.start)), (root, parse(after, form)))


def _again(edited: Edited, entry: Entry) -> Seat:
    """The seat of an entry in the new text."""
    node: Node = edited.roots[1]
    for key in entry.path:
        listing = node.listing()
        if isinstance(key, int):
            if listing is None:
                raise _unproven(entry)
            node = listing.items[key].node
        else:
            node = next(member.node for member in node.members() if member.key == key)
    assert isinstance(entry.seat, Seat)
    seat = seat_of(node, [entry.seat.shape])
    if isinstance(seat, Refusal):
        raise _unproven(entry)
    return seat


def _rest_is_untouched(edited: Edited, chosen: Sequence[Entry]) -> None:
    before, after = (root.value for root in edited.roots)
    for entry in chosen:
        assert isinstance(entry.seat, Seat)
        shape = entry.seat.shape
        holder = (*entry.path, shape.inside) if shape.inside else entry.path
        for_shape = partial(_without, shape)
        before, after = changed_at(before, holder, for_shape), changed_at(after, holder, for_shape)
    if before != after:
        raise _unproven(chosen[0])


def _without(shape: Shape, holder: Mapping[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in holder.items() if key not in (shape.command, shape.args)}


def changed_at(value: Any, path: Path, change: Callable[[Any], Any]) -> Any:
    """``value`` with what lies at ``path`` replaced by what ``change`` makes of it; the rest is shared."""
    if not path:
        return change(value)
    if isinstance(value, list):
        return [
            changed_at(each, path[1:], change) if at == path[0] else each for at, each in enumerate(value)
        ]
    return {
        key: changed_at(each, path[1:], change) if key == path[0] else each for key, each in value.items()
    }


def _unproven(entry: Entry) -> Broken:
    return Broken(f"is written in a way in which {entry.name!r} cannot be edited with certainty")
