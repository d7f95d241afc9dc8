"""RPC008: id comes back with another type."""

from __future__ import annotations

from typing import Any

from mcp_tap.diagnosis.context import Answer, Notification
from mcp_tap.diagnosis.interest import sees
from mcp_tap.diagnosis.recognise.irregular import is_irregular
from mcp_tap.diagnosis.rule import Rule, sender_of
from mcp_tap.diagnosis.text import called, short
from mcp_tap.rules.jsonrpc._base import RESPONSES


class OtherType(Rule):
    """An answer whose id has another JSON type.

    What it means: the request's id came back as a string instead of a number, or the other way round.

    Why it matters: the official SDKs accept it; strict clients wait forever. It is a warning, or an
    error if the client cancelled the request afterwards.

    Fails:
        → "7" tools/list
        ← 7 result {"tools":[]}

    Passes:
        → "7" tools/list
        → 7 ping
        ← 7 result {}
        ← "7" result {"tools":[]}

    What to do: keep the id as raw JSON and return it unchanged.
    """

    id = "RPC008"
    title = "id comes back with another type"
    severity = "warning"
    culprit = "sender"
    next = "keep the id as it came, and return it unchanged"
    spec = RESPONSES

    @sees(sign=is_irregular)
    def answer(self, answer: Answer) -> None:
        exchange = answer.exchange
        if not exchange.other_type:
            return
        asked, came = exchange.id, answer.message.id
        self.hit(
            (exchange.seq, answer.seq),
            f"{answer.sender} answered {called(exchange)}, id {short(asked)}, with the id {short(came)}: "
            "same value, different JSON type; strict clients wait forever",
            key=f"{answer.side} {type_of(asked)} as {type_of(came)}",
            culprit=sender_of(answer),
        )

    @sees(methods="notifications/cancelled")
    def notification(self, cancelled: Notification) -> None:
        exchange = cancelled.exchange
        if exchange is None or not exchange.other_type or cancelled.side != exchange.side:
            return
        for hit in self.hits.values():
            if exchange.answer_seq in hit.records:
                hit.severity = "error"
                found = hit.message.partition("; strict")[0]
                hit.message = f"{found}; the {cancelled.sender} then cancelled it"


def type_of(id: Any) -> str:
    """string, integer, or number for what has a point."""
    return {str: "string", int: "integer", float: "number"}.get(type(id), "other")
