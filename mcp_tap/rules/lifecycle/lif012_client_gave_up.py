"""LIF012: client gave up after version negotiation."""

from __future__ import annotations

from dataclasses import dataclass

from mcp_tap.diagnosis.context import Answer, SessionContext
from mcp_tap.diagnosis.pending import ended_by_client, how_it_ended, is_all_on_file, left_t
from mcp_tap.diagnosis.text import seconds
from mcp_tap.rules.lifecycle._base import GAVE_UP_SECONDS, VERSION_KEPT, Negotiation


@dataclass(frozen=True, slots=True)
class Mismatch:
    """An answer with another version than the one offered; ``said`` are the client's lines before it."""

    answer: Answer
    offered: str
    chosen: str
    said: int


class GaveUpOnVersion(Negotiation):
    """The client left after it was offered another version.

    What it means: the server answered `initialize` with another version than the client had
    offered, and the client closed the connection within two seconds without another word. It looks
    like it does not speak the server's version.

    Why it matters: the two cannot work together; most clients only show "failed to connect".

    Fails, from the start:
        → 0 initialize …
        ← 0 result {"protocolVersion":"2024-11-05","capabilities":{},
            "serverInfo":{"name":"notes","version":"1"}}

    Passes, from the start:
        → 0 initialize …
        ← 0 result {"protocolVersion":"2024-11-05","capabilities":{},
            "serverInfo":{"name":"notes","version":"1"}}
        → notifications/initialized

    What to do: update the side with the older list of versions.
    """

    id = "LIF012"
    title = "client gave up after version negotiation"
    severity = "error"
    culprit = "undecided"
    certainty = "heuristic"
    next = "update the side whose versions are the older"
    needs_whole = True

    def __init__(self, context: SessionContext) -> None:
        super().__init__(context)
        self.mismatch: Mismatch | None = None

    def differ(self, answer: Answer, offered: str, chosen: str) -> None:
        said = self.context.session.lines["c2s"]
        self.mismatch = Mismatch(answer, offered[:VERSION_KEPT], chosen[:VERSION_KEPT], said)

    def end(self) -> None:
        context, found = self.context, self.mismatch
        if found is None or not context.closed or not is_all_on_file(context):
            return
        if context.session.lines["c2s"] > found.said:
            return  # it went on
        offered, chosen, after = found.offered, found.chosen, left_t(context) - found.answer.t
        if 0 <= after < GAVE_UP_SECONDS and ended_by_client(context):
            where = (found.answer.exchange.seq, found.answer.seq)
            self.hit(
                where,
                f"client offered protocol version {offered}, server chose {chosen}, and "
                f"{seconds(after)} later {how_it_ended(context)}: it looks like it does not speak {chosen}",
                key=f"{offered}, {chosen}",
                explains=where,
            )
