"""RPC007: answer to an unknown id."""

from __future__ import annotations

from mcp_tap.diagnosis.asked import explain
from mcp_tap.diagnosis.context import MODERN_ONLY, UnmatchedResponse
from mcp_tap.diagnosis.rule import Rule
from mcp_tap.diagnosis.text import short
from mcp_tap.rules.jsonrpc._base import RESPONSES
from mcp_tap.rules.jsonrpc._ids import all_requests_known, alone_waiting, while_waiting


class AnswersNothing(Rule):
    """An answer to a request that nobody sent.

    What it means: the other side has sent no request with this id.

    Why it matters: the answer is lost; if it was meant for a request, that request keeps waiting. Some
    clients end the connection.

    Fails:
        → "a1" ping
        ← 99 result {}

    Passes:
        → 1 tools/call {"name":"a"}
        → notifications/cancelled {"requestId":1}
        ← 1 result {"content":[]}

    What to do: return the request's id exactly as it came, in value and type; look for a second process
    that writes to the same stdout.
    """

    id = "RPC007"
    title = "answer to an unknown id"
    severity = "error"
    culprit = "sender"
    next = (
        "return the request's id exactly as it came; look for a second process that writes to the same stdout"
    )
    spec = RESPONSES

    def unmatched_response(self, response: UnmatchedResponse) -> None:
        id = response.message.id
        if response.item.role != "answers-nothing" or id is None or not all_requests_known(response):
            return
        if response.side == "c2s" and response.version in MODERN_ONLY:
            return  # a server of that era asks nothing, which is told as such (MOD015)
        waiting = alone_waiting(response)
        message = f"{response.sender} sent an answer with the id {short(id)}, which no request has"
        hit = self.hit(response, message + while_waiting(waiting), key=response.side)
        if waiting is not None:
            explain(hit, waiting.seq)
