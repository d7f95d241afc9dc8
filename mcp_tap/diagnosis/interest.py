"""What a hook looks at, as its rule declares it: the one filter in front of the rules."""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import Any, Literal, NamedTuple, TypeVar

from mcp_tap.model.exchange import Outcome, Paired
from mcp_tap.model.message import Side
from mcp_tap.model.methods import Era

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

Shape = Literal["text", "structured", "other"]
"""What a tool's result is made of: blocks of plain text alone, or beside an object of structuredContent;
or anything else, answers to other requests too. The shape of the first two needs no second look."""

TEXT_MEMBERS = frozenset({"content", "isError", "resultType"})

EVERYTHING: frozenset[str] = frozenset()


class Kind(NamedTuple):
    """What is said of a message to find the hooks that look at it."""

    hook: str
    side: str
    method: str | None
    outcome: str
    shape: str
    large: bool
    slow: bool
    named_version: str | None
    named_era: str | None


class Interest(NamedTuple):
    """What one hook is called for; what is left out is no condition.

    ``sides`` are who says it (the answerer, for an answer). ``methods`` are those of requests, of the
    requests that are answered, and of notifications. ``outcomes`` and ``shapes`` are those of answers.
    ``large`` and ``slow`` ask for lines and answers that are so: by the constants above, or by a lower
    threshold. ``era`` is that of the request. ``cue`` is asked of the line's bytes; where these are not
    at hand as JSON, or only in parts, it is taken for true.
    ``sign`` is asked of the message, ``only`` once for all messages of one side, method and version.
    ``odd_lines`` asks for lines that are not just one whole message and a newline.
    """

    sides: frozenset[str] = EVERYTHING
    methods: frozenset[str] = EVERYTHING
    outcomes: frozenset[str] = EVERYTHING
    shapes: frozenset[str] = EVERYTHING
    large: bool = False
    slow: bool = False
    era: Era | None = None
    cue: Cue | None = None
    sign: Sign | None = None
    only: Sort | None = None
    odd_lines: bool = False

    def covers(self, kind: Kind, version: str | None) -> bool:
        """Whether it takes in such a message, as far as can be told without its bytes."""
        return (
            (not self.sides or kind.side in self.sides)
            and (not self.methods or kind.method in self.methods)
            and (not self.outcomes or kind.outcome in self.outcomes)
            and (not self.shapes or kind.shape in self.shapes)
            and (self.era is None or kind.named_era == self.era)
            and (kind.large or not self.large)
            and (kind.slow or not self.slow)
            and (self.only is None or self.only(kind.side, kind.method, version))
        )


ALL = Interest()

Hook = TypeVar("Hook", bound=Callable[..., None])


def sees(
    *,
    sides: Collection[Side] | Side = (),
    methods: Collection[str] | str = (),
    outcomes: Collection[Outcome] | Outcome = (),
    shapes: Collection[Shape] | Shape = (),
    large: bool = False,
    slow: bool = False,
    cue: Cue | None = None,
    era: Era | None = None,
    sign: Sign | None = None,
    only: Sort | None = None,
    odd_lines: bool = False,
) -> Callable[[Hook], Hook]:
    """Declare what a hook looks at; without it a hook sees everything of its kind."""
    interest = Interest(
        many(sides), many(methods), many(outcomes), many(shapes), large, slow, era, cue, sign, only, odd_lines
    )

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


def shape_of(result: Any) -> Shape:
    """What the result of a tool is made of."""
    content = result.get("content") if type(result) is dict else None
    if type(content) is not list or result.get("resultType", "complete") != "complete":
        return "other"
    for block in content:
        if type(block) is not dict or block.get("type") != "text" or type(block.get("text")) is not str:
            return "other"
        if len(block) > 2:
            return "other"
    if type(result.get("isError", False)) is not bool:
        return "other"
    odd = result.keys() - TEXT_MEMBERS
    if not odd:
        return "text"
    is_structured = len(odd) == 1 and type(result.get("structuredContent")) is dict
    return "structured" if is_structured else "other"
