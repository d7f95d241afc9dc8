"""LIF003: client never sent notifications/initialized."""

from __future__ import annotations

from mcp_tap.diagnosis.context import LEGACY_ONLY
from mcp_tap.diagnosis.finding import Hit
from mcp_tap.diagnosis.pending import is_all_on_file
from mcp_tap.rules.lifecycle._base import INITIALIZATION, WithoutInitialized


class NeverInitialized(WithoutInitialized):
    """No notifications/initialized.

    What it means: the server answered `initialize`, and the client went on with requests without
    ever sending the notification that ends the handshake.

    Why it matters: strict servers refuse every request until it has come (the Python SDK's with
    -32602 "Invalid request parameters"), or stay silent. It is an error where that happened, and
    a warning where the server answered all the same.

    Fails, from the start:
        → 0 initialize …
        ← 0 result …
        → 1 tools/call {"name":"search","arguments":{}}
        ← 1 error -32602 "Invalid request parameters"

    Passes, from the start:
        → 0 initialize …
        ← 0 result …
        → 1 ping
        ← 1 result {}

    What to do: send `{"jsonrpc":"2.0","method":"notifications/initialized"}`, without an id, right
    after the result of `initialize`. Only the client sends it.
    """

    id = "LIF003"
    title = "client never sent notifications/initialized"
    severity = "warning"
    culprit = "client"
    next = "send notifications/initialized, without an id, right after the result of initialize"
    needs_whole = True
    versions = LEGACY_ONLY
    spec = INITIALIZATION
    when = "and never notifications/initialized"

    def end(self) -> None:
        if not self.ready and is_all_on_file(self.context):
            self.report()
            self.grade()

    def sentence(self, hit: Hit) -> str:
        instead = f" (it sent {self.said_instead})" if self.said_instead else ""
        return super().sentence(hit).replace(self.when, self.when + instead, 1)
