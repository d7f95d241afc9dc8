"""CAP001-006: what was used although it was not declared, or declared although it is not there
(MCP basic/lifecycle#capability-negotiation)."""

from __future__ import annotations

from typing import Any

from mcp_tap.model.exchange import Exchange
from mcp_tap.model.methods import CATALOGUE, LEGACY, METHODS
from mcp_tap.rules.case import LEGACY_ONLY, Seen, seconds
from mcp_tap.rules.facts.asked import DecidedByAnswer, code_of, explain, offers, open_requests
from mcp_tap.rules.finding import Hit, Severity
from mcp_tap.rules.rule import Rule

NEGOTIATION = "2025-11-25/basic/lifecycle#capability-negotiation"

SERVES: dict[str, str] = {
    "tools/list": "tools",
    "tools/call": "tools",
    "resources/list": "resources",
    "resources/templates/list": "resources",
    "resources/read": "resources",
    "resources/subscribe": "resources",
    "resources/unsubscribe": "resources",
    "prompts/list": "prompts",
    "prompts/get": "prompts",
    "completion/complete": "completions",
    "logging/setLevel": "logging",
}
"""The server's capability that a method of the client needs."""

ASKS: dict[str, str] = {
    "roots/list": "roots",
    "sampling/createMessage": "sampling",
    "elicitation/create": "elicitation",
}
"""The client's capability that a method of the server needs."""

NO_COMPLETIONS = LEGACY[:1]
"""Versions in which completions needed no capability."""

OPENING = frozenset({"initialize", "server/discover", "ping"})
"""Requests that a client is not there for."""

LEFT_SOON_SECONDS = 2.0
"""Within which a client that leaves after an error is taken to leave because of it."""


class NotOffered(Rule):
    """The client used what the server did not declare.

    What it means: the client sent a request for which the server has to declare a capability, and
    the server did not declare it in its answer to `initialize` (or to `server/discover`).

    Why it matters: many clients list everything and take an error or an empty list for "none", so
    most of the time it is harmless, even where a log shows it as a failure. It looks like an error
    where it was the last thing that happened: nothing else was asked, and the client left at once.
    Where the server has served it all the same, it is the server that ought to declare it: other
    clients do not ask for what is not declared, and show nothing.

    Fails, server {"tools":{}}:
        → 5 resources/list
        ← 5 error -32601 "Method not found"
        → 6 tools/list
        ← 6 result {"tools":[]}

    Fails, server {}:
        → 5 prompts/list
        ← 5 result {"prompts":[{"name":"greet"}]}

    Passes, server {"resources":{}}:
        → 5 resources/list
        ← 5 result {"resources":[]}

    What to do: as a client, look at the server's capabilities before asking, and take an error here
    for an empty list. As a server, declare what you serve.
    """

    id = "CAP001"
    title = "capability used that the server did not declare"
    severity = "info"
    culprit = "client"
    next = "nothing, if the client goes on; a client can look at the server's capabilities before it asks"
    spec = NEGOTIATION

    refused: tuple[Hit, float] | None = None
    """The finding and the time of the last request that was refused."""
    other_work = False
    """Whether anything else was served, or failed: then it is not known why the client left."""

    def answer(self, seen: Seen) -> None:
        exchange = seen.exchange
        if exchange is None or exchange.side != "c2s" or exchange.method in OPENING:
            return
        capability = SERVES.get(exchange.method)
        if capability is None or self._may_ask(capability, seen.version):
            self.other_work = True
        elif seen.message.kind == "error":
            self.refused = (self._ask(seen, exchange, capability), seen.t)
        elif has_content(exchange.method, seen.result):
            self.other_work = True
            self._serve(seen, exchange, capability)
        else:
            self.other_work = True
            self._ask(seen, exchange, capability)

    def _may_ask(self, capability: str, version: str | None) -> bool:
        if capability == "completions" and (version is None or version in NO_COMPLETIONS):
            return True
        return offers(self.case, "s2c", capability) is not False

    def _ask(self, seen: Seen, exchange: Exchange, capability: str) -> Hit:
        hit = self.hit(exchange.seq, "", key=capability, explains=(exchange.seq, seen.seq))
        asked = hit.facts.setdefault("methods", [])
        assert isinstance(asked, list)
        if exchange.method not in asked:
            asked.append(exchange.method)
        hit.facts["capability"] = capability
        return hit

    def _serve(self, seen: Seen, exchange: Exchange, capability: str) -> None:
        self.hit(
            (exchange.seq, seen.seq),
            f"server answers {exchange.method} although it did not declare {capability}; clients that "
            "look at what is declared will not ask",
            key=f"{capability} served",
            severity="warning",
            culprit="server",
            next=f"declare {capability} in the server's capabilities",
        )

    def end(self) -> None:
        if self.refused is None or self.other_work or not (self.case.whole and self.case.over):
            return
        hit, t = self.refused
        left, last = self.case.client_closed_t, self.case.last_c2s_t
        if left is None or not t <= left <= t + LEFT_SOON_SECONDS or (last is not None and last >= t):
            return
        if not any(exchange.side == "c2s" for exchange in open_requests(self.case)):
            hit.severity, hit.certainty = "error", "heuristic"
            hit.facts["left"] = left - t
            hit.next = (
                "let the client take an error here for an empty list, or have the server answer with one"
            )

    def sentence(self, hit: Hit) -> str:
        if "capability" not in hit.facts:
            return super().sentence(hit)
        capability, methods = hit.facts["capability"], hit.facts["methods"]
        assert isinstance(methods, list)
        asked = f"client asked for {' and '.join(methods)} although the server did not offer {capability}"
        left, harmless = hit.facts.get("left"), {*CATALOGUE, "logging/setLevel"}
        if isinstance(left, float):
            return f"{asked}; it left {seconds(left)} after that was refused, which looks like the reason"
        return f"{asked}; harmless" if self.case.whole and harmless >= set(methods) else asked


