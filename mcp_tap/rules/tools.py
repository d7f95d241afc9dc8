"""TOL: the list of tools, and calls of what is not on it (MCP server/tools)."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterator
from typing import Any

from mcp_tap.model.exchange import Exchange
from mcp_tap.rules.case import Case, Seen
from mcp_tap.rules.facts.known_tools import KnownTools
from mcp_tap.rules.facts.misfit import is_masked
from mcp_tap.rules.facts.pending import explain, shown_id
from mcp_tap.rules.facts.wording import key_of, some, ticked
from mcp_tap.rules.finding import Certainty, Hit, Severity
from mcp_tap.rules.pages import Chain, EndlessPages, FirstPageOnly, Pages
from mcp_tap.rules.rule import Rule

NAMES = "2025-11-25/server/tools#tool-names"

SPECIFIED_LIMIT = 128
"""Characters of a tool's name, by the specification."""

API_LIMIT = 64
"""Characters of a function's name in the APIs of several models."""

NAMES_KEPT = 1_000
"""Tools whose names are remembered as told."""

CALLS_KEPT = 256
"""Calls of unlisted tools that wait for their answer."""

PLAIN = re.compile(r"[A-Za-z0-9_-]*")
SPECIFIED = re.compile(r"[A-Za-z0-9_.-]*")


def tools_in(seen: Seen) -> Iterator[dict[str, Any]]:
    """The tools of a page that are objects."""
    tools = seen.result.get("tools")
    for tool in tools if seen.side == "s2c" and isinstance(tools, list) else ():
        if isinstance(tool, dict):
            yield tool


def names_in(seen: Seen) -> Iterator[str]:
    """The names of the tools of a page, but for those that were masked."""
    for tool in tools_in(seen):
        if isinstance(tool.get("name"), str) and not is_masked(tool["name"]):
            yield tool["name"]


class ToolNames(Rule):
    """Tool names that clients or model APIs refuse.

    What it means: a name has characters outside of A-Z, a-z, 0-9, ``_`` and ``-``, or is longer than
    64 characters, alone or with the prefix ``mcp__<server>__`` that some clients put before it. The
    specification (since 2025-11-25) takes a dot too, and 128 characters; the APIs of several models
    do not. A dot alone is told as information, since clients replace it.

    Why it matters: some clients leave such a tool out. Others hand it on, and then the model's API
    refuses every request (HTTP 400) as soon as the server is enabled, whatever tool is used.

    Fails:
        → 1 tools/list
        ← 1 result {"tools":[{"name":"all rows","inputSchema":{"type":"object"}}]}

    Passes:
        → 1 tools/list
        ← 1 result {"tools":[{"name":"files_read-all","inputSchema":{"type":"object"}}]}

    What to do: rename the tool; letters, digits, ``_`` and ``-`` are understood everywhere.
    """

    id = "TOL001"
    title = "tool name that not everybody takes"
    severity = "warning"
    culprit = "server"
    next = "rename: at most 64 characters with the client's prefix, of A-Z a-z 0-9 _ -"
    methods = frozenset({"tools/list"})
    spec = NAMES

    def __init__(self, case: Case) -> None:
        super().__init__(case)
        self._told: set[tuple[str, int]] = set()

    def answer(self, seen: Seen) -> None:
        for name in names_in(seen):
            known = (key_of(name), len(name))
            if known in self._told or len(self._told) >= NAMES_KEPT:
                continue
            for kind, severity in self._problems(name):
                self._told.add(known)
                certainty: Certainty = "heuristic" if kind == "prefix" else "proven"
                hit = self.hit(seen, "", key=kind, severity=severity, certainty=certainty, evidence=name)
                told = hit.facts.setdefault("names", [])
                assert isinstance(told, list)
                told.append(known)

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
        name = self.case.session.name
        return f"mcp__{name}__" if name else ""

    def sentence(self, hit: Hit) -> str:
        told = hit.facts["names"]
        assert isinstance(told, list)
        one, names = len(told) == 1, some(name for name, _ in told)
        longest = max(length for _, length in told)
        what = f"tool name {names} has" if one else f"{len(told):,} tool names ({names}) have"
        up_to = "" if one else "up to "
        return {
            "characters": f"{what} characters outside [A-Za-z0-9_-] (the specification allows . too, "
            "model APIs do not)",
            "dot": f"{what} a dot, which the specification allows and some model APIs do not",
            "empty": f"{what} no characters",
            "too long": f"{what} {up_to}{longest:,} characters; the specification allows {SPECIFIED_LIMIT}",
            "long": f"{what} {up_to}{longest:,} characters; model APIs take {API_LIMIT}",
            "prefix": f"{what} {up_to}{longest + len(self._prefix())} characters with a client's prefix like "
            f"{ticked(self._prefix())}, which looks too long for model APIs ({API_LIMIT})",
        }[str(hit.key)]


