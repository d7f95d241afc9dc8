"""TOL001: tool name not accepted by all clients."""

from __future__ import annotations

from collections.abc import Hashable, Iterator

from mcp_tap.diagnosis.context import Answer, SessionContext
from mcp_tap.diagnosis.finding import Certainty, Hit, Severity
from mcp_tap.diagnosis.interest import sees
from mcp_tap.diagnosis.rule import Rule
from mcp_tap.diagnosis.text import key_of, some, ticked
from mcp_tap.record.patterns import lazy
from mcp_tap.rules.tools._base import NAMES, NAMES_KEPT, SPECIFIED_LIMIT, names_in

API_LIMIT = 64
"""Characters of a function's name in the APIs of several models."""

PLAIN = lazy(r"[A-Za-z0-9_-]*")
SPECIFIED = lazy(r"[A-Za-z0-9_.-]*")


class ToolNames(Rule):
    """A tool name that some clients or model APIs reject.

    What it means: a tool name contains characters other than A-Z, a-z, 0-9, ``_`` and ``-``, or it
    is longer than 64 characters, on its own or with the prefix ``mcp__<server>__`` that some
    clients add. The specification (since 2025-11-25) also allows a dot and up to 128 characters;
    the APIs of several models do not. A dot alone is reported as info, since clients replace it.

    Why it matters: some clients drop such a tool. Others pass it on, and the model's API then
    rejects every request (HTTP 400) as soon as the server is enabled, whichever tool is used.

    Fails:
        → 1 tools/list
        ← 1 result {"tools":[{"name":"all rows","inputSchema":{"type":"object"}}]}

    Passes:
        → 1 tools/list
        ← 1 result {"tools":[{"name":"files_read-all","inputSchema":{"type":"object"}}]}

    What to do: rename the tool. Letters, digits, ``_`` and ``-`` are accepted everywhere.
    """

    id = "TOL001"
    title = "tool name not accepted by all clients"
    severity = "warning"
    culprit = "server"
    next = "rename the tool: only A-Z a-z 0-9 _ -, and at most 64 characters including the client's prefix"
    methods = frozenset({"tools/list"})
    spec = NAMES

    def __init__(self, context: SessionContext) -> None:
        super().__init__(context)
        self._reported: set[tuple[str, int]] = set()
        self._names: dict[Hashable, list[tuple[str, int]]] = {}
        """By problem, the tools that have it: their names and how long these are."""

    @sees(sides="s2c")
    def answer(self, answer: Answer) -> None:
        for name in names_in(answer):
            known = (key_of(name), len(name))
            if known in self._reported or len(self._reported) >= NAMES_KEPT:
                continue
            for kind, severity in self._problems(name):
                self._reported.add(known)
                certainty: Certainty = "heuristic" if kind == "prefix" else "proven"
                self.hit(answer, "", key=kind, severity=severity, certainty=certainty)
                self._names.setdefault(kind, []).append(known)

    def _problems(self, name: str) -> Iterator[tuple[str, Severity]]:
        if not SPECIFIED.fullmatch(name):
            yield "characters", "warning"
        elif not PLAIN.fullmatch(name):
            yield "dot", "info"
        if not name:
            yield "empty", "warning"
        elif len(name) > SPECIFIED_LIMIT:
            yield "too long", "error"
        elif len(name) > API_LIMIT:
            yield "long", "warning"
        elif len(name) + len(self._prefix()) > API_LIMIT:
            yield "prefix", "warning"

    def _prefix(self) -> str:
        """What some clients put before a name; empty where the server's is not known."""
        name = self.context.session.name
        return f"mcp__{name}__" if name else ""

    def sentence(self, hit: Hit) -> str:
        known = self._names[hit.key]
        one, names = len(known) == 1, some(name for name, _ in known)
        longest = max(length for _, length in known)
        what = f"tool name {names} has" if one else f"{len(known):,} tool names ({names}) have"
        up_to = "" if one else "up to "
        return {
            "characters": f"{what} characters outside [A-Za-z0-9_-] (the specification also allows dots, "
            "model APIs do not)",
            "dot": f"{what} a dot, which the specification allows and some model APIs do not",
            "empty": f"{what} no characters",
            "too long": f"{what} {up_to}{longest:,} characters; the specification allows {SPECIFIED_LIMIT}",
            "long": f"{what} {up_to}{longest:,} characters; model APIs accept {API_LIMIT}",
            "prefix": f"{what} {up_to}{longest + len(self._prefix())} characters with a client prefix like "
            f"{ticked(self._prefix())}, probably too many for model APIs ({API_LIMIT})",
        }[str(hit.key)]
