"""RPC011: not a JSON-RPC message."""

from __future__ import annotations

from mcp_tap.diagnosis.asked import explain, other
from mcp_tap.diagnosis.invalid_lines import Stray, StrayRule
from mcp_tap.diagnosis.text import quoted
from mcp_tap.model.message import id_key
from mcp_tap.rules.jsonrpc._base import MESSAGES


class NoMessage(StrayRule):
    """JSON that is meant as a message but is not one.

    What it means: an object has neither method, result nor error, or a method that is not a string; or
    the client sent JSON that is not an object at all.

    Why it matters: it is dropped; if it was meant to answer a request, that request keeps waiting.

    Fails:
        → 1 tools/list
        ← {"jsonrpc":"2.0","id":1,"tools":[]}

    Passes (and FRM018):
        ← {"level":"info","msg":"ready"}

    What to do: use an SDK to build messages; results belong under "result".
    """

    id = "RPC011"
    title = "not a JSON-RPC message"
    severity = "error"
    culprit = "sender"
    next = "send requests with a method, and answers with a result or an error"
    spec = MESSAGES
    kinds = frozenset({"no-message"})

    def stray(self, stray: Stray) -> None:
        message = stray.invalid.message
        hit = self.note(
            stray, f"{stray.culprit} sent JSON that is not a message: {quoted(message.why or '', 120)}"
        )
        value = message.value
        if isinstance(value, dict) and "id" in value and "method" not in value:
            exchange = self.context.session.pairing.open.get((other(stray.side), id_key(value["id"])))
            if exchange is not None:
                explain(hit, exchange.seq)
