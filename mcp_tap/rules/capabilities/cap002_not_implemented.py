"""CAP002: declared capability is not implemented."""

from __future__ import annotations

from mcp_tap.diagnosis.asked import code_of, offers
from mcp_tap.diagnosis.context import Answer
from mcp_tap.diagnosis.interest import sees
from mcp_tap.diagnosis.rule import Rule
from mcp_tap.rules.capabilities._base import NEGOTIATION, SERVES


class NotImplementedAtAll(Rule):
    """A capability that is declared but not implemented.

    What it means: the server declared tools, resources or prompts, but answered the request that lists
    them with -32601, method not found.

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

    What to do: remove the capability, or register the handler. Several SDKs have no handler as long as
    nothing is registered: do not declare what will always be empty.
    """

    id = "CAP002"
    title = "declared capability is not implemented"
    severity = "error"
    culprit = "server"
    next = "remove the capability from the server's declaration, or register the handler"
    spec = NEGOTIATION
    methods = frozenset({"tools/list", "resources/list", "prompts/list"})

    @sees(sides="s2c", outcomes="error")
    def answer(self, answer: Answer) -> None:
        exchange = answer.exchange
        capability = SERVES[exchange.method]
        if code_of(answer.message) == METHOD_NOT_FOUND and offers(self.context, "s2c", capability):
            message = (
                f"server declared {capability} but answered {exchange.method} with -32601, method not found"
            )
            self.hit((exchange.seq, answer.seq), message, key=capability, explains=(answer.seq,))


METHOD_NOT_FOUND = -32601
