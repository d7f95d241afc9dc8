"""LIF012: client gave up after version negotiation."""

from __future__ import annotations

from mcp_tap.diagnosis.context import InvalidLine, Occurrence, SessionContext
from mcp_tap.diagnosis.pending import ended_by_client, how_it_ended, is_all_on_file, left_t
from mcp_tap.diagnosis.text import seconds
from mcp_tap.rules.lifecycle._negotiation import GAVE_UP_SECONDS, VERSION_KEPT, Negotiation


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
    methods = frozenset()

    def __init__(self, context: SessionContext) -> None:
        super().__init__(context)
        self.mismatch: tuple[int, int, float, str, str] | None = None

    def message(self, seen: Occurrence) -> None:
        if seen.side == "c2s" and self.mismatch is not None:
            self.mismatch = None  # it goes on

    def differ(self, seen: Occurrence, offered: str, chosen: str) -> None:
        assert seen.exchange is not None
        self.mismatch = (seen.exchange.seq, seen.seq, seen.t, offered[:VERSION_KEPT], chosen[:VERSION_KEPT])

    def invalid_line(self, seen: InvalidLine) -> None:
        if seen.side == "c2s":
            self.mismatch = None

    def end(self) -> None:
        if self.mismatch is None or not self.context.closed or not is_all_on_file(self.context):
            return
        asked, answered, t, offered, chosen = self.mismatch
        after = left_t(self.context) - t
        if 0 <= after < GAVE_UP_SECONDS and ended_by_client(self.context):
            self.hit(
                (asked, answered),
                f"client offered protocol version {offered}, server chose {chosen}, and "
                f"{seconds(after)} later {how_it_ended(self.context)}: it looks like it does not speak {chosen}",
                key=f"{offered}, {chosen}",
                explains=(asked, answered),
            )