def has_content(method: str, result: dict[str, Any]) -> bool:
    """Whether a result is more than a polite nothing."""
    if method in CATALOGUE:
        return bool(result.get(CATALOGUE[method]))
    if method == "completion/complete":
        completion = result.get("completion")
        return isinstance(completion, dict) and bool(completion.get("values"))
    return any(name not in ("_meta", "resultType") for name in result)


class NotImplementedAtAll(Rule):
    """A capability that is declared and not there.

    What it means: the server declared tools, resources or prompts, and answered the request that
    lists them with -32601, method not found.

    Why it matters: a client that relies on the declaration shows an error, or takes the server for
    broken.

    Fails:
        → 5 prompts/list
        ← 5 error -32601 "Method not found"

    Passes, server {"tools":{}}:
        → 5 prompts/list
        ← 5 error -32601 "Method not found"
        → 6 tools/list
        ← 6 result {"tools":[]}

    What to do: remove the capability, or register the handler. Several SDKs have no handler as long
    as nothing is registered: do not declare what is empty for ever.
    """

    id = "CAP002"
    title = "declared capability is not implemented"
    severity = "error"
    culprit = "server"
    next = "remove the capability from the server's declaration, or register the handler"
    spec = NEGOTIATION
    methods = frozenset({"tools/list", "resources/list", "prompts/list"})

    def answer(self, seen: Seen) -> None:
        exchange = seen.exchange
        if exchange is None or exchange.side != "c2s" or code_of(seen.message) != METHOD_NOT_FOUND:
            return
        capability = SERVES[exchange.method]
        if offers(self.case, "s2c", capability):
            message = (
                f"server declared {capability} and answered {exchange.method} with -32601, method not found"
            )
            self.hit((exchange.seq, seen.seq), message, key=capability, explains=(seen.seq,))


METHOD_NOT_FOUND = -32601


class NotDeclaredByClient(DecidedByAnswer):
    """The server asked for what the client did not declare.

    What it means: the server sent `roots/list`, `sampling/createMessage` or `elicitation/create`,
    and the client had not declared the capability for it.

    Why it matters: the client has nobody to ask. It answers with -32601 or not at all, and the call
    that the server works on fails or waits. It is a warning where the client answered it.

    Fails:
        ← 5 roots/list
        → 5 error -32601 "Method not found"

    Passes, client {"roots":{}}:
        ← 5 roots/list
        → 5 error -32603 "disk is gone"

    What to do: look at the client's capabilities in `initialize` before asking, and do without where
    they are missing.
    """

    id = "CAP003"
    title = "capability used that the client did not declare"
    severity = "error"
    culprit = "server"
    next = "look at the client's capabilities first, and do without what is missing"
    versions = LEGACY_ONLY
    methods = frozenset(ASKS)
    spec = NEGOTIATION

    def concerns(self, exchange: Exchange) -> bool:
        capability = ASKS.get(exchange.method)
        if capability is None or exchange.side != "s2c" or exchange.version is None:
            return False
        # What the version does not have at all is told as such: RPC022.
        is_there = exchange.version in METHODS[exchange.method].versions
        return is_there and offers(self.case, "c2s", capability) is False

    def judge(self, exchange: Exchange, seen: Seen | None) -> None:
        served = seen is not None and seen.message.kind == "response"
        severity: Severity = "warning" if served else "error"
        method, capability = exchange.method, ASKS[exchange.method]
        hit = self.hit(
            exchange.seq,
            f"server sent {method} although the client did not declare {capability}"
            + ("; the client answered all the same" if served else ""),
            key=method,
            severity=severity,
        )
        if severity == "error":
            hit.severity = severity
        explain(hit, exchange.seq, None if seen is None or served else seen.seq)


