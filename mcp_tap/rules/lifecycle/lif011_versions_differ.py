"""LIF011: another version than the client offered."""

from __future__ import annotations

from mcp_tap.diagnosis.context import Answer
from mcp_tap.model.methods import ERAS
from mcp_tap.rules.lifecycle._base import VERSION_KEPT, Negotiation


class VersionsDiffer(Negotiation):
    """Another version was agreed on than the client offered.

    What it means: the client offered one protocol version, the server answered with another, and
    that is the one the session is in. So the handshake is meant.

    Why it matters: it is harmless; features of the newer version are not there.

    Fails, from the start:
        → 0 initialize …
        ← 0 result {"protocolVersion":"2024-11-05","capabilities":{},
            "serverInfo":{"name":"notes","version":"1"}}
        → notifications/initialized

    Passes, from the start, 2025-06-18:
        → 0 initialize …
        ← 0 result …
        → notifications/initialized

    What to do: nothing, or update the older of the two.
    """

    id = "LIF011"
    title = "another version than the client offered"
    severity = "info"
    culprit = "server"
    next = "nothing to do; update the older side to get the newer version's features"

    def differ(self, answer: Answer, offered: str, chosen: str) -> None:
        if chosen in ERAS:
            offered, chosen = offered[:VERSION_KEPT], chosen[:VERSION_KEPT]
            message = f"client offered protocol version {offered}, server chose {chosen}"
            self.hit(answer, message, key=f"{offered}, {chosen}")
