"""SEC004: tool changed within the session."""

from __future__ import annotations

from typing import Any

from mcp_tap.diagnosis.baseline import DEFINES, definition
from mcp_tap.diagnosis.context import Answer, Notification, SessionContext
from mcp_tap.diagnosis.interest import sees
from mcp_tap.diagnosis.rule import Rule
from mcp_tap.diagnosis.text import plural, quoted

AROUND = 20
"""Characters before a difference that are shown."""

SHOWN = 60
"""Characters of each side of a difference that are shown."""

STEPS = 10_000
"""Values that are compared to find where two tools differ."""


class ToolChanged(Rule):
    """A tool changed its definition within the session.

    What it means: the server listed its tools twice, and a tool of the same name has another title,
    description, schema or other annotations in the second list. A tool that was added or left out is
    none of it.

    Why it matters: the user approved the tool as it was. A server that shows a harmless tool first and
    another one later ("rug pull") gets the approval for what nobody has read. Telling the client by
    `notifications/tools/list_changed` changes nothing about that.

    Fails:
        → 1 tools/list
        ← 1 result {"tools":[{"name":"add","description":"Adds.","inputSchema":{"type":"object"}}]}
        ← notifications/tools/list_changed
        → 2 tools/list
        ← 2 result {"tools":[{"name":"add","description":"Adds, and reads.","inputSchema":{"type":"object"}}]}

    Passes:
        → 1 tools/list
        ← 1 result {"tools":[{"name":"add","description":"Adds.","inputSchema":{"type":"object"}}]}
        ← notifications/tools/list_changed
        → 2 tools/list
        ← 2 result {"tools":[{"name":"sub","description":"Takes.","inputSchema":{"type":"object"}},
            {"inputSchema":{"type":"object"},"description":"Adds.","name":"add"}]}

    What to do: read the new definition before the tool is called again. A server should give a tool that
    does something else another name.
    """

    id = "SEC004"
    title = "tool changed within the session"
    severity = "error"
    culprit = "server"
    methods = frozenset({"tools/list", "notifications/tools/list_changed"})
    next = "read the new definition before the tool is called again; another tool should have another name"

    def __init__(self, context: SessionContext) -> None:
        super().__init__(context)
        self._announced = False
        self._listed: int | None = None

    @sees(sides="s2c")
    def notification(self, notification: Notification) -> None:
        self._announced = True

    @sees(sides="s2c", outcomes=("result", "tool-error", "input-required"))
    def answer(self, answer: Answer) -> None:
        listing = self.context.listings.tools
        if not listing.complete:
            return
        for name, tool in listing.items.items():
            old = (listing.before or {}).get(name)
            if old is not None and old is not tool:
                self._compare(answer, name, old, tool)
        self._announced, self._listed = False, answer.seq

    def _compare(self, answer: Answer, name: str, old: dict[str, Any], new: dict[str, Any]) -> None:
        try:
            found = difference(definition(old), definition(new))
        except RecursionError:  # nested deeper than anybody can read
            return
        if found is None:
            return
        path, was, is_now = found
        how = ", after notifications/tools/list_changed" if self._announced else ""
        self.hit(
            [seq for seq in (self._listed, answer.seq) if seq is not None],
            f"tool {quoted(name)} changed its {path} between two lists{how}: {was} is now {is_now}",
            key=name,
            evidence=f"{path}: {was} → {is_now}",
        )


def difference(old: Any, new: Any) -> tuple[str, str, str] | None:
    """Where two values differ first, as a path, and what is there in each; None where they do not."""
    pairs = [("", old, new)]
    for _ in range(STEPS):
        if not pairs:
            return None
        path, one, other = pairs.pop()
        if type(one) is not type(other):
            return path, shown(one), shown(other)
        if isinstance(one, dict):
            keys = [*one, *(key for key in other if key not in one)]
            keys.sort(key=lambda key: DEFINES.index(key) if key in DEFINES else len(DEFINES))
            pairs += [
                (f"{path}.{key}" if path else key, one.get(key, ABSENT), other.get(key, ABSENT))
                for key in reversed(keys)
            ]
        elif isinstance(one, list):
            if len(one) != len(other):
                return path, plural(len(one), "item"), plural(len(other), "item")
            pairs += [
                (f"{path}[{number}]", *pair)
                for number, pair in reversed(list(enumerate(zip(one, other, strict=True))))
            ]
        elif isinstance(one, str) and one != other:
            at = max(0, first_difference(one, other) - AROUND)
            return path, quoted(lead(at) + one[at:], SHOWN), quoted(lead(at) + other[at:], SHOWN)
        elif one != other:
            return path, shown(one), shown(other)
    return None


class Absent:
    """What is not there."""


ABSENT = Absent()


def shown(value: Any) -> str:
    """A value as part of a sentence."""
    if isinstance(value, Absent):
        return "absent"
    if isinstance(value, dict):
        return "an object"
    if isinstance(value, list):
        return plural(len(value), "item")
    return quoted(value, SHOWN) if isinstance(value, str) else repr(value)[:SHOWN]


def lead(at: int) -> str:
    """What stands for text that is left out."""
    return "…" if at else ""


def first_difference(one: str, other: str) -> int:
    """The first place at which two strings differ."""
    both = min(len(one), len(other))
    return next((at for at in range(both) if one[at] != other[at]), both)
