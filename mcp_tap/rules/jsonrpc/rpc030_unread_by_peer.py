"""RPC030: peer could not read a message."""

from __future__ import annotations

from collections import deque

from mcp_tap.diagnosis.asked import asker_of, code_of, other
from mcp_tap.diagnosis.context import Answer, Occurrence, UnmatchedResponse
from mcp_tap.diagnosis.finding import Culprit
from mcp_tap.diagnosis.rule import Rule, sender_of
from mcp_tap.diagnosis.text import called, said
from mcp_tap.model.message import Side
from mcp_tap.record.reader import Record

UNREADABLE = {-32700: "could not read it", -32600: "did not take it for a request"}
"""What a peer says of a message that it does not accept at all."""


class PeerCouldNotRead(Rule):
    """The peer could not read a message.

    What it means: one side answered with -32700 (parse error) or -32600 (invalid request): what it
    was sent is no JSON, or no request, to its mind. The evidence is what was sent just before.

    Why it matters: the message is lost. Which side is wrong, its text shows: a parser that is
    stricter than JSON, or a line that is broken.

    Fails:
        → 5 tools/call {"name":"search","arguments":{"q":"x"}}
        ← 5 error -32600 "Invalid Request"

    Passes:
        → 5 tools/call {"name":"search","arguments":{"q":"x"}}
        ← 5 error -32603 "Cannot parse the index"

    What to do: look at the line in question for what this peer may not accept: half of a surrogate
    pair, NaN, an id that is null, params that are an array, a batch, an envelope of the other era.
    """

    id = "RPC030"
    title = "peer could not read a message"
    severity = "warning"
    culprit = "undecided"
    next = "look at the line that was sent just before, and at what this peer's parser does not accept"
    spec = "2025-11-25/basic#responses"

    def answer(self, seen: Answer) -> None:
        exchange = seen.exchange
        # A server that does not know server/discover may say so in any way: LIF015.
        if exchange is None or exchange.method == "server/discover" or self._code(seen) is None:
            return
        asked = next((each for each in self.context.recent if each.seq == exchange.seq), None)
        what = f"the {asker_of(exchange)}'s {called(exchange)}"
        self._tell(seen, what, exchange.method, (exchange.seq, seen.seq), asked, "undecided")

    def unmatched_response(self, seen: UnmatchedResponse) -> None:
        code = self._code(seen)
        if code is None or not self.context.whole:
            return
        before = last_of(self.context.recent, other(seen.side))
        if before is None or (code == -32600 and is_notification(before)):
            return  # an answer to a notification is another fault
        blame: Culprit = "undecided" if before.is_message else sender_of(before)
        what = f"what the {seen.receiver} had sent just before"
        self._tell(seen, what, "", (before.seq, seen.seq), before, blame)

    def _code(self, seen: Occurrence) -> int | None:
        """The code, if it is one of these and somebody still wanted an answer."""
        code = code_of(seen.message)
        return None if code not in UNREADABLE or self.context.closed else code

    def _tell(
        self,
        seen: Occurrence,
        what: str,
        method: str,
        records: tuple[int, int],
        frame: Record | None,
        blame: Culprit,
    ) -> None:
        code = code_of(seen.message) or 0
        words = said(seen.message)
        self.hit(
            records,
            f"{seen.sender} answered {what} with {code}{' ' + words if words else ''}: it {UNREADABLE[code]}",
            key=f"{seen.sender} {method} {code}",
            evidence=None if frame is None else frame.payload[:EVIDENCE_BYTES].decode(errors="replace"),
            culprit=blame,
            explains=(seen.seq,),
        )


EVIDENCE_BYTES = 1000
"""Of a line, enough for an excerpt."""


def last_of(recent: deque[Record], side: Side) -> Record | None:
    """The last line of one side among the records before."""
    return next((each for each in reversed(recent) if each.dir == side), None)


def is_notification(record: Record) -> bool:
    """Whether a line is a notification; one that no JSON-RPC message is, is none."""
    value = record.value if record.is_message else None
    return isinstance(value, dict) and isinstance(value.get("method"), str) and "id" not in value