class DuplicateTool(Pages):
    """One tool name twice in a list.

    What it means: two tools of one complete list have the same name. A page that the client asked
    for twice does not count, nor what changed between two pages.

    Why it matters: a name is all that a call says. Clients drop one of the two, or refuse the list.

    Fails:
        → 1 tools/list
        ← 1 result {"tools":[{"name":"find","inputSchema":{"type":"object"}},
            {"name":"find","inputSchema":{"type":"object"}}]}

    Passes:
        → 1 tools/list
        ← 1 result {"tools":[{"name":"find","inputSchema":{"type":"object"}},
            {"name":"Find","inputSchema":{"type":"object"}}]}

    What to do: give each tool a name of its own; look whether something is registered twice.
    """

    id = "TOL002"
    title = "duplicate tool name"
    severity = "error"
    culprit = "server"
    next = "give each tool a name of its own; look whether something is registered twice"
    methods = frozenset({"tools/list", "notifications/tools/list_changed"})
    spec = NAMES

    def __init__(self, case: Case) -> None:
        super().__init__(case)
        self._names: set[str] | None = set()
        """Of the pages before in this listing; None where they may be of another list."""

    def notification(self, seen: Seen) -> None:
        self._names = None  # whoever says so: it decides what is not reported

    def page(self, seen: Seen, exchange: Exchange, chain: Chain, cursor: str | None, again: bool) -> None:
        here: set[str] = set()
        for name in names_in(seen):
            if name in here:
                self._hit(seen, name, "in one page of tools/list")
            here.add(name)
        if cursor is None:
            self._names = set()
        elif again or self._names is None or cursor not in chain.next.values():
            return
        for name in sorted(here & self._names):
            self._hit(seen, name, "on two pages of tools/list")
        if len(self._names) < 10 * NAMES_KEPT:
            self._names |= here

    def _hit(self, seen: Seen, name: str, where: str) -> None:
        self.hit(seen, f"tool {ticked(name)} is listed twice {where}", key=key_of(name))


class InputSchemaMissing(Rule):
    """A tool without an inputSchema of type object.

    What it means: the tool's ``inputSchema`` is missing, is no object, or does not say
    ``"type": "object"`` at its top. The arguments of a call are always an object, and MCP wants
    the schema to say so, even if it is made of ``anyOf`` or ``$ref``.

    Why it matters: the clients of the official SDKs check the list as a whole: one such tool hides
    all of them. The server is "connected", with 0 tools and no error anywhere.

    Fails:
        → 1 tools/list
        ← 1 result {"tools":[{"name":"find","inputSchema":{"anyOf":[{"type":"object"}]}}]}

    Passes:
        → 1 tools/list
        ← 1 result {"tools":[{"name":"find","inputSchema":{"type":"object","anyOf":[{}]}}]}

    What to do: put "type": "object" at the top of the schema; for a tool without arguments
    {"type": "object", "additionalProperties": false}.
    """

    id = "TOL003"
    title = "inputSchema is not of type object"
    severity = "error"
    culprit = "server"
    next = 'put "type":"object" at the top; {"type":"object","additionalProperties":false} for no arguments'
    methods = frozenset({"tools/list"})
    spec = "2025-11-25/server/tools#tool"

    def answer(self, seen: Seen) -> None:
        tools = list(tools_in(seen))
        for tool in tools:
            problem = problem_of(tool)
            if problem:
                name = tool.get("name")
                self.hit(
                    seen,
                    f"tool {ticked(name) if isinstance(name, str) else 'without a name'}: {problem}; "
                    f"clients drop the whole list of {len(tools):,}",
                    key=key_of(name if isinstance(name, str) else ""),
                )


