"""LIF: which version is agreed on, and the question by which modern clients find out the era."""

from __future__ import annotations

import re
from typing import Any

from mcp_tap.model.exchange import Exchange
from mcp_tap.model.methods import ERAS, MODERN
from mcp_tap.record.argv_masking import MASK
from mcp_tap.rules.case import Case, Seen, quoted, seconds
from mcp_tap.rules.facts.pending import (
    ended_by_client,
    explain,
    how_it_ended,
    is_all_on_file,
    left_t,
    open_for,
)
from mcp_tap.rules.rule import Rule

NEGOTIATION = "2025-11-25/basic/lifecycle#version-negotiation"

INITIALIZE = frozenset({"initialize"})

GAVE_UP_SECONDS = 2.0
"""Within which a client that leaves after an answer is taken to leave because of it; and how long a
client must have waited before its leaving says anything about the server."""

VERSION_KEPT = 30
"""Characters of a version in a sentence."""

DATE = re.compile(r"\d{4}-\d\d-\d\d$")
"""How versions are written."""


def version_of(value: Any) -> str | None:
    """``value`` if it is a version that can be talked about: a string, and not masked."""
    return value if isinstance(value, str) and MASK not in value else None


class Negotiation(Rule):
    """Compares the version that is offered with the one that is answered; the base of several rules."""

    methods = INITIALIZE
    spec = NEGOTIATION

    def __init__(self, case: Case) -> None:
        super().__init__(case)
        self.offered: str | None = None

    def request(self, seen: Seen) -> None:
        if seen.side == "c2s" and seen.message.method == "initialize":
            self.offered = version_of(seen.params.get("protocolVersion"))

    def answer(self, seen: Seen) -> None:
        exchange = seen.exchange
        if seen.side != "s2c" or exchange is None or exchange.method != "initialize":
            return
        offered, chosen = self.offered, version_of(seen.result.get("protocolVersion"))
        if offered is not None and chosen is not None and offered != chosen:
            self.differ(seen, offered, chosen)

    def differ(self, seen: Seen, offered: str, chosen: str) -> None:
        """The two are not the same."""


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

    def differ(self, seen: Seen, offered: str, chosen: str) -> None:
        if chosen in ERAS:
            offered, chosen = offered[:VERSION_KEPT], chosen[:VERSION_KEPT]
            message = f"client offered protocol version {offered}, server chose {chosen}"
            self.hit(seen, message, key=f"{offered}, {chosen}")


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

    def __init__(self, case: Case) -> None:
        super().__init__(case)
        self.mismatch: tuple[int, int, float, str, str] | None = None

    def message(self, seen: Seen) -> None:
        if seen.side == "c2s" and self.mismatch is not None:
            self.mismatch = None  # it goes on

    def differ(self, seen: Seen, offered: str, chosen: str) -> None:
        assert seen.exchange is not None
        self.mismatch = (seen.exchange.seq, seen.seq, seen.t, offered[:VERSION_KEPT], chosen[:VERSION_KEPT])

    def foreign(self, seen: Seen) -> None:
        if seen.side == "c2s":
            self.mismatch = None

    def end(self) -> None:
        if self.mismatch is None or not self.case.closed or not is_all_on_file(self.case):
            return
        asked, answered, t, offered, chosen = self.mismatch
        after = left_t(self.case) - t
        if 0 <= after < GAVE_UP_SECONDS and ended_by_client(self.case):
            self.hit(
                (asked, answered),
                f"client offered protocol version {offered}, server chose {chosen}, and "
                f"{seconds(after)} later {how_it_ended(self.case)}: it looks like it does not speak {chosen}",
                key=f"{offered}, {chosen}",
                explains=(asked, answered),
            )


