"""RPC008: id comes back with another type."""

from __future__ import annotations

from typing import Any

from mcp_tap.diagnosis.context import Answer, Notification, Occurrence
from mcp_tap.diagnosis.rule import Rule
from mcp_tap.diagnosis.text import called, short
from mcp_tap.model.exchange import Exchange
from mcp_tap.rules.jsonrpc._spec import RESPONSES


class OtherType(Rule):
    """An answer whose id has another JSON type.

    What it means: the request's id came back as a string instead of a number, or the other way round.

    Why it matters: the official SDKs let it pass, strict clients wait for ever. It is a warning, and an
    error where the client cancelled the request afterwards.

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

    def answer(self, seen: Answer) -> None:
        exchange = seen.item.exchange
        if exchange is None or not exchange.other_type:
            return
        asked, came = exchange.id, seen.message.id
        self.hit(
            (exchange.seq, seen.seq),
            f"{seen.sender} answered {called(exchange)}, id {short(asked)}, with the id {short(came)}: "
            "same value, other JSON type; strict clients wait for ever",
            key=change(seen, exchange, came),
            culprit="server" if seen.side == "s2c" else "client",
        )

    def notification(self, seen: Notification) -> None:
        exchange = seen.exchange
        if (
            exchange is None
            or not exchange.other_type
            or seen.message.method != "notifications/cancelled"
            or seen.side != exchange.side
        ):
            return
        for hit in self.hits.values():
            if exchange.answer_seq in hit.records:
                hit.severity = "error"
                hit.message = hit.message.partition("; strict")[0] + f"; the {seen.sender} then cancelled it"


def change(seen: Occurrence, exchange: Exchange, came: Any) -> str:
    """Which type has become which."""
    return f"{seen.side} {type_of(exchange.id)} as {type_of(came)}"


def type_of(id: Any) -> str:
    """string, integer, or number for what has a point."""
    return {str: "string", int: "integer", float: "number"}.get(type(id), "other")
