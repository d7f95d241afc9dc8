"""MOD001-004, MOD012, MOD018-019: the era without a handshake (MCP 2026-07-28, basic)."""

from __future__ import annotations

from functools import partial
from typing import Any

from mcp_tap.model.exchange import Exchange
from mcp_tap.model.methods import (
    CATALOGUE,
    CLIENT_CAPABILITIES_KEY,
    METHODS,
    MODERN,
    UNSUPPORTED_VERSION,
    VERSION_KEY,
)
from mcp_tap.rules.case import MODERN_ONLY, Case, Seen, plural
from mcp_tap.rules.facts.asked import (
    FaultyRequests,
    called,
    code_of,
    is_masked,
    named,
)
from mcp_tap.rules.facts.proof import (
    RESULT_TYPES,
    Declarations,
    OfModernServer,
    has_no_handshake,
    result_of,
    shown,
)
from mcp_tap.rules.finding import Hit
from mcp_tap.rules.methods import KNOWN_EXTENSIONS, declared, is_extension
from mcp_tap.rules.rule import Rule

METHODS_NAMED = 3
"""Methods that a sentence names."""


class NoEnvelope(FaultyRequests):
    """A request that does not say what it speaks.

    What it means: since 2026-07-28 each request says in `params._meta` which version it is of
    (`io.modelcontextprotocol/protocolVersion`) and what the client can do
    (`io.modelcontextprotocol/clientCapabilities`). This one lacks one of them, or both.

    Why it matters: there is no handshake that a server could remember, and it must not guess from
    earlier requests: it answers with -32602, and a `server/discover` without them with -32601.

    Fails, 2026-07-28, listed []:
        → 5 tools/list {"_meta":{}}
        ← 5 error -32602 "Missing _meta"

    Passes, 2026-07-28:
        → 5 tools/list {"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28",
            "io.modelcontextprotocol/clientCapabilities":{}}}
        ← 5 result {"resultType":"complete","tools":[],"ttlMs":0,"cacheScope":"private"}

    What to do: put both keys into `_meta` of every request, also where the client can do nothing of
    its own (`{}`).
    """

    id = "MOD001"
    title = "request without protocolVersion or clientCapabilities in _meta"
    severity = "error"
    culprit = "client"
    next = "put protocolVersion and clientCapabilities into params._meta of every request"
    versions = MODERN_ONLY
    spec = "2026-07-28/basic#meta"

    def request(self, seen: Seen) -> None:
        exchange = seen.exchange
        if seen.side != "c2s" or exchange is None:
            return
        missing = lacking(seen.message.meta)
        if missing and self._concerns(seen, exchange):
            hit = self.hit(seen, "", key=" ".join(missing))
            hit.facts["missing"] = " and ".join(missing)
            methods = hit.facts.setdefault("methods", {})
            if isinstance(methods, dict) and len(methods) <= METHODS_NAMED:
                methods[exchange.method] = True
            self.hold(seen, hit)

    def _concerns(self, seen: Seen, exchange: Exchange) -> bool:
        method = exchange.method
        known = METHODS.get(method)
        if method == "initialize" or not isinstance(seen.message.value.get("params", {}), dict):
            return False  # RPC014
        if not (known is not None and MODERN[-1] in known.versions) and not is_extension(self.case, method):
            return False  # RPC021, RPC022
        if isinstance(seen.message.meta.get(VERSION_KEY), str):
            return True  # it says itself of which era it is
        return has_no_handshake(self.case)

    def sentence(self, hit: Hit) -> str:
        methods, missing = hit.facts.get("methods"), hit.facts.get("missing")
        names = list(methods) if isinstance(methods, dict) else []
        if hit.count == 1:
            return f"client sent {named(names[0])} without {missing} in params._meta"
        some = ", ".join(map(named, names[:METHODS_NAMED])) + (" …" if len(names) > METHODS_NAMED else "")
        return f"client sent {plural(hit.count, 'request')} without {missing} in params._meta: {some}"


def lacking(meta: dict[str, Any]) -> list[str]:
    """What ``_meta`` of a request lacks of what it must have."""
    missing = [] if isinstance(meta.get(VERSION_KEY), str) else ["protocolVersion"]
    offered = meta.get(CLIENT_CAPABILITIES_KEY)
    return missing if isinstance(offered, dict) or is_masked(offered) else [*missing, "clientCapabilities"]


