"""RPC030: peer could not read a message."""

from __future__ import annotations

from collections import deque

from mcp_tap.diagnosis.asked import asker_of, code_of, other
from mcp_tap.diagnosis.context import Answer, UnmatchedResponse
from mcp_tap.diagnosis.interest import sees
from mcp_tap.diagnosis.rule import Rule, sender_of
from mcp_tap.diagnosis.text import called, said
from mcp_tap.model.message import Side
from mcp_tap.record.reader import Record

UNREADABLE = {-32700: "could not read it", -32600: "did not accept it as a request"}
"""What a peer says of a message that it does not accept at all."""


class PeerCouldNotRead(Rule):
    """The peer could not read a message.

    What it means: one side answered with -32700 (parse error) or -32600 (invalid request): it did not
    accept what it was sent as JSON, or as a request. The evidence is what was sent just before.

    Why it matters: the message is lost. Its text shows which side is wrong: a parser that is stricter
    than JSON, or a broken line.

    Fails:
        → 5 tools/call {"name":"search","arguments":{"q":"x"}}
        ← 5 error -32600 "Invalid Request"

    Passes:
        → 5 tools/call {"name":"search","arguments":{"q":"x"}}
        ← 5 error -32603 "Cannot parse the index"

    What to do: check the line for what this peer may not accept: a lone surrogate, NaN, an id that is
    null, params that are an array, a batch, an envelope of the other era.
    """

    id = "RPC030"
    title = "peer could not read a message"
    severity = "warning"
    culprit = "undecided"
    next = "check the line that was sent just before for something that this peer's parser does not accept"
    spec = "2025-11-25/basic#responses"

    @sees(outcomes="error")
    def answer(self, answer: Answer) -> None:
        exchange, code = answer.exchange, self._code(answer)
        # A server that does not know server/discover may say so in any way: LIF015.
        if code is None or exchange.method == "server/discover":
            return
        line = next((each for each in self.context.recent if each.seq == exchange.seq), None)
        self.hit(
            (exchange.seq, answer.seq),
            complaint(answer, f"the {asker_of(exchange)}'s {called(exchange)}", code),
            key=f"{answer.sender} {exchange.method} {code}",
            evidence=None if line is None else beginning(line),
            explains=(answer.seq,),
        )

    def unmatched_response(self, response: UnmatchedResponse) -> None:
        code = self._code(response)
        if code is None or not self.context.whole:
            return
        before = last_of(self.context.recent, other(response.side))
        if before is None or (code == -32600 and is_notification(before)):
            return  # an answer to a notification is another fault
        self.hit(
            (before.seq, response.seq),
            complaint(response, f"what the {response.receiver} had sent just before", code),
            key=f"{response.sender}  {code}",
            evidence=beginning(before),
            culprit="undecided" if before.is_message else sender_of(before),
            explains=(response.seq,),
        )

    def _code(self, response: Answer | UnmatchedResponse) -> int | None:
        """The code, if it is one of these and somebody still wanted an answer."""
        code = code_of(response.message)
        return None if code not in UNREADABLE or self.context.closed else code


EVIDENCE_BYTES = 1000
"""Of a line, enough for an excerpt."""


def complaint(response: Answer | UnmatchedResponse, what: str, code: int) -> str:
    """What the peer says of a message, as a sentence."""
    error = f"{code} {said(response.message)}".rstrip()
    return f"{response.sender} answered {what} with {error}: it {UNREADABLE[code]}"


def beginning(line: Record) -> str:
    """A line as evidence."""
    return line.payload[:EVIDENCE_BYTES].decode(errors="replace")


def last_of(recent: deque[Record], side: Side) -> Record | None:
    """The last line of one side among the records before."""
    return next((each for each in reversed(recent) if each.dir == side), None)


def is_notification(record: Record) -> bool:
    """Whether a line is a notification; one that no JSON-RPC message is, is none."""
    value = record.value if record.is_message else None
    return isinstance(value, dict) and isinstance(value.get("method"), str) and "id" not in value
