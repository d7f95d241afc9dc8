"""CAP001: capability used that the server did not declare."""

from __future__ import annotations

from typing import Any

from mcp_tap.diagnosis.asked import offers, open_requests
from mcp_tap.diagnosis.context import Answer, Occurrence
from mcp_tap.diagnosis.finding import Hit
from mcp_tap.diagnosis.rule import Rule
from mcp_tap.diagnosis.text import seconds
from mcp_tap.model.exchange import Exchange
from mcp_tap.model.methods import CATALOGUE, LEGACY
from mcp_tap.rules.capabilities._base import NEGOTIATION, SERVES

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

    def answer(self, seen: Answer) -> None:
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
        return offers(self.context, "s2c", capability) is not False

    def _ask(self, seen: Occurrence, exchange: Exchange, capability: str) -> Hit:
        hit = self.hit(exchange.seq, "", key=capability, explains=(exchange.seq, seen.seq))
        asked = hit.facts.setdefault("methods", [])
        assert isinstance(asked, list)
        if exchange.method not in asked:
            asked.append(exchange.method)
        hit.facts["capability"] = capability
        return hit

    def _serve(self, seen: Occurrence, exchange: Exchange, capability: str) -> None:
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
        if self.refused is None or self.other_work or not (self.context.whole and self.context.over):
            return
        hit, t = self.refused
        left, last = self.context.client_closed_t, self.context.last_c2s_t
        if left is None or not t <= left <= t + LEFT_SOON_SECONDS or (last is not None and last >= t):
            return
        if not any(exchange.side == "c2s" for exchange in open_requests(self.context)):
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
        return f"{asked}; harmless" if self.context.whole and harmless >= set(methods) else asked


def has_content(method: str, result: dict[str, Any]) -> bool:
    """Whether a result is more than a polite nothing."""
    if method in CATALOGUE:
        return bool(result.get(CATALOGUE[method]))
    if method == "completion/complete":
        completion = result.get("completion")
        return isinstance(completion, dict) and bool(completion.get("values"))
    return any(name not in ("_meta", "resultType") for name in result)