class NoResultType(OfModernServer):
    """A result without resultType.

    What it means: since 2026-07-28 each result says in `resultType` what it is: `complete`, or
    `input_required` where the server asks back. This one does not say. Servers that have not shown
    that they speak this version are not looked at.

    Why it matters: strict clients refuse the result; others take it for a complete one, which is
    meant for servers of earlier versions.

    Fails, 2026-07-28, listed []:
        → 5 prompts/get {"name":"book"}
        ← 5 result {"messages":[]}

    Passes, 2026-07-28:
        → 1 server/discover
        ← 1 error -32601 "Method not found"
        → 5 tools/call {"name":"book"}
        ← 5 result {"content":[]}

    What to do: add `"resultType": "complete"`. A result that a server passes on from an older one
    needs it too.
    """

    id = "MOD003"
    title = "result without resultType"
    severity = "error"
    culprit = "server"
    next = 'add "resultType": "complete" to the result'
    spec = "2026-07-28/basic#resulttype"

    def examine(self, seen: Seen, exchange: Exchange) -> None:
        result = result_of(seen)
        if result is not None and "resultType" not in result and exchange.method in METHODS:
            message = f"server answered {called(exchange)} with a result that has no resultType"
            self.proof.when(partial(self.hit, (exchange.seq, seen.seq), message, key=exchange.method))


TASKS = "io.modelcontextprotocol/tasks"
"""The extension that adds ``"resultType": "task"`` (SEP-2663)."""


class UnknownResultType(OfModernServer):
    """A resultType that there is not.

    What it means: `resultType` of a result is neither `complete` nor `input_required`, nor is it
    one of an extension that the client has declared (`task`).

    Why it matters: a client must take such a result for invalid: for the caller, the request has
    failed.

    Fails, 2026-07-28, listed []:
        → 5 prompts/get {"name":"book"}
        ← 5 result {"resultType":"done","messages":[]}

    Passes, 2026-07-28, listed []:
        → 5 prompts/get {"name":"book","_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28",
            "io.modelcontextprotocol/clientCapabilities":{"extensions":{"com.acme/done":{}}}}}
        ← 5 result {"resultType":"done","messages":[]}

    What to do: say `complete`. Send results of an extension only for requests that declare it.
    """

    id = "MOD004"
    title = "unknown resultType"
    severity = "error"
    culprit = "server"
    next = 'say "complete"; send a type of an extension only for a request that declares it'
    spec = "2026-07-28/basic#resulttype"

    def __init__(self, case: Case) -> None:
        super().__init__(case)
        self.declarations = case.shared(Declarations)

    def request(self, seen: Seen) -> None:
        self.declarations.take(seen)

    def examine(self, seen: Seen, exchange: Exchange) -> None:
        result = result_of(seen)
        kind = "complete" if result is None else result.get("resultType", "complete")
        if (isinstance(kind, str) and kind in RESULT_TYPES) or is_masked(kind):
            return
        if isinstance(kind, str) and self._may_be_of_extension(kind, exchange):
            return
        why = " although the request does not declare the tasks extension" if kind == "task" else ""
        message = f"server answered {called(exchange)} with resultType {shown(kind)}{why}"
        self.proof.when(partial(self.hit, (exchange.seq, seen.seq), message, key=shown(kind)))

    def _may_be_of_extension(self, kind: str, exchange: Exchange) -> bool:
        asked = self.declarations.of(exchange)
        if asked is None:
            return True  # MOD001
        if kind == "task":
            return TASKS in asked.extensions
        return not {*asked.extensions, *declared(self.case)}.issubset(KNOWN_EXTENSIONS)


CACHEABLE = frozenset({"server/discover", *CATALOGUE, "resources/read"})
"""Requests whose complete results say for how long they hold (2026-07-28, server/utilities/caching)."""

SCOPES = ("public", "private")


class NoCachingHints(OfModernServer):
    """A cacheable result without caching hints.

    What it means: complete results of `server/discover`, `resources/read` and the methods that list
    must say for how long they hold (`ttlMs`, 0 or more) and for whom (`cacheScope`, public or
    private). This one does not, or not with a value that there is.

    Why it matters: clients that check results against the schema refuse the whole list, and show a
    server without tools.

    Fails, 2026-07-28:
        → 5 prompts/list
        ← 5 result {"resultType":"complete","prompts":[]}

    Passes, 2026-07-28:
        → 5 prompts/list
        ← 5 result {"resultType":"complete","prompts":[],"ttlMs":0,"cacheScope":"private"}
        → 6 prompts/get {"name":"greet"}
        ← 6 result {"resultType":"complete","messages":[]}

    What to do: add both. `"ttlMs": 0, "cacheScope": "private"` is always right.
    """

    id = "MOD012"
    title = "cacheable result without caching hints"
    severity = "error"
    culprit = "server"
    next = 'add both to the result; "ttlMs": 0, "cacheScope": "private" is always right'
    methods = CACHEABLE
    spec = "2026-07-28/server/utilities/caching"

    def examine(self, seen: Seen, exchange: Exchange) -> None:
        result = result_of(seen)
        if result is None or result.get("resultType") != "complete":
            return
        faults = caching_faults(result)
        if faults:
            message = f"server answered {called(exchange)} with {' and '.join(faults.values())}"
            self.hit((exchange.seq, seen.seq), message, key=" ".join((exchange.method, *faults)))


