"""What rules about the handshake, and about waiting for answers, share (MCP basic/lifecycle)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from mcp_tap.diagnosis.context import Answer, InvalidLine, Notification, Request, SessionContext
from mcp_tap.diagnosis.finding import Hit
from mcp_tap.diagnosis.interest import sees
from mcp_tap.diagnosis.pending import ended_by_client, explain, is_all_on_file, open_for
from mcp_tap.diagnosis.rule import Rule
from mcp_tap.diagnosis.text import named_with_id, plural, subject
from mcp_tap.model.exchange import Exchange
from mcp_tap.record.argv_masking import MASK

INITIALIZATION = "2025-11-25/basic/lifecycle#initialization"
NEGOTIATION = "2025-11-25/basic/lifecycle#version-negotiation"

INITIALIZE = frozenset({"initialize"})

INITIALIZED = "initialized"
"""How the notification's name ends, and those of what is sent for it."""

NO_HANDSHAKE_NEEDED = frozenset({"initialize", "ping", "server/discover"})
"""What a client may ask at any time, ``server/discover`` to find out what is spoken."""

METHOD_NOT_FOUND = -32601

EARLY_KEPT = 100
"""Requests sent too early that are followed up."""

SILENCE_SECONDS = 2.0
"""After which a request without an answer counts as ignored: quick methods take milliseconds."""

GAVE_UP_SECONDS = 2.0
"""Within which a client that leaves after an answer is taken to leave because of it; and how long a
client must have waited before its leaving says anything about the server."""

LATE_SECONDS = 1.0
"""Age of the oldest request that makes answers read at once a burst."""

QUIET_SECONDS = 10.0
"""Silence that is none of a server at work for a moment."""

LONG_SECONDS = 10.0
"""From which on an open request is more than work in progress; quick methods take milliseconds, and a
client that leaves earlier has hardly given up."""

VERSION_KEPT = 30
"""Characters of a version in a sentence."""


class EarlyRequests(Rule):
    """Requests of the client that came before their time, in one finding; the base of several rules.

    They are an error where the server refused or ignored them, as strict servers do, and a warning
    where it answered. A server that has answered one of them does not insist on the handshake.
    """

    when = ""

    def __init__(self, context: SessionContext) -> None:
        super().__init__(context)
        self.early: list[Exchange] = []
        self.count = 0
        self.codes: dict[int, object] = {}
        self.upshot = ""
        """What came of it: the end of the sentence."""

    def note(self, exchange: Exchange) -> None:
        """Remember one more."""
        self.count += 1
        if len(self.early) < EARLY_KEPT:
            self.early.append(exchange)

    def no_more_come(self) -> None:
        """Nothing that comes from now on is too early; what was, is followed up."""
        if not self.early:
            self.retire()

    @sees(sides="s2c", outcomes="error")
    def answer(self, answer: Answer) -> None:
        if answer.exchange in self.early:
            self.codes[answer.exchange.seq] = answer.error.get("code")

    def refused(self) -> list[Exchange]:
        """Those that got an error; a method that the server does not have is no matter of time."""
        return [
            each
            for each in self.early
            if each.outcome == "error" and self.codes.get(each.seq) != METHOD_NOT_FOUND
        ]

    def ignored(self) -> list[Exchange]:
        """Those that got nothing, where there was time."""
        context = self.context
        if not context.over or not is_all_on_file(context) or not ended_by_client(context):
            return []
        return [
            each
            for each in self.early
            if each.outcome == "open"
            and not each.may_stay_open
            and open_for(each, context) >= SILENCE_SECONDS
        ]

    def grade(self) -> None:
        """Say what came of it, now that it is known."""
        if any(each.outcome not in ("open", "error") for each in self.early):
            return
        refused, ignored = self.refused(), self.ignored()
        if not refused and not ignored:
            return
        for hit in self.hits.values():
            hit.severity = "error"
            explain(hit, (number for each in (*refused, *ignored) for number in (each.seq, each.answer_seq)))
        if refused:
            code = self.codes.get(refused[0].seq)
            error = f"error {code}" if type(code) is int else "an error"
            self.upshot = f"; the server answered {subject(refused[0])} with {error}"
        else:
            self.upshot = f"; the server did not answer {subject(ignored[0])}"

    def sentence(self, hit: Hit) -> str:
        what = named_with_id(self.early[0])
        if self.count > 1:
            what = f"{plural(self.count, 'request')}, the first {what},"
        return f"client sent {what} {self.when}{self.upshot}"


