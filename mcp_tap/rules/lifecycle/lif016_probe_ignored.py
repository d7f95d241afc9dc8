"""LIF016: server/discover not answered."""

from __future__ import annotations

from mcp_tap.diagnosis.context import Request, SessionContext
from mcp_tap.diagnosis.interest import sees
from mcp_tap.diagnosis.pending import ended_by_client, explain, how_it_ended, is_all_on_file, open_for
from mcp_tap.diagnosis.rule import Rule
from mcp_tap.diagnosis.text import seconds
from mcp_tap.rules.lifecycle._base import GAVE_UP_SECONDS, Probe


class ProbeIgnored(Rule):
    """server/discover got no answer.

    What it means: the client asked with `server/discover` what the server speaks, and the server
    never answered, not even with an error.

    Why it matters: a server must answer every request; to one whose method it does not know with
    error -32601. Silence makes a client wait at every start: 2.9 s (Claude Code), 10 s (Python
    SDK), 60 s and a second process (TypeScript SDK).

    Fails, from the start:
        → 1 server/discover {"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28",
            "io.modelcontextprotocol/clientCapabilities":{}}}
        10 → 0 initialize …
        10.1 ← 0 result …
        10.1 → notifications/initialized

    Passes, from the start:
        → 1 server/discover {"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28",
            "io.modelcontextprotocol/clientCapabilities":{}}}
        0.5 ·· signal name=SIGTERM forwarded=true
        0.6 ·· exit code=null signal=SIGTERM first=client-signal

    What to do: let the server answer unknown methods with -32601 "Method not found" at once.
    """

    id = "LIF016"
    title = "server/discover not answered"
    severity = "warning"
    culprit = "server"
    next = "answer unknown methods with error -32601 at once"
    needs_whole = True
    methods = frozenset({"server/discover", "initialize"})
    spec = "2026-07-28/basic/transports/stdio#backward-compatibility"

    def __init__(self, context: SessionContext) -> None:
        super().__init__(context)
        self.probe = Probe()

    @sees(sides="c2s")
    def request(self, request: Request) -> None:
        self.probe.take(request.exchange)

    def end(self) -> None:
        context, probe, fell_back = self.context, self.probe.asked, self.probe.fell_back
        if probe is None or probe.outcome != "open" or probe.cancelled_t is not None:
            return
        if not context.over or not is_all_on_file(context) or not ended_by_client(context):
            return
        # A probe's process is ended within a second or so; and a server that says nothing at all,
        # initialize included, has another trouble.
        spoke = context.session.messages["s2c"] > 0
        open_seconds = open_for(probe, context)
        if open_seconds < GAVE_UP_SECONDS or (fell_back is not None and not spoke):
            return
        waited = seconds(open_seconds if fell_back is None else max(0.0, fell_back.t - probe.t))
        then = how_it_ended(context) if fell_back is None else "the client sent initialize instead"
        who = ", and answered other requests" if spoke else ""
        hit = self.hit(
            probe.seq,
            f"server never answered server/discover{who}; after {waited} {then}",
            culprit="server" if spoke else "undecided",
        )
        explain(hit, (probe.seq, None if fell_back is None else fell_back.seq))
