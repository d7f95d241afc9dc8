"""Requests of the client that come before the handshake is complete (MCP basic/lifecycle)."""

from __future__ import annotations

from mcp_tap.diagnosis.context import Answer, InvalidLine, Notification, Occurrence, Request, SessionContext
from mcp_tap.diagnosis.finding import Hit
from mcp_tap.diagnosis.pending import ended_by_client, explain, is_all_on_file, open_for
from mcp_tap.diagnosis.rule import Rule
from mcp_tap.diagnosis.text import named_with_id, plural, subject
from mcp_tap.model.exchange import Exchange

INITIALIZATION = "2025-11-25/basic/lifecycle#initialization"

EARLY_KEPT = 100
"""Requests sent too early that are followed up."""

SILENCE_SECONDS = 2.0
"""After which a request without an answer counts as ignored: quick methods take milliseconds."""

NO_HANDSHAKE_NEEDED = frozenset({"initialize", "ping", "server/discover"})
"""What a client may ask at any time, ``server/discover`` to find out what is spoken."""

METHOD_NOT_FOUND = -32601


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

    def note(self, exchange: Exchange) -> None:
        """Remember one more."""
        self.count += 1
        if len(self.early) < EARLY_KEPT:
            self.early.append(exchange)

    def answer(self, seen: Answer) -> None:
        exchange = seen.exchange
        if self.early and exchange is not None and exchange.outcome == "error" and exchange in self.early:
            self.codes[exchange.seq] = seen.error.get("code")

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

    def grade(self, hit: Hit) -> None:
        """Say what came of it, now that it is known."""
        if any(each.outcome not in ("open", "error") for each in self.early):
            return
        refused, ignored = self.refused(), self.ignored()
        if not refused and not ignored:
            return
        hit.severity = "error"
        explain(hit, (number for each in (*refused, *ignored) for number in (each.seq, each.answer_seq)))
        if refused:
            code = self.codes.get(refused[0].seq)
            told = f"error {code}" if type(code) is int else "an error"
            hit.facts["upshot"] = f"; the server answered {subject(refused[0])} with {told}"
        else:
            hit.facts["upshot"] = f"; the server did not answer {subject(ignored[0])}"

    def sentence(self, hit: Hit) -> str:
        first = self.early[0]
        what = named_with_id(first)
        if self.count > 1:
            what = f"{plural(self.count, 'request')}, the first {what},"
        return f"client sent {what} {self.when}{hit.facts.get('upshot', '')}"


class WithoutInitialized(EarlyRequests):
    """What waits for notifications/initialized; the base of two rules."""

    def __init__(self, context: SessionContext) -> None:
        super().__init__(context)
        self.agreed = False
        self.ready = False
        self.said_instead: str | None = None
        self.instead: list[int] = []
        """The record of what was perhaps meant as the notification."""

    def request(self, seen: Request) -> None:
        exchange = seen.exchange
        if self.ready or seen.side != "c2s" or exchange is None:
            return
        if exchange.method.endswith(INITIALIZED):
            self.said_instead, self.instead = f"a request {exchange.method[:40]}, with an id", [seen.seq]
        elif self.agreed and exchange.era == "legacy" and exchange.method not in NO_HANDSHAKE_NEEDED:
            self.note(exchange)

    def answer(self, seen: Answer) -> None:
        super().answer(seen)
        exchange = seen.exchange
        if exchange is not None and exchange.method == "initialize" and exchange.outcome == "result":
            self.agreed = True

    def notification(self, seen: Notification) -> None:
        method = seen.message.method or ""
        if self.ready or seen.side != "c2s" or not method.endswith(INITIALIZED):
            return
        if method == "notifications/initialized":
            self.ready = True
            self.told(seen)
        else:
            self.said_instead, self.instead = method[:40], [seen.seq]

    def invalid_line(self, seen: InvalidLine) -> None:
        # A line that cannot be read may have been the notification.
        meant = seen.message.meant
        if seen.side == "c2s" and (meant is None or meant.method == "notifications/initialized"):
            self.ready = True

    def told(self, seen: Occurrence) -> None:
        """The client has said that it is ready."""

    def report(self) -> None:
        """One finding for all the requests that were too early."""
        if self.early and self.context.whole:
            self.hit([*self.instead, *(each.seq for each in self.early)], "")


INITIALIZED = "initialized"