def problem_of(tool: dict[str, Any]) -> str:
    """What is wrong with the inputSchema, as far as that can be told without JSON Schema; else empty."""
    if tool.get("inputSchema") is None:
        return "inputSchema is null" if "inputSchema" in tool else "it has no inputSchema"
    schema = tool["inputSchema"]
    if is_masked(schema.get("type") if isinstance(schema, dict) else schema):
        return ""
    if not isinstance(schema, dict):
        return "inputSchema is not an object"
    if "type" not in schema:
        return 'inputSchema has no "type":"object" at top level'
    return "" if schema["type"] == "object" else 'the "type" of inputSchema is not "object"'


class UnlistedTool(KnownTools):
    """A call of a tool that the server has not listed.

    What it means: the client called a name that is not in the last complete list of tools, and the
    server had not said since that its list changed. If the call succeeded all the same it is told
    as information.

    Why it matters: the server refuses it. The client's list is stale, or the client did not take
    its own prefix (``mcp__server__find``) off the name before it called, or the model invented it.

    Fails, listed [{"name":"find","inputSchema":{"type":"object"}}]:
        → 5 tools/call {"name":"mcp__notes__find","arguments":{}}
        ← 5 error -32602 "Unknown tool: mcp__notes__find"

    Passes, listed [{"name":"find","inputSchema":{"type":"object"}}]:
        ← notifications/tools/list_changed
        → 5 tools/call {"name":"find_all","arguments":{}}
        ← 5 result {"content":[]}

    What to do: list again after notifications/tools/list_changed; look for a prefix that was left on.
    """

    id = "TOL006"
    title = "call of an unlisted tool"
    severity = "error"
    culprit = "client"
    next = "list the tools again before calling; look for a client's prefix (mcp__server__) left on the name"
    spec = "2025-11-25/server/tools#error-handling"

    def __init__(self, case: Case) -> None:
        super().__init__(case)
        self._open: dict[Exchange, Hit] = {}

    def called(self, seen: Seen, exchange: Exchange) -> None:
        name = exchange.target
        listed = self.case.listings.tools.items
        if name is None or name in listed or not self.is_complete:
            return
        if is_masked([name, *listed]):
            return
        hit = self.hit(
            seen,
            f"client called {ticked(name)} (id {shown_id(exchange.id)}), which the server does not list"
            + self._instead(name),
            key=key_of(name),
        )
        if len(self._open) < CALLS_KEPT:
            self._open[exchange] = hit

    def returned(self, seen: Seen, exchange: Exchange) -> None:
        hit = self._open.pop(exchange, None)
        if hit is None:
            return
        if exchange.outcome in ("error", "tool-error"):
            explain(hit, [seen.seq])
            hit.facts["refused"], hit.severity = True, self.severity
        elif "refused" not in hit.facts:
            hit.severity = "info"

    def sentence(self, hit: Hit) -> str:
        told = super().sentence(hit)
        return f"{told}; it was answered all the same" if hit.severity == "info" else told

    def _instead(self, name: str) -> str:
        """What was probably meant; empty where nothing on the list is like it."""
        listed = list(self.case.listings.tools.items)
        for known in listed:
            if known and name.endswith(known) and not name[-len(known) - 1].isalnum():
                return f"; it lists {ticked(known)}: the client left a prefix on"
        near = difflib.get_close_matches(name[:SPECIFIED_LIMIT], listed[:NAMES_KEPT], 1, 0.8)
        return f"; it lists {ticked(near[0])}" if near else ""


RULES: tuple[type[Rule], ...] = (
    ToolNames,
    DuplicateTool,
    InputSchemaMissing,
    UnlistedTool,
    EndlessPages,
    FirstPageOnly,
)
