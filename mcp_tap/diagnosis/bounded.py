"""What rules remember, within bounds: a recording may hold any number of anything."""

from __future__ import annotations

from collections import OrderedDict
from typing import TypeVar

K = TypeVar("K")
V = TypeVar("V")


class Latest(OrderedDict[K, V]):
    """A mapping that holds the ``limit`` entries that were set last, and forgets the oldest for a new one.

    ``forgot`` says whether it ever did: then what is not there may have been.
    """

    def __init__(self, limit: int) -> None:
        super().__init__()
        self.limit = limit
        self.forgot = False

    def __setitem__(self, key: K, value: V) -> None:
        OrderedDict.__setitem__(self, key, value)  # what is in the way of every call: super() costs half
        if len(self) > self.limit:
            self.popitem(last=False)
            self.forgot = True


class First(dict[K, V]):
    """A mapping that holds the ``limit`` keys that were set first, and takes no new one after them.

    ``full`` says whether one was refused.
    """

    def __init__(self, limit: int) -> None:
        super().__init__()
        self.limit = limit
        self.full = False

    def __setitem__(self, key: K, value: V) -> None:
        if key in self or len(self) < self.limit:
            super().__setitem__(key, value)
        else:
            self.full = True
