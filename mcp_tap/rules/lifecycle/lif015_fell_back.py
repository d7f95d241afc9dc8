"""LIF015: client probed for 2026-07-28 and fell back."""

from __future__ import annotations

from mcp_tap.diagnosis.context import Answer, Request, SessionContext
from mcp_tap.diagnosis.interest import sees
from mcp_tap.diagnosis.rule import Rule
from mcp_tap.diagnosis.text import seconds
from mcp_tap.rules.lifecycle._base import Probe


class FellBack(Rule):
    """A modern client fell back to the handshake.

    What it means: the client asked with `server/discover` whether the server speaks 2026-07-28,
    got an error or nothing, and began with `initialize` as in the versions before.

    Why it matters: it is normal. A server that does not answer at all costs time at every start:
    2.9 s with Claude Code, 10 s with the Python SDK, 60 s with the TypeScript SDK.

    Fails, from the start:
        → 1 server/discover {"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28",
            "io.modelcontextprotocol/clientCapabilities":{}}}
        ← 1 error -32601 "Method not found"
        → 0 initialize …
        ← 0 result …
        → notifications/initialized

    Passes, 2026-07-28:
        → 1 server/discover
        ← 1 result {"resultType":"complete","supportedVersions":["2026-07-28"],"capabilities":{},
            "ttlMs":0,"cacheScope":"private"}

    What to do: nothing.
    """

    id = "LIF015"
    title = "client probed for 2026-07-28 and fell back"
    severity = "info"
    culprit = "undecided"
    next = "nothing to do: clients that speak both eras begin like this"
    methods = frozenset({"server/discover", "initialize"})
    spec = "2026-07-28/basic/transports/stdio#backward-compatibility"

    def __init__(self, context: SessionContext) -> None:
        super().__init__(context)
        self.probe = Probe()
        self.refusal: tuple[int, object] | None = None
        """The record of the error that answered the probe, and its code."""

    @sees(sides="s2c", outcomes="error")
    def answer(self, answer: Answer) -> None:
        if answer.exchange is self.probe.asked:
            self.refusal = (answer.seq, answer.error.get("code"))

    @sees(sides="c2s")
    def request(self, request: Request) -> None:
        probe = self.probe.asked
        if not self.probe.take(request.exchange) or probe is None:
            return
        after = seconds(max(0.0, request.t - probe.t))
        if self.refusal is not None:
            number, code = self.refusal
            told = f"error {code}" if type(code) is int else "an error"
            message = f"client asked for server/discover, got {told}, and fell back to initialize"
            self.hit((probe.seq, number, request.seq), message, explains=(probe.seq, number))
        elif probe.outcome == "open" and self.context.whole:
            message = f"client waited {after} for an answer to server/discover and fell back to initialize"
            self.hit((probe.seq, request.seq), message, explains=(probe.seq,))
