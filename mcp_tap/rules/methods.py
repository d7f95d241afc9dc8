"""RPC021-023: methods that are unknown, of another version, or sent the wrong way (MCP schema)."""

from __future__ import annotations

import difflib
from functools import lru_cache

from mcp_tap.model.exchange import Exchange
from mcp_tap.model.message import Side
from mcp_tap.model.methods import ALL, METHODS, MODERN
from mcp_tap.rules.case import Case, Seen
from mcp_tap.rules.facts.asked import DecidedByAnswer, FaultyRequests, asker_of, explain, named
from mcp_tap.rules.finding import SEVERITIES, Culprit, Hit, Severity
from mcp_tap.rules.rule import Rule

MISNOMERS: dict[str, str] = {
    "notifications/tools/updated": "notifications/tools/list_changed",
    "notifications/tools/changed": "notifications/tools/list_changed",
    "notifications/prompts/updated": "notifications/prompts/list_changed",
    "notifications/prompts/changed": "notifications/prompts/list_changed",
    "notifications/resources/changed": "notifications/resources/list_changed",
    "tools/listChanged": "notifications/tools/list_changed",
    "prompts/listChanged": "notifications/prompts/list_changed",
    "resources/listChanged": "notifications/resources/list_changed",
    "initialized": "notifications/initialized",
    "cancelled": "notifications/cancelled",
    "progress": "notifications/progress",
    "logging/message": "notifications/message",
    "$/cancelRequest": "notifications/cancelled",
    "$/progress": "notifications/progress",
}
"""Names that do not exist and are seen all the same, and what is meant."""

OF_LSP: dict[str, str] = {
    "shutdown": "MCP has no shutdown message: the client closes the server's stdin",
    "exit": "MCP has no exit message: the client closes the server's stdin",
}
"""Names of the Language Server Protocol for which MCP has none."""

CLOSE_ENOUGH = 0.75
"""difflib's ratio above which a part of a name is taken for a slip of the pen: `lists`, `tool`."""

NAME_COMPARED = 100
"""Characters of a method that are looked at."""

NO_NAMESPACE = frozenset({"io", "com", "org", "net", "dev", "ai", "app", "modelcontextprotocol", "mcp"})
"""Parts of an extension's name that name nobody's methods."""

KNOWN_EXTENSIONS: dict[str, tuple[str, ...]] = {
    "io.modelcontextprotocol/tasks": ("tasks/", "notifications/tasks"),
    "io.modelcontextprotocol/skills": ("resources/directory/read", "skills/"),
    "io.modelcontextprotocol/ui": ("ui/", "notifications/ui/"),
}
"""The methods of official extensions whose names do not tell (SEP-2663, SEP-2640, SEP-1865)."""

EXTENSIONS_LOOKED_AT = 100
"""Declared extensions that a method is compared with."""


@lru_cache(maxsize=256)
def meant(method: str) -> str | None:
    """The method that was probably meant."""
    if method in MISNOMERS:
        return MISNOMERS[method]
    if f"notifications/{method}" in METHODS:
        return f"notifications/{method}"
    wrong = method[:NAME_COMPARED].lower().replace(".", "/").replace(":", "/")
    found = [(likeness(wrong, name.lower()), name) for name in METHODS]
    best, name = max(found)
    return name if best >= CLOSE_ENOUGH else None


def likeness(one: str, two: str) -> float:
    """How much the two names are alike in the part in which they differ most; 0 to 1.

    Part by part: `notifications/acme/list_changed` is mostly `notifications/tools/list_changed`, and
    no slip of the pen.
    """
    parts, others = one.split("/"), two.split("/")
    if len(parts) != len(others):
        return 0.0
    return min(difflib.SequenceMatcher(None, *pair).ratio() for pair in zip(parts, others, strict=True))


def advice(method: str) -> str | None:
    """What to do about an unknown method, where more can be said than that it is unknown."""
    if method in OF_LSP:
        return OF_LSP[method]
    name = meant(method)
    return None if name is None else f"did you mean {name}? No peer does anything about {named(method)}"


def declared(case: Case) -> list[str]:
    """The extensions and experimental capabilities that either side has declared."""
    names: list[str] = []
    sides: tuple[Side, Side] = ("c2s", "s2c")
    for side in sides:
        offered = case.session.capabilities.get(side)
        for kind in ("extensions", "experimental"):
            group = offered.get(kind) if isinstance(offered, dict) else None
            names += list(group)[:EXTENSIONS_LOOKED_AT] if isinstance(group, dict) else []
    return names


