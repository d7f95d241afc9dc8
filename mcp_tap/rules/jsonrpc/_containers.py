"""Shapes of objects and arrays: their items and members have shapes of their own."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator
from typing import Any

from mcp_tap.diagnosis.asked import is_masked
from mcp_tap.diagnosis.text import article, shown
from mcp_tap.model.message import json_type
from mcp_tap.rules.jsonrpc._shapes import Check, Fault, Path, Shape, Type


class Container(Shape):
    """A shape of an object or an array; with ``told`` another rule tells of what is of another type."""

    kind: str
    parsed: type

    def __init__(self, told: bool = False) -> None:
        self.told = told

    def faults(self, value: Any, version: str, path: Path = ()) -> Iterator[Fault]:
        if type(value) is self.parsed:
            yield from self.inner(value, version, path)
        elif not self.told and not is_masked(value):
            yield Fault(path, f"is {article(json_type(value))}, not {article(self.kind)}")

    @abstractmethod
    def inner(self, value: Any, version: str, path: Path) -> Iterator[Fault]:
        """What is wrong within."""


class Items(Container):
    """An array of values of one shape."""

    kind, parsed = "array", list

    def __init__(self, of: Shape, told: bool = False) -> None:
        super().__init__(told)
        self.of = of

    def check(self, version: str) -> Check:
        item, told = self.of.check(version), self.told

        def fits(value: Any) -> bool:
            if type(value) is not list:
                return told
            return all(map(item, value))

        return fits

    def inner(self, value: Any, version: str, path: Path) -> Iterator[Fault]:
        for number, each in enumerate(value):
            yield from self.of.faults(each, version, (*path, number))


class Named(Container):
    """An object whose members have any names, and values of one shape."""

    kind, parsed = "object", dict

    def __init__(self, of: Shape, told: bool = False) -> None:
        super().__init__(told)
        self.of = of

    def check(self, version: str) -> Check:
        member, told = self.of.check(version), self.told

        def fits(value: Any) -> bool:
            if type(value) is not dict:
                return told
            return all(map(member, value.values()))

        return fits

    def inner(self, value: Any, version: str, path: Path) -> Iterator[Fault]:
        for name, each in value.items():
            yield from self.of.faults(each, version, (*path, name))


class Members(Container):
    """An object with these members; a name that ends in ``?`` may be left out."""

    kind, parsed = "object", dict

    def __init__(self, members: dict[str, Shape], told: bool = False) -> None:
        super().__init__(told)
        self.members = members

    def within(self, version: str) -> Iterator[tuple[str, bool, Shape]]:
        """The members that there are in ``version``: name, whether it is required, shape."""
        for name, shape in self.members.items():
            found = shape.defined(version)
            if found is not None:
                yield name.removesuffix("?"), not name.endswith("?"), found

    def check(self, version: str) -> Check:
        members = list(self.within(version))
        required = frozenset(name for name, needed, _ in members if needed)
        checks = {name: shape.check(version) for name, _, shape in members}
        told = self.told

        def fits(value: Any) -> bool:
            if type(value) is not dict:
                return told
            if not required <= value.keys():
                return False
            for name, each in value.items():
                member = checks.get(name)
                if member is not None and not member(each):
                    return False
            return True

        return fits

    def inner(self, value: Any, version: str, path: Path) -> Iterator[Fault]:
        for name, needed, shape in self.within(version):
            if name in value:
                yield from shape.faults(value[name], version, (*path, name))
            elif needed:
                yield Fault((*path, name), "is missing")


class OneOrMany(Shape):
    """A value of a shape, or an array of such."""

    def __init__(self, of: Shape) -> None:
        self.of, self.many = of, Items(of)

    def check(self, version: str) -> Check:
        one, many = self.of.check(version), self.many.check(version)
        return lambda value: many(value) if type(value) is list else one(value)

    def faults(self, value: Any, version: str, path: Path = ()) -> Iterator[Fault]:
        if isinstance(value, dict | list):
            yield from (self.many if isinstance(value, list) else self.of).faults(value, version, path)
        else:
            yield from Type("object", "array").faults(value, version, path)


class Tagged(Container):
    """An object whose shape depends on one of its members.

    ``default`` is the kind of one that does not say; ``noun`` is what such kinds are called; with
    ``tag_told`` another rule tells of a kind that is not known, or not named.
    """

    kind, parsed = "object", dict

    def __init__(
        self,
        tag: str,
        kinds: dict[str, Shape],
        *,
        default: str | None = None,
        noun: str = "",
        tag_told: bool = False,
    ) -> None:
        super().__init__()
        self.tag, self.kinds, self.default, self.noun = tag, kinds, default, noun
        self.tag_told = tag_told

    def known(self, version: str) -> dict[str, Shape]:
        """The kinds that there are in ``version``."""
        found = {name: shape.defined(version) for name, shape in self.kinds.items()}
        return {name: shape for name, shape in found.items() if shape is not None}

    def check(self, version: str) -> Check:
        checks = {name: shape.check(version) for name, shape in self.known(version).items()}
        tag, default, told = self.tag, self.default, self.tag_told

        def fits(value: Any) -> bool:
            if type(value) is not dict:
                return False
            kind = value.get(tag, default)
            check = checks.get(kind) if type(kind) is str else None
            return told if check is None else check(value)

        return fits

    def inner(self, value: Any, version: str, path: Path) -> Iterator[Fault]:
        kinds, kind = self.known(version), value.get(self.tag, self.default)
        if isinstance(kind, str) and kind in kinds:
            yield from kinds[kind].faults(value, version, path)
        elif self.tag not in value and not self.tag_told:
            yield Fault((*path, self.tag), "is missing")
        elif not self.tag_told and not is_masked(kind):
            among = f"{self.noun} ({', '.join(kinds)})" if self.noun else f"one of {', '.join(kinds)}"
            yield Fault((*path, self.tag), f"is {shown(kind)}, not {among}", isinstance(kind, str))
