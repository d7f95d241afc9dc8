"""What a value must look like: kinds of shapes, each with a fast check and with words for what is wrong.

A shape is compiled for a version to a plain function (``check``), which is asked of everything that is
sent; only what fails it is looked at again, by ``faults``. Members that a shape does not name are never
a fault, nor are values that were masked.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

from mcp_tap.diagnosis.asked import is_masked
from mcp_tap.diagnosis.text import article, shown
from mcp_tap.model.message import json_type

Check = Callable[[Any], bool]
Path = tuple[str | int, ...]


class Fault(NamedTuple):
    """What is wrong with one part of a value; ``of_value`` says that its type is right."""

    path: Path
    problem: str
    of_value: bool = False


class Shape(ABC):
    """What a value must look like, in each version."""

    @abstractmethod
    def check(self, version: str) -> Check:
        """A function that tells whether a value has the shape in ``version``."""

    @abstractmethod
    def faults(self, value: Any, version: str, path: Path = ()) -> Iterator[Fault]:
        """What is wrong with ``value`` in ``version``."""

    def defined(self, version: str) -> Shape | None:
        """The shape that holds in ``version``; None where there was none."""
        return self


PYTHON_TYPES: dict[str, tuple[type, ...]] = {
    "string": (str,),
    "number": (int, float),
    "integer": (int,),
    "boolean": (bool,),
    "object": (dict,),
    "array": (list,),
    "null": (type(None),),
}
"""What the parser makes of a JSON type."""


class Type(Shape):
    """Any value of these JSON types; of any type where none is named."""

    def __init__(self, *types: str) -> None:
        self.types = types
        self._parsed = frozenset(made for each in types for made in PYTHON_TYPES[each])

    def check(self, version: str) -> Check:
        parsed = self._parsed
        if not parsed:
            return lambda value: True
        if "integer" in self.types:
            return lambda value: type(value) in parsed or (type(value) is float and value.is_integer())
        return lambda value: type(value) in parsed

    def faults(self, value: Any, version: str, path: Path = ()) -> Iterator[Fault]:
        if not is_masked(value) and not self.check(version)(value):
            kind = json_type(value)
            what = shown(value) if kind == "number" and "integer" in self.types else article(kind)
            yield Fault(path, f"is {what}, not {' or '.join(map(article, self.types))}")


class Portion(Type):
    """A number from 0 to 1."""

    def __init__(self) -> None:
        super().__init__("number")

    def check(self, version: str) -> Check:
        return lambda value: type(value) in (int, float) and 0 <= value <= 1

    def faults(self, value: Any, version: str, path: Path = ()) -> Iterator[Fault]:
        if type(value) not in (int, float):
            yield from super().faults(value, version, path)
        elif not 0 <= value <= 1:
            yield Fault(path, f"is {shown(value)}, not a number from 0 to 1", True)


class Word(Shape):
    """One of these strings."""

    def __init__(self, *words: str) -> None:
        self.words = words

    def check(self, version: str) -> Check:
        words = frozenset(self.words)
        return lambda value: type(value) is str and value in words

    def faults(self, value: Any, version: str, path: Path = ()) -> Iterator[Fault]:
        if is_masked(value) or self.check(version)(value):
            return
        if not isinstance(value, str):
            yield Fault(path, f"is {article(json_type(value))}, not a string")
        elif len(self.words) == 1:
            yield Fault(path, f'is {shown(value)}, not "{self.words[0]}"', True)
        else:
            yield Fault(path, f"is {shown(value)}, not one of {', '.join(self.words)}", True)


class In(Shape):
    """A shape that there is from one version to another only."""

    def __init__(self, first: str, last: str, shape: Shape) -> None:
        self.first, self.last, self.shape = first, last, shape

    def defined(self, version: str) -> Shape | None:
        return self.shape.defined(version) if self.first <= version <= self.last else None

    def check(self, version: str) -> Check:
        shape = self.defined(version)
        return (lambda value: True) if shape is None else shape.check(version)

    def faults(self, value: Any, version: str, path: Path = ()) -> Iterator[Fault]:
        shape = self.defined(version)
        if shape is not None:
            yield from shape.faults(value, version, path)


class Either(In):
    """One shape before a version, another one since."""

    def __init__(self, version: str, before: Shape, after: Shape) -> None:
        super().__init__(version, "9", after)
        self.before = before

    def defined(self, version: str) -> Shape | None:
        return (self.shape if version >= self.first else self.before).defined(version)


class Nullable(Shape):
    """A value of a shape, or null."""

    def __init__(self, of: Shape) -> None:
        self.of = of

    def check(self, version: str) -> Check:
        of = self.of.check(version)
        return lambda value: value is None or of(value)

    def faults(self, value: Any, version: str, path: Path = ()) -> Iterator[Fault]:
        if value is not None:
            yield from self.of.faults(value, version, path)


def since(version: str, shape: Shape) -> In:
    """A shape that came with ``version``."""
    return In(version, "9", shape)


def until(version: str, shape: Shape) -> In:
    """A shape that was there in ``version`` for the last time."""
    return In("", version, shape)