def is_of_extension(method: str, extension: str) -> bool:
    """Whether ``method`` may belong to an extension: `acme/search` to `com.acme/search`."""
    if method.startswith(KNOWN_EXTENSIONS.get(extension, ("\0",))):
        return True
    bare = method.removeprefix("notifications/").removeprefix("$/").lower()
    if bare.startswith(extension.lower()):
        return True
    namespace = set(bare.replace(".", "/").split("/")[:-1])
    parts = set(extension.lower().replace(".", "/").split("/")) - NO_NAMESPACE
    return not namespace.isdisjoint(parts)


def is_extension(case: Case, method: str) -> bool:
    """Whether a declared extension may have brought ``method``."""
    return any(is_of_extension(method, extension) for extension in declared(case))


def has_namespace(method: str) -> bool:
    """Whether somebody may have made up a method of its own: `acme/search`, no slip of the pen."""
    bare = method.removeprefix("notifications/")
    return "/" in bare and not bare.startswith("$/") and meant(method) is None


class UnknownMethod(DecidedByAnswer):
    """A method that no version of MCP has.

    What it means: a request or notification has a method that is in no released version of the
    specification, and no extension or experimental capability was declared that it could belong to.

    Why it matters: the peer answers a request with -32601, and ignores a notification without a
    word, so what was to be said is lost. It is a warning for a vendor's name with a prefix
    (`acme/search`), if the peer has answered it, and for a vendor's notification, which nobody answers.

    Fails:
        ← notifications/tools/updated {"tools":[]}

    Fails:
        → 5 tools/lists
        ← 5 error -32601 "Method not found"

    Passes, client {"extensions":{"com.acme/search":{}}}:
        → 5 acme/search/start {"q":"x"}
        ← 5 result {"ticket":7}

    What to do: use the name that is suggested. For methods of your own, declare an extension (or,
    up to 2025-11-25, an experimental capability) whose name shows that they belong to it.
    """

    id = "RPC021"
    title = "unknown method"
    severity = "error"
    culprit = "sender"
    next = "use a method of the specification, or declare the extension that the method belongs to"
    spec = "2025-11-25/schema"

    def concerns(self, exchange: Exchange) -> bool:
        return exchange.method not in METHODS and not is_extension(self.case, exchange.method)

    def judge(self, exchange: Exchange, seen: Seen | None) -> None:
        if not self._is_certain(exchange.method):
            return
        own = has_namespace(exchange.method)
        served = seen is not None and seen.message.kind == "response"
        mild = own and (seen is None or served)
        hit = self._tell(exchange.seq, exchange.side, exchange.method, "warning" if mild else "error")
        explain(hit, exchange.seq, None if seen is None or served else seen.seq)

    def notification(self, seen: Seen) -> None:
        method = seen.message.method
        if method is None or method in METHODS or is_extension(self.case, method):
            return
        if self._is_certain(method):
            self._tell(seen.seq, seen.side, method, "warning" if has_namespace(method) else "error")

    def _is_certain(self, method: str) -> bool:
        """Whether an extension that brings ``method`` would be on file, or there can be none."""
        return self.case.whole or method in OF_LSP or meant(method) is not None

    def _tell(self, seq: int, side: Side, method: str, severity: Severity) -> Hit:
        who: Culprit = "client" if side == "c2s" else "server"
        hit = self.hit(
            seq,
            f"{who} sent {named(method)}, a method that no version of MCP has",
            key=f"{who} {method[:100]}",
            next=advice(method),
            severity=severity,
            culprit=who,
        )
        return worse(hit, severity)


def worse(hit: Hit, severity: Severity) -> Hit:
    """``hit`` with the worse of its severity and ``severity``: one that failed is enough."""
    hit.severity = min(hit.severity, severity, key=SEVERITIES.index)
    return hit