class UnknownVersion(Negotiation):
    """The server answered with a version that was never released.

    What it means: the result of `initialize` names a protocol version that does not exist, and
    that is not the one the client offered.

    Why it matters: a client must disconnect if it does not know the version. It is a warning where
    the client went on all the same. Dates after the newest version known here are passed over.

    Fails, from the start:
        → 0 initialize …
        ← 0 result {"protocolVersion":"1.0","capabilities":{},"serverInfo":{"name":"notes","version":"1"}}

    Passes, from the start:
        → 0 initialize …
        ← 0 result {"protocolVersion":"2999-01-01","capabilities":{},
            "serverInfo":{"name":"notes","version":"1"}}
        → notifications/initialized

    What to do: answer with the client's version where the server speaks it, else with the newest
    released version that it does speak. It is not the server's own version.
    """

    id = "LIF013"
    title = "unknown protocol version"
    severity = "error"
    culprit = "server"
    next = "answer with a released protocol version, the client's if the server speaks it"
    methods = INITIALIZE | {"notifications/initialized"}

    def differ(self, seen: Seen, offered: str, chosen: str) -> None:
        if chosen in ERAS or (DATE.match(chosen) and chosen > MODERN[-1]):
            return
        assert seen.exchange is not None
        self.hit(
            seen,
            f"server answered initialize with protocol version {quoted(chosen, VERSION_KEPT)}, which was "
            f"never released; the client had offered {quoted(offered, VERSION_KEPT)}",
            key=chosen[:VERSION_KEPT],
            explains=(seen.exchange.seq, seen.seq),
        )

    def notification(self, seen: Seen) -> None:
        for hit in self.hits.values():
            hit.severity = "warning"


class Probes(Rule):
    """Follows ``server/discover`` up to the handshake; the base of two rules."""

    methods = frozenset({"server/discover", "initialize"})

    def __init__(self, case: Case) -> None:
        super().__init__(case)
        self.probe: Exchange | None = None
        self.refusal: tuple[int, object] | None = None
        """The record of the error that answered the probe, and its code."""
        self.fell_back: int | None = None
        """The record of the initialize after it."""

    def request(self, seen: Seen) -> None:
        exchange = seen.exchange
        if seen.side != "c2s" or exchange is None:
            return
        if exchange.method == "server/discover":
            if self.probe is None and self.fell_back is None:
                self.probe = exchange
        elif self.probe is not None and self.fell_back is None:
            self.fell_back = exchange.seq
            self.falls_back(seen, self.probe)

    def answer(self, seen: Seen) -> None:
        if seen.exchange is self.probe and seen.exchange is not None and seen.exchange.outcome == "error":
            self.refusal = (seen.seq, seen.error.get("code"))

    def falls_back(self, seen: Seen, probe: Exchange) -> None:
        """The client has sent initialize after all."""


class FellBack(Probes):
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
    spec = "2026-07-28/basic/transports/stdio#backward-compatibility"

    def falls_back(self, seen: Seen, probe: Exchange) -> None:
        after = seconds(max(0.0, seen.t - probe.t))
        if self.refusal is not None:
            number, code = self.refusal
            told = f"error {code}" if type(code) is int else "an error"
            message = f"client asked for server/discover, got {told}, and fell back to initialize"
            self.hit((probe.seq, number, seen.seq), message, explains=(probe.seq, number))
        elif probe.outcome == "open" and self.case.whole:
            message = f"client waited {after} for an answer to server/discover and fell back to initialize"
            self.hit((probe.seq, seen.seq), message, explains=(probe.seq,))


class ProbeIgnored(Probes):
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
    spec = "2026-07-28/basic/transports/stdio#backward-compatibility"

    def __init__(self, case: Case) -> None:
        super().__init__(case)
        self.waited: float | None = None

    def falls_back(self, seen: Seen, probe: Exchange) -> None:
        self.waited = seen.t - probe.t

    def end(self) -> None:
        case, probe = self.case, self.probe
        if probe is None or probe.outcome != "open" or probe.cancelled_t is not None:
            return
        if not case.over or not is_all_on_file(case) or not ended_by_client(case):
            return
        # A probe's process is ended within a second or so; and a server that says nothing at all,
        # initialize included, has another trouble.
        spoke = case.session.messages["s2c"] > 0
        open_seconds = open_for(probe, case)
        if open_seconds < GAVE_UP_SECONDS or (self.fell_back is not None and not spoke):
            return
        waited = seconds(open_seconds if self.waited is None else max(0.0, self.waited))
        then = how_it_ended(case) if self.fell_back is None else "the client sent initialize instead"
        who = ", and answered other requests" if spoke else ""
        hit = self.hit(
            probe.seq,
            f"server never answered server/discover{who}; after {waited} {then}",
            culprit="server" if spoke else "undecided",
        )
        explain(hit, (probe.seq, self.fell_back))


RULES: tuple[type[Rule], ...] = (VersionsDiffer, GaveUpOnVersion, UnknownVersion, FellBack, ProbeIgnored)