class WithoutInitialized(EarlyRequests):
    """Requests that should have waited for notifications/initialized; the base of two rules."""

    def __init__(self, context: SessionContext) -> None:
        super().__init__(context)
        self.agreed = False
        self.ready = False
        self.said_instead: str | None = None
        self.instead: list[int] = []
        """The record of what was perhaps meant as the notification."""

    @sees(sides="c2s")
    def request(self, request: Request) -> None:
        exchange = request.exchange
        if self.ready:
            return
        if exchange.method.endswith(INITIALIZED):
            self.said_instead = f"a request {exchange.method[:40]}, with an id"
            self.instead = [request.seq]
        elif self.agreed and exchange.era == "legacy" and exchange.method not in NO_HANDSHAKE_NEEDED:
            self.note(exchange)

    @sees(sides="s2c", outcomes=("result", "error"))
    def answer(self, answer: Answer) -> None:
        exchange = answer.exchange
        if exchange.outcome == "error":
            super().answer(answer)
        elif exchange.method == "initialize":
            self.agreed = True

    @sees(sides="c2s")
    def notification(self, notification: Notification) -> None:
        method = notification.message.method or ""
        if self.ready or not method.endswith(INITIALIZED):
            return
        if method == "notifications/initialized":
            self.is_ready()
        else:
            self.said_instead, self.instead = method[:40], [notification.seq]

    @sees(sides="c2s")
    def invalid_line(self, line: InvalidLine) -> None:
        # A line that cannot be read may have been the notification.
        meant = line.message.meant
        if meant is None or meant.method == "notifications/initialized":
            self.ready = True
            self.no_more_come()

    def is_ready(self) -> None:
        """The client has said that it is ready."""
        self.ready = True
        self.no_more_come()

    def report(self) -> None:
        """One finding for all the requests that were too early."""
        if self.early and self.context.whole:
            self.hit([*self.instead, *(each.seq for each in self.early)], "")


def version_of(value: Any) -> str | None:
    """``value`` if it is a version that can be talked about: a string, and not masked."""
    return value if isinstance(value, str) and MASK not in value else None


class Negotiation(Rule):
    """Compares the version that is offered with the one that is answered; the base of several rules."""

    methods = INITIALIZE
    spec = NEGOTIATION

    def __init__(self, context: SessionContext) -> None:
        super().__init__(context)
        self.offered: str | None = None

    @sees(sides="c2s")
    def request(self, request: Request) -> None:
        self.offered = version_of(request.params.get("protocolVersion"))

    @sees(sides="s2c")
    def answer(self, answer: Answer) -> None:
        offered, chosen = self.offered, version_of(answer.result.get("protocolVersion"))
        if offered is not None and chosen is not None and offered != chosen:
            self.differ(answer, offered, chosen)

    def differ(self, answer: Answer, offered: str, chosen: str) -> None:
        """The two are not the same."""


@dataclass(slots=True, eq=False)
class Probe:
    """The ``server/discover`` by which a client finds out the era, and the ``initialize`` after it."""

    asked: Exchange | None = None
    fell_back: Exchange | None = None

    def take(self, exchange: Exchange) -> bool:
        """Note a request of one of the two methods; says whether the client falls back with it."""
        if self.fell_back is not None:
            return False
        if exchange.method == "server/discover":
            self.asked = self.asked or exchange
        elif self.asked is not None:
            self.fell_back = exchange
        return self.fell_back is not None