class MethodOfAnotherVersion(DecidedByAnswer):
    """A method that the session's version does not have.

    What it means: the method exists in MCP, but not in the version that client and server agreed on
    (or, since 2026-07-28, that the request itself names).

    Why it matters: the peer need not know it. It is a warning where the peer has answered it all
    the same. Probes (`server/discover`, `initialize`) are no fault: they find out what is spoken.

    Fails, 2025-06-18:
        → 5 tasks/list
        ← 5 error -32601 "Method not found"

    Passes:
        → 5 tasks/list
        ← 5 result {"tasks":[]}

    What to do: look at the version that was agreed on before using what is new, or gone.
    """

    id = "RPC022"
    title = "method of another version"
    severity = "error"
    culprit = "sender"
    next = "use only what the version agreed on has, or agree on another one"
    spec = "2025-11-25/basic/lifecycle#operation"

    def concerns(self, exchange: Exchange) -> bool:
        return self._absent_from(exchange.method, exchange.side, self._version_of(exchange)) is not None

    def judge(self, exchange: Exchange, seen: Seen | None) -> None:
        version = self._version_of(exchange)
        served = seen is not None and seen.message.kind == "response"
        severity: Severity = "warning" if served else "error"
        method = exchange.method
        hit = self.hit(
            exchange.seq,
            f"{asker_of(exchange)} sent {named(method)}, which is not part of {version}"
            + (f" (but of {span(method)})" if not served else "; it was answered all the same"),
            key=f"{asker_of(exchange)} {method}",
            severity=severity,
            culprit=asker_of(exchange),
        )
        explain(worse(hit, severity), exchange.seq, None if seen is None or served else seen.seq)

    def notification(self, seen: Seen) -> None:
        method, version = seen.message.method or "", self.case.session.protocol
        if self._absent_from(method, seen.side, version) is not None:
            self.hit(
                seen,
                f"{seen.sender} sent {named(method)}, which is not part of {version} (but of {span(method)})",
                key=f"{seen.sender} {method}",
            )

    def _version_of(self, exchange: Exchange) -> str | None:
        """The version that holds for a request; None while nothing is agreed on."""
        if exchange.version is None and self.case.session.era == "modern":
            return MODERN[-1]
        return exchange.version

    def _absent_from(self, method: str, side: Side, version: str | None) -> str | None:
        """``version``, if it is known and lacks ``method``."""
        known = METHODS.get(method)
        if known is None or version not in ALL or version in known.versions or method in PROBES:
            return None
        if version in MODERN and side == "s2c" and known.kind == "request":
            return None  # that a server asks at all is the fault then: MOD014
        return None if is_extension(self.case, method) else version


PROBES = frozenset({"server/discover", "initialize"})
"""What is sent before anything is agreed on."""


def span(method: str) -> str:
    """The versions that have ``method``: `2025-03-26 to 2025-11-25`."""
    versions = METHODS[method].versions
    if len(versions) == 1:
        return versions[0]
    return f"{versions[0]} and later" if versions[-1] == ALL[-1] else f"{versions[0]} to {versions[-1]}"


class WrongDirection(FaultyRequests):
    """A method sent in the wrong direction.

    What it means: each method belongs to one side. The server sent what only a client may send, or
    the other way round.

    Why it matters: the receiver has no handler for it: a request comes back with -32601, a
    notification is ignored.

    Fails:
        ← 5 tools/list
        → 5 error -32601 "Method not found"

    Passes, client {"roots":{}}:
        ← 5 roots/list
        → 5 result {"roots":[]}

    What to do: `tools/list` and `notifications/roots/list_changed` come from the client,
    `roots/list` and `notifications/tools/list_changed` from the server. A server that sends back
    exactly what it was sent may be a program that only copies its input, like `cat`.
    """

    id = "RPC023"
    title = "method sent in the wrong direction"
    severity = "error"
    culprit = "sender"
    next = "send it from the other side only; a server that repeats its input is no MCP server"
    spec = "2025-11-25/schema"

    def request(self, seen: Seen) -> None:
        if not (seen.side == "s2c" and seen.version in MODERN):  # MOD014
            self._look(seen)

    def notification(self, seen: Seen) -> None:
        if seen.message.method != "notifications/initialized":  # LIF005
            self._look(seen)

    def _look(self, seen: Seen) -> None:
        method = seen.message.method or ""
        known = METHODS.get(method)
        if known is None or known.direction in ("both", seen.side):
            return
        message = f"{seen.sender} sent {named(method)}, which only a {seen.receiver} may send"
        self.hold(seen, self.hit(seen, message, key=f"{seen.sender} {method}"))


RULES: tuple[type[Rule], ...] = (UnknownMethod, MethodOfAnotherVersion, WrongDirection)
