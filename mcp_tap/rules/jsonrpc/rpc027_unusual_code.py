"""RPC027: unusual error code."""

from __future__ import annotations

from mcp_tap.diagnosis.context import Answer
from mcp_tap.rules.jsonrpc._errors import Refusal, Refusals


class UnusualCode(Refusals):
    """An error code that JSON-RPC does not use.

    What it means: the code of an error is 0 or positive, like an HTTP status. JSON-RPC codes are
    negative. 0 is what the Python SDK sends for an exception that a handler did not catch.

    Why it matters: the code does not tell what went wrong, and clients that act on codes do not know
    it.

    Fails:
        → 5 prompts/get {"name":"x"}
        ← 5 error 404 "no such prompt"

    Passes:
        → 5 prompts/get {"name":"x"}
        ← 5 error -32602 "no such prompt"

    What to do: use -32602 for invalid params, -32603 for an exception, or a code of your own outside
    -32768 to -32000.
    """

    id = "RPC027"
    title = "unusual error code"
    severity = "warning"
    culprit = "sender"
    next = "use -32602 for invalid params, -32603 for an uncaught exception"
    spec = "2025-11-25/basic#responses"

    def refused(self, answer: Answer, refusal: Refusal) -> None:
        if refusal.code < 0 or refusal.exchange.cancelled_t is not None:
            return
        if 400 <= refusal.code < 600:
            why = "an HTTP status, not a JSON-RPC code"
        elif refusal.code == 0:
            why = "the Python SDK sends 0 for an exception that a handler did not catch"
        else:
            why = "JSON-RPC codes are negative"
        self.note(answer, refusal, f"{answer.sender} answered {refusal}: {why}")
