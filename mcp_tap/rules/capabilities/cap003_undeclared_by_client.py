"""CAP003: capability used that the client did not declare."""

from __future__ import annotations

from mcp_tap.diagnosis.asked import explain, never_answered, offers
from mcp_tap.diagnosis.context import LEGACY_ONLY, Answer
from mcp_tap.diagnosis.finding import Severity
from mcp_tap.diagnosis.interest import sees
from mcp_tap.diagnosis.rule import Rule
from mcp_tap.model.exchange import Exchange
from mcp_tap.model.methods import METHODS
from mcp_tap.rules.capabilities._base import NEGOTIATION

ASKS: dict[str, str] = {
    "roots/list": "roots",
    "sampling/createMessage": "sampling",
    "elicitation/create": "elicitation",
}
"""The client's capability that a method of the server needs."""


class NotDeclaredByClient(Rule):
    """The server used a capability that the client did not declare.

    What it means: the server sent `roots/list`, `sampling/createMessage` or `elicitation/create`, but
    the client had not declared the capability for it.

    Why it matters: the client cannot serve it. It answers with -32601 or not at all, and the call that
    the server is working on fails or waits. It is a warning if the client answered it.

    Fails:
        ← 5 roots/list
        → 5 error -32601 "Method not found"

    Passes, client {"roots":{}}:
        ← 5 roots/list
        → 5 error -32603 "disk is gone"

    What to do: check the client's capabilities in `initialize` before asking, and do without those that
    are missing.
    """

    id = "CAP003"
    title = "capability used that the client did not declare"
    severity = "error"
    culprit = "server"
    next = "check the client's capabilities first, and do without those that are missing"
    versions = LEGACY_ONLY
    methods = frozenset(ASKS)
    spec = NEGOTIATION

    @sees(sides="c2s")
    def answer(self, answer: Answer) -> None:
        self._judge(answer.exchange)

    def end(self) -> None:
        for exchange in never_answered(self.context):
            if exchange.method in ASKS and exchange.side == "s2c":
                self._judge(exchange)

    def _judge(self, exchange: Exchange) -> None:
        """How bad a request is, its answer tells."""
        method, capability = exchange.method, ASKS[exchange.method]
        # What the version does not have at all is told as such: RPC022.
        if exchange.version not in METHODS[method].versions:
            return
        if offers(self.context, "c2s", capability) is not False:
            return
        served = exchange.outcome not in ("open", "error")
        severity: Severity = "warning" if served else "error"
        hit = self.hit(
            exchange.seq,
            f"server sent {method} although the client did not declare {capability}"
            + ("; the client answered anyway" if served else ""),
            key=method,
            severity=severity,
        )
        if severity == "error":
            hit.severity = severity
        explain(hit, exchange.seq, None if served else exchange.answer_seq)
