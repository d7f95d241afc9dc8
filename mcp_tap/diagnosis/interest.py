"""What a hook looks at, as its rule declares it: the one filter in front of the rules."""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass
from typing import TypeVar

from mcp_tap.model.exchange import Outcome, Paired
from mcp_tap.model.message import Side

Cue = Callable[[bytes], bool]
"""Tells from the bytes of a line whether there is anything to look for; computed once for all who ask."""

Sign = Callable[[Paired], bool]
"""The same of a message and its exchange."""

Sort = Callable[[str, "str | None", "str | None"], bool]
"""Tells by who says it, of which method and in which version, for all messages that are alike in these."""

LARGE_BYTES = 48 * 1024
"""Bytes of a line above which it is large."""

SLOW_SECONDS = 0.25
"""Seconds above which an answer is slow."""

EVERYTHING: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Interest:
    """What one hook is called for; what is left out is no condition.

    ``sides`` are who says it (the answerer, for an answer). ``methods`` are those of requests, of the
    requests that are answered, and of notifications. ``outcomes`` are those of answers. ``large`` and
    ``slow`` ask for lines and answers that are so. ``cue`` is asked of the line's bytes,
    ``sign`` of the message, ``only`` once for all messages of one side, method and version.
    """

    sides: frozenset[str] = EVERYTHING
    methods: frozenset[str] = EVERYTHING
    outcomes: frozenset[str] = EVERYTHING
    large: bool = False
    slow: bool = False
    cue: Cue | None = None
    sign: Sign | None = None
    only: Sort | None = None

    def covers(
        self, side: str, method: str | None, version: str | None, outcome: str, *, large: bool, slow: bool
    ) -> bool:
        """Whether it takes in such a message, as far as can be told without its bytes."""
        return (
            (not self.sides or side in self.sides)
            and (not self.methods or method in self.methods)
            and (not self.outcomes or outcome in self.outcomes)
            and (large or not self.large)
            and (slow or not self.slow)
            and (self.only is None or self.only(side, method, version))
        )


ALL = Interest()

Hook = TypeVar("Hook", bound=Callable[..., None])


def sees(
    *,
    sides: Collection[Side] | Side = (),
    methods: Collection[str] | str = (),
    outcomes: Collection[Outcome] | Outcome = (),
    large: bool = False,
    slow: bool = False,
    cue: Cue | None = None,
    sign: Sign | None = None,
    only: Sort | None = None,
) -> Callable[[Hook], Hook]:
    """Declare what a hook looks at; without it a hook sees everything of its kind."""
    interest = Interest(many(sides), many(methods), many(outcomes), large, slow, cue, sign, only)

    def declare(hook: Hook) -> Hook:
        hook.__sees__ = interest  # type: ignore[attr-defined]  # read by ``interest_of`` alone
        return hook

    return declare


def many(values: Collection[str] | str) -> frozenset[str]:
    """One value, or several, as a set."""
    return frozenset((values,) if isinstance(values, str) else values)


def interest_of(hook: Callable[..., None]) -> Interest:
    """What ``hook`` looks at."""
    found = getattr(hook, "__sees__", ALL)
    assert isinstance(found, Interest)
    return found