class ChangeNotDeclared(Rule):
    """A list_changed notification that was not declared.

    What it means: the server tells that a list has changed, and had not declared `listChanged` for it.

    Why it matters: a client that relies on the declaration does not listen, and goes on with the old
    list.

    Fails, server {"tools":{}}:
        ← notifications/tools/list_changed

    Passes, server {"tools":{"listChanged":true}}:
        ← notifications/tools/list_changed

    What to do: declare `"tools": {"listChanged": true}` (or the same for prompts or resources) in the
    answer to `initialize` or `server/discover`.
    """

    id = "CAP004"
    title = "list_changed sent and not declared"
    severity = "warning"
    culprit = "server"
    next = "declare listChanged: true for this list in the server's capabilities"
    methods = frozenset(f"notifications/{what}/list_changed" for what in ("tools", "resources", "prompts"))
    spec = "2025-11-25/server/tools#capabilities"

    def notification(self, seen: Seen) -> None:
        method = seen.message.method or ""
        what = method.split("/")[1]
        if seen.side == "s2c" and offers(self.case, "s2c", what, "listChanged") is False:
            message = f"server sent {method} and did not declare listChanged for {what}"
            self.hit(seen, message, key=what)


class LogNotDeclared(Rule):
    """A log message without the logging capability.

    What it means: the server sends `notifications/message` and did not declare `logging`.

    Why it matters: a client need not show messages that were not announced: they may be lost.

    Fails, server {"tools":{}}:
        ← notifications/message {"level":"info","data":"ready"}

    Passes, server {"logging":{}}:
        ← notifications/message {"level":"info","data":"ready"}

    What to do: declare `"logging": {}`, or write to stderr.
    """

    id = "CAP005"
    title = "log message without the logging capability"
    severity = "warning"
    culprit = "server"
    next = 'declare "logging": {} in the server\'s capabilities, or log to stderr'
    methods = frozenset({"notifications/message"})
    spec = "2025-11-25/server/utilities/logging#capabilities"

    def notification(self, seen: Seen) -> None:
        if seen.side == "s2c" and offers(self.case, "s2c", "logging") is False:
            self.hit(seen, "server sent notifications/message and did not declare logging")


LEVELS = ("debug", "info", "notice", "warning", "error", "critical", "alert", "emergency")
"""The levels of log messages, from the least to the most severe (RFC 5424)."""

SETTLED_SECONDS = 0.1
"""After a new level is confirmed, for messages that were already on their way."""


class BelowLevel(Rule):
    """A log message below the level that was asked for.

    What it means: the client has set a level with `logging/setLevel`, the server has confirmed it,
    and sends messages of a lower one. The levels are debug, info, notice, warning, error, critical,
    alert, emergency.

    Why it matters: a client that wanted errors only gets every message, and shows or pays for it.

    Fails:
        → 5 logging/setLevel {"level":"error"}
        ← 5 result {}
        2 ← notifications/message {"level":"info","data":"still here"}

    Passes:
        → 5 logging/setLevel {"level":"info"}
        ← 5 result {}
        2 ← notifications/message {"level":"warning","data":"cache cold"}

    What to do: drop messages below the level in the server.
    """

    id = "CAP006"
    title = "log message below the level that was set"
    severity = "warning"
    culprit = "server"
    next = "drop messages below the level that the client has set"
    versions = LEGACY_ONLY
    methods = frozenset({"logging/setLevel", "notifications/message"})
    spec = "2025-11-25/server/utilities/logging#setting-log-level"

    wanted: str | None = None
    """The level that holds; None where none was set, or one that is not known."""
    since = 0.0
    """When it was confirmed."""
    asked: str | None = None
    """The level that the last request asked for."""
    pending = 0
    """Requests to set a level that have no answer yet: the server may have obeyed them already."""

    def request(self, seen: Seen) -> None:
        if seen.side == "c2s" and seen.message.method == "logging/setLevel":
            level = seen.params.get("level")
            self.asked = level if level in LEVELS else None
            self.pending += 1

    def answer(self, seen: Seen) -> None:
        if seen.side == "s2c" and self.pending:
            self.pending -= 1
            self.wanted = self.asked if seen.message.kind == "response" else None
            self.since = seen.t

    def notification(self, seen: Seen) -> None:
        level, wanted = seen.params.get("level"), self.wanted
        if seen.side != "s2c" or wanted is None or self.pending or level not in LEVELS:
            return
        if not self.case.whole or seen.t - self.since < SETTLED_SECONDS:
            return
        if LEVELS.index(level) < LEVELS.index(wanted):
            message = (
                f"server sent a log message of level {level} after the client had set the level to {wanted}"
            )
            self.hit(seen, message, key=level)


RULES: tuple[type[Rule], ...] = (
    NotOffered,
    NotImplementedAtAll,
    NotDeclaredByClient,
    ChangeNotDeclared,
    LogNotDeclared,
    BelowLevel,
)