def caching_faults(result: dict[str, Any]) -> dict[str, str]:
    """What is wrong with the caching hints of a result, by member."""
    found: dict[str, str] = {}
    for name, is_right in (("ttlMs", is_duration), ("cacheScope", is_scope)):
        if name not in result:
            found[name] = f"no {name}"
        elif not is_right(result[name]) and not is_masked(result[name]):
            found[name] = f"{name} {shown(result[name])}"
    return found


def is_duration(value: Any) -> bool:
    """Whether ``value`` is a number that is not negative."""
    return isinstance(value, (int, float)) and not isinstance(value, bool) and value >= 0


def is_scope(value: Any) -> bool:
    """Whether ``value`` says for whom a result holds."""
    return value in SCOPES


METHOD_NOT_FOUND = -32601


class NoDiscovery(OfModernServer):
    """A server of the modern era without server/discover.

    What it means: the server answered `server/discover`, asked as it should be, with "method not
    found", and answers other requests of 2026-07-28.

    Why it matters: clients that speak both eras find out by this request what a server speaks.
    They fall back to `initialize`, and never use what the server can do.

    Fails, 2026-07-28:
        → 1 server/discover
        ← 1 error -32601 "Method not found"
        → 2 prompts/list
        ← 2 result {"resultType":"complete","prompts":[],"ttlMs":0,"cacheScope":"private"}

    Passes, 2026-07-28:
        → 1 server/discover
        ← 1 error -32601 "Method not found"
        → 2 prompts/list
        ← 2 result {"prompts":[]}

    What to do: implement it: `supportedVersions`, `capabilities`, `ttlMs`, `cacheScope`.
    """

    id = "MOD018"
    title = "server/discover is not implemented"
    severity = "error"
    culprit = "server"
    next = "implement server/discover: every server of 2026-07-28 must have it"
    spec = "2026-07-28/server/discover"

    def examine(self, seen: Seen, exchange: Exchange) -> None:
        asked = exchange.method == "server/discover" and exchange.version is not None
        if not asked or code_of(seen.message) != METHOD_NOT_FOUND:
            return
        if self.case.session.pairing.version is not None:
            return  # on a connection of before, a server may not know it any more
        where = (exchange.seq, seen.seq)
        message = (
            f"server answered server/discover with {METHOD_NOT_FOUND}, method not found, although it "
            f"speaks {MODERN[-1]}"
        )
        self.proof.when(partial(self.hit, where, message, explains=where))


MISSING_CAPABILITY = -32021


class NoErrorData(OfModernServer):
    """An error without the data that belongs to it.

    What it means: -32022 (the version is not supported) has to say in `data` which versions the
    server supports and which one was asked for; -32021 (the client lacks a capability) which
    capabilities are required. This error does not.

    Why it matters: a client takes from there what to try next. Without it, it can only give up.

    Fails, 2026-07-28:
        → 5 tools/list
        ← 5 error -32022 "Unsupported protocol version"

    Passes, 2026-07-28:
        → 5 tools/list
        ← 5 error -32022 "Unsupported protocol version"
            {"supported":["2027-02-01"],"requested":"2026-07-28"}

    What to do: add `data.supported` and `data.requested`, or `data.requiredCapabilities`.
    """

    id = "MOD019"
    title = "error without its data"
    severity = "error"
    culprit = "server"
    next = "add data.supported and data.requested (-32022), or data.requiredCapabilities (-32021)"
    spec = "2026-07-28/schema"

    def examine(self, seen: Seen, exchange: Exchange) -> None:
        code = code_of(seen.message)
        if code != UNSUPPORTED_VERSION and code != MISSING_CAPABILITY:
            return
        missing = missing_data(code, seen.error.get("data"))
        if missing:
            where = (exchange.seq, seen.seq)
            message = f"server answered {called(exchange)} with error {code} without {' and '.join(missing)}"
            self.proof.when(partial(self.hit, where, message, key=str(code), explains=where))


def missing_data(code: int, data: Any) -> list[str]:
    """What the data of an error with this code lacks."""
    if is_masked(data):
        return []
    given = data if isinstance(data, dict) else {}
    if code == MISSING_CAPABILITY:
        is_there = {"requiredCapabilities": isinstance(given.get("requiredCapabilities"), dict)}
    else:
        supported = given.get("supported")
        is_there = {
            "supported": isinstance(supported, list) and any(isinstance(each, str) for each in supported),
            "requested": isinstance(given.get("requested"), str),
        }
    return [f"data.{name}" for name, there in is_there.items() if not there]


RULES: tuple[type[Rule], ...] = (
    NoEnvelope,
    NoResultType,
    UnknownResultType,
    NoCachingHints,
    NoDiscovery,
    NoErrorData,
)
