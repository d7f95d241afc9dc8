"""LIF013: unknown protocol version."""

from __future__ import annotations

from mcp_tap.diagnosis.context import Answer, Notification
from mcp_tap.diagnosis.interest import sees
from mcp_tap.diagnosis.text import quoted
from mcp_tap.model.methods import ERAS, MODERN
from mcp_tap.record.patterns import lazy
from mcp_tap.rules.lifecycle._base import INITIALIZE, VERSION_KEPT, Negotiation

DATE = lazy(r"\d{4}-\d\d-\d\d$")
"""How versions are written."""


class UnknownVersion(Negotiation):
    """The server answered with a version that was never released.

    What it means: the result of `initialize` names a protocol version that does not exist and is not
    the one the client offered.

    Why it matters: a client must disconnect if it does not know the version. This is a warning where
    the client went on anyway. Dates after the newest version known to mcp-tap are not reported.

    Fails, from the start:
        → 0 initialize …
        ← 0 result {"protocolVersion":"1.0","capabilities":{},"serverInfo":{"name":"notes","version":"1"}}

    Passes, from the start:
        → 0 initialize …
        ← 0 result {"protocolVersion":"2999-01-01","capabilities":{},
            "serverInfo":{"name":"notes","version":"1"}}
        → notifications/initialized

    What to do: answer with the client's version if the server speaks it, otherwise with the newest
    released version that it does speak. This is not the version of the server itself.
    """

    id = "LIF013"
    title = "unknown protocol version"
    severity = "error"
    culprit = "server"
    next = "answer with a released protocol version: the client's, if the server speaks it"
    methods = INITIALIZE | {"notifications/initialized"}

    def differ(self, answer: Answer, offered: str, chosen: str) -> None:
        if chosen in ERAS or (DATE.match(chosen) and chosen > MODERN[-1]):
            return
        self.hit(
            answer,
            f"server answered initialize with protocol version {quoted(chosen, VERSION_KEPT)}, which was "
            f"never released; the client had offered {quoted(offered, VERSION_KEPT)}",
            key=chosen[:VERSION_KEPT],
            explains=(answer.exchange.seq, answer.seq),
        )

    @sees(sides="c2s")
    def notification(self, notification: Notification) -> None:
        for hit in self.hits.values():
            hit.severity = "warning"
