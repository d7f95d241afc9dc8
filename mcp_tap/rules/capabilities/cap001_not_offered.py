"""CAP001: capability used that the server did not declare."""

from __future__ import annotations

from typing import Any

from mcp_tap.diagnosis.asked import offers, open_requests
from mcp_tap.diagnosis.context import Answer, SessionContext
from mcp_tap.diagnosis.finding import Hit
from mcp_tap.diagnosis.interest import sees
from mcp_tap.diagnosis.rule import Rule
from mcp_tap.diagnosis.text import seconds
from mcp_tap.model.methods import CATALOGUE, LEGACY
from mcp_tap.rules.capabilities._base import NEGOTIATION, SERVES

NO_COMPLETIONS = LEGACY[:1]
"""Versions in which completions needed no capability."""

OPENING = frozenset({"initialize", "server/discover", "ping"})
"""Requests that a client is not there for."""

LEFT_SOON_SECONDS = 2.0
"""Within which a client that leaves after an error is taken to leave because of it."""

HARMLESS = frozenset({*CATALOGUE, "logging/setLevel"})
"""What many clients ask for without looking whether it is offered."""


class NotOffered(Rule):
    """The client used a capability that the server did not declare.

    What it means: the client sent a request that requires a server capability, and the server did not
    declare it in its answer to `initialize` (or to `server/discover`).

    Why it matters: many clients list everything and treat an error or an empty list as "none", so most
    of the time it is harmless, even if a log shows it as a failure. It looks like an error if it was
    the last thing that happened: nothing else was requested, and the client left at once. If the server
    answered anyway, the server should declare the capability: other clients do not ask for what is not
    declared, and show nothing.

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

    What to do: as a client, check the server's capabilities before asking, and treat an error as an
    empty list. As a server, declare what you serve.
    """

    id = "CAP001"
    title = "capability used that the server did not declare"
    severity = "info"
    culprit = "client"
    next = "nothing, if the client goes on; a client can check the server's capabilities before it asks"
    spec = NEGOTIATION

    methods = frozenset(SERVES)

    def __init__(self, context: SessionContext) -> None:
        super().__init__(context)
        self._asked: dict[str, dict[str, None]] = {}
        """By capability, the methods that were asked for, in order."""
        self._refused: tuple[Hit, float] | None = None
        """The finding and the time of the last request that was refused."""
        self._refusals = 0
        self._left: tuple[Hit, float] | None = None
        """The finding after which the client left, and how many seconds later."""

    @sees(sides="s2c")
    def answer(self, answer: Answer) -> None:
        capability = SERVES[answer.exchange.method]
        if self._may_ask(capability, answer.version):
            return
        if answer.exchange.outcome == "error":
            self._refused = (self._ask(answer, capability), answer.t)
            self._refusals += 1
        elif has_content(answer.exchange.method, answer.result):
            self._serve(answer, capability)
        else:
            self._ask(answer, capability)

    def _may_ask(self, capability: str, version: str | None) -> bool:
        if offers(self.context, "s2c", capability) is not False:
            return True
        return capability == "completions" and (version is None or version in NO_COMPLETIONS)

    def _ask(self, answer: Answer, capability: str) -> Hit:
        exchange = answer.exchange
        self._asked.setdefault(capability, {})[exchange.method] = None
        return self.hit(exchange.seq, "", key=capability, explains=(exchange.seq, answer.seq))

    def _serve(self, answer: Answer, capability: str) -> None:
        method = answer.exchange.method
        self.hit(
            (answer.exchange.seq, answer.seq),
            f"server answers {method} although it did not declare {capability}; clients that "
            "rely on the declaration will not ask",
            key=f"{capability} served",
            severity="warning",
            culprit="server",
            next=f"declare {capability} in the server's capabilities",
        )

    def end(self) -> None:
        if self._refused is None or self._had_other_work() or not (self.context.whole and self.context.over):
            return
        hit, t = self._refused
        left, last = self.context.client_closed_t, self.context.last_c2s_t
        if left is None or not t <= left <= t + LEFT_SOON_SECONDS or (last is not None and last >= t):
            return
        if not any(exchange.side == "c2s" for exchange in open_requests(self.context)):
            hit.severity, hit.certainty = "error", "heuristic"
            self._left = (hit, left - t)
            hit.next = "make the client treat this error as an empty list, or make the server return one"

    def _had_other_work(self) -> bool:
        """Whether anything else was served, or failed: then it is not known why the client left."""
        context = self.context
        opening = sum(context.answers.get(method, 0) for method in OPENING)
        return context.answered > opening + self._refusals

    def sentence(self, hit: Hit) -> str:
        methods = self._asked.get(str(hit.key))
        if methods is None:
            return super().sentence(hit)
        asked = f"client asked for {' and '.join(methods)} although the server did not declare {hit.key}"
        if self._left is not None and self._left[0] is hit:
            after = seconds(self._left[1])
            return f"{asked}; it left {after} after that was refused, which is probably why"
        return f"{asked}; harmless" if self.context.whole and set(methods) <= HARMLESS else asked


def has_content(method: str, result: dict[str, Any]) -> bool:
    """Whether a result is more than a polite nothing."""
    if method in CATALOGUE:
        return bool(result.get(CATALOGUE[method]))
    if method == "completion/complete":
        completion = result.get("completion")
        return isinstance(completion, dict) and bool(completion.get("values"))
    return any(name not in ("_meta", "resultType") for name in result)
