"""RPC009: two answers to one request."""

from __future__ import annotations

from mcp_tap.diagnosis.asked import explain
from mcp_tap.diagnosis.context import UnmatchedResponse
from mcp_tap.diagnosis.rule import Rule, sender_of
from mcp_tap.diagnosis.text import called, key_of_request, short
from mcp_tap.rules.jsonrpc._base import RESPONSES
from mcp_tap.rules.jsonrpc._ids import all_requests_known, alone_waiting, while_waiting


class AnsweredTwice(Rule):
    """A request that was answered twice.

    What it means: there are two responses with the same id.

    Why it matters: the second one is ignored, or taken for the answer to another request; some clients
    end the connection.

    Fails:
        → 1 tools/list
        ← 1 result {"tools":[]}
        ← 1 result {"tools":[]}

    Passes:
        → 1 tools/list
        ← 1 result {"tools":[]}
        → 2 tools/list
        ← 2 result {"tools":[]}

    What to do: answer once; look for an error path that falls through to the normal one.
    """

    id = "RPC009"
    title = "two answers to one request"
    severity = "error"
    culprit = "sender"
    next = "answer exactly once; look for an error path that falls through to the normal one"
    spec = RESPONSES

    def unmatched_response(self, response: UnmatchedResponse) -> None:
        exchange = response.exchange
        if response.item.role != "answers-again" or exchange is None or not all_requests_known(response):
            return
        first = () if exchange.answer_seq is None else (exchange.answer_seq,)
        waiting = alone_waiting(response)
        message = f"{response.sender} answered {called(exchange)} (id {short(exchange.id)}) a second time"
        hit = self.hit(
            (*first, response.seq),
            message + while_waiting(waiting),
            key=f"{response.side} {key_of_request(exchange)}",
            culprit=sender_of(response),
        )
        if waiting is not None:  # it may be the one that was meant
            explain(hit, waiting.seq)
