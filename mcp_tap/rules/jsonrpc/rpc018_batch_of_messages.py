"""RPC018: batch of messages."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from mcp_tap.diagnosis.asked import explain
from mcp_tap.diagnosis.context import SessionContext
from mcp_tap.diagnosis.finding import Finding, Hit
from mcp_tap.diagnosis.interest import sees
from mcp_tap.diagnosis.recognise.kinds import is_like_a_message
from mcp_tap.diagnosis.rule import Rule
from mcp_tap.diagnosis.text import plural
from mcp_tap.model.exchange import Exchange
from mcp_tap.model.message import Side, id_key
from mcp_tap.model.methods import ALL
from mcp_tap.record.reader import Record

BATCH_KEPT = 100
"""Requests of batches whose answers are looked at."""


class Batch(Rule):
    """A batch.

    What it means: several messages were sent as one JSON array. Only 2025-03-26 has batches.

    Why it matters: the official SDKs ignore arrays on stdio: no answer, no error. It is a warning if
    all its requests were answered.

    Fails, 2025-06-18:
        → [{"jsonrpc":"2.0","id":1,"method":"tools/list"},{"jsonrpc":"2.0","id":2,"method":"prompts/list"}]

    Passes, 2025-03-26:
        → [{"jsonrpc":"2.0","id":1,"method":"tools/list"},{"jsonrpc":"2.0","id":2,"method":"ping"}]
        ← [{"jsonrpc":"2.0","id":1,"result":{"tools":[]}},{"jsonrpc":"2.0","id":2,"result":{}}]

    What to do: send each message on its own line.
    """

    id = "RPC018"
    title = "batch of messages"
    severity = "error"
    culprit = "sender"
    next = "send each message on its own line"
    spec = "2025-06-18/changelog#major-changes"
    versions = frozenset(ALL) - {"2025-03-26"}

    def __init__(self, context: SessionContext) -> None:
        super().__init__(context)
        self._asked: dict[str, list[Exchange]] = {"c2s": [], "s2c": []}

    @sees(odd_lines=True)
    def line(self, record: Record) -> None:
        if type(record.value) is not list or not self.applies_to_session():
            return
        session = self.context.session
        if session.protocol is None and session.offered == "2025-03-26":
            return  # not agreed on yet, and it may be
        parts = [part for part in record.value if is_like_a_message(part)]
        if not parts:
            return  # a list that was printed
        under = f" under {session.protocol}" if session.protocol is not None else ""
        who = "client" if record.dir == "c2s" else "server"
        message = f"{who} sent a batch{under}; batches exist only in 2025-03-26"
        explain(self.hit(record, message, key=record.dir), record.seq)
        self._await(record, parts)

    def _await(self, record: Record, parts: list[dict[str, Any]]) -> None:
        """Note the requests of a batch; they are open, since it has just been read."""
        side: Side = "c2s" if record.dir == "c2s" else "s2c"
        asked = self._asked[side]
        for part in parts[: BATCH_KEPT - len(asked)]:
            exchange = self.context.session.pairing.open.get((side, id_key(part.get("id"))))
            if exchange is not None and exchange.seq == record.seq:
                asked.append(exchange)

    def finding(self, hit: Hit) -> Finding:
        found, asked = super().finding(hit), self._asked[str(hit.key)]
        waiting = sum(each.outcome == "open" for each in asked)
        if asked and not waiting:
            return replace(found, severity="warning")
        if waiting and self.context.whole and self.context.over:
            return replace(found, message=f"{found.message}; {plural(waiting, 'request')} unanswered")
        return found
