"""LIF: requests of the client that come before the handshake is complete (MCP basic/lifecycle)."""

from __future__ import annotations

from mcp_tap.model.exchange import Exchange
from mcp_tap.rules.case import LEGACY_ONLY, NAME_KEPT, Case, Seen, plural
from mcp_tap.rules.facts.pending import (
    ended_by_client,
    explain,
    is_all_on_file,
    named,
    open_for,
    subject,
)
from mcp_tap.rules.finding import Hit
from mcp_tap.rules.rule import Rule

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

    def __init__(self, case: Case) -> None:
        super().__init__(case)
        self.early: list[Exchange] = []
        self.count = 0
        self.codes: dict[int, object] = {}

    def note(self, exchange: Exchange) -> None:
        """Remember one more."""
        self.count += 1
        if len(self.early) < EARLY_KEPT:
            self.early.append(exchange)

    def answer(self, seen: Seen) -> None:
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
        case = self.case
        if not case.over or not is_all_on_file(case) or not ended_by_client(case):
            return []
        return [
            each
            for each in self.early
            if each.outcome == "open" and not each.may_stay_open and open_for(each, case) >= SILENCE_SECONDS
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
        what = named(first)
        if self.count > 1:
            what = f"{plural(self.count, 'request')}, the first {what},"
        return f"client sent {what} {self.when}{hit.facts.get('upshot', '')}"


class NotInitializedFirst(EarlyRequests):
    """A session that does not start with initialize.

    What it means: the client's first request was not `initialize`. Until 2025-11-25 a session
    begins with this handshake; only `ping`, and `server/discover` as a question what the server
    speaks, may come before. (From 2026-07-28 on there is no handshake: each request says in
    `_meta` what it speaks.)

    Why it matters: strict servers answer such a request with -32602 "Invalid request parameters",
    or not at all.

    Fails, from the start:
        → 1 tools/list
        ← 1 result {"tools":[]}

    Passes, from the start:
        → 9 ping
        ← 9 result {}
        → 0 initialize …
        ← 0 result …
        → notifications/initialized
        → 1 tools/list
        ← 1 result {"tools":[]}

    What to do: send `initialize` first, wait for its result, send `notifications/initialized`, and
    only then anything else. A test by `echo … | server` needs these lines too.
    """

    id = "LIF001"
    title = "session does not start with initialize"
    severity = "error"
    culprit = "client"
    next = "send initialize first, wait for its result, then send notifications/initialized"
    spec = INITIALIZATION
    when = "before initialize"

    def __init__(self, case: Case) -> None:
        super().__init__(case)
        self.settled = False
        self.key = ""
        """The method of the first."""

    def foreign(self, seen: Seen) -> None:
        # What cannot be read may have been the initialize that is missed.
        if seen.side == "c2s" and not self.early:
            self.settled = True

    def request(self, seen: Seen) -> None:
        exchange = seen.exchange
        if self.settled or seen.side != "c2s" or exchange is None:
            return
        asks_without = exchange.era == "modern" and exchange.method != "server/discover"
        if exchange.method == "initialize" or asks_without:
            self.settled = True
            if self.early:
                self.hits[self.key].facts["initialize"] = exchange.method == "initialize"
            return
        if exchange.method in NO_HANDSHAKE_NEEDED:
            return
        if not self.early and (not self.case.whole or self.case.session.era == "modern"):
            self.settled = True
            return
        self.note(exchange)
        if self.count == 1:
            self.key = exchange.method[:NAME_KEPT]
        if self.count <= EARLY_KEPT:
            self.hit(seen, "", key=self.key)

    def end(self) -> None:
        for hit in self.hits.values():
            self.grade(hit)

    def sentence(self, hit: Hit) -> str:
        told = super().sentence(hit)
        return told if hit.facts.get("initialize") else told.replace(self.when, "and no initialize", 1)


class RequestBeforeResult(EarlyRequests):
    """A request before the result of initialize.

    What it means: the client sent `initialize` and, without waiting for the result, more
    requests. Until it has the result a client should send nothing but pings: it does not know yet
    which version is spoken and what the server offers.

    Why it matters: some servers answer all the same, others refuse the request with -32602, or
    drop it. It is an error where that happened, else a warning.

    Fails, from the start:
        → 0 initialize …
        → 1 tools/list
        ← 0 result …
        → notifications/initialized
        ← 1 result {"tools":[]}

    Passes, from the start:
        → 0 initialize …
        → 1 ping
        ← 0 result …
        ← 1 result {}
        → notifications/initialized

    What to do: wait for the answer to `initialize` before anything else is sent.
    """

    id = "LIF002"
    title = "request before the result of initialize"
    severity = "warning"
    culprit = "client"
    next = "wait for the answer to initialize before sending anything but ping"
    versions = LEGACY_ONLY
    spec = INITIALIZATION
    when = "before the server had answered initialize"

    def __init__(self, case: Case) -> None:
        super().__init__(case)
        self.asked: Exchange | None = None

    def request(self, seen: Seen) -> None:
        exchange = seen.exchange
        if seen.side != "c2s" or exchange is None:
            return
        if exchange.method == "initialize":
            self.asked = self.asked or exchange
        elif (
            self.asked is not None
            and self.asked.outcome == "open"
            and self.asked.cancelled_t is None
            and exchange.era == "legacy"
            and exchange.method not in NO_HANDSHAKE_NEEDED
            and self.case.whole
        ):
            self.note(exchange)
            if self.count <= EARLY_KEPT:
                self.hit(seen, "")

    def end(self) -> None:
        # Where initialize was never answered, that is why nothing else was.
        if self.asked is not None and self.asked.outcome != "open":
            for hit in self.hits.values():
                self.grade(hit)


class WithoutInitialized(EarlyRequests):
    """What waits for notifications/initialized; the base of two rules."""

    def __init__(self, case: Case) -> None:
        super().__init__(case)
        self.agreed = False
        self.ready = False
        self.said_instead: str | None = None
        self.instead: list[int] = []
        """The record of what was perhaps meant as the notification."""

    def request(self, seen: Seen) -> None:
        exchange = seen.exchange
        if self.ready or seen.side != "c2s" or exchange is None:
            return
        if exchange.method.endswith(INITIALIZED):
            self.said_instead, self.instead = f"a request {exchange.method[:40]}, with an id", [seen.seq]
        elif self.agreed and exchange.era == "legacy" and exchange.method not in NO_HANDSHAKE_NEEDED:
            self.note(exchange)

    def answer(self, seen: Seen) -> None:
        super().answer(seen)
        exchange = seen.exchange
        if exchange is not None and exchange.method == "initialize" and exchange.outcome == "result":
            self.agreed = True

    def notification(self, seen: Seen) -> None:
        method = seen.message.method or ""
        if self.ready or seen.side != "c2s" or not method.endswith(INITIALIZED):
            return
        if method == "notifications/initialized":
            self.ready = True
            self.told(seen)
        else:
            self.said_instead, self.instead = method[:40], [seen.seq]

    def foreign(self, seen: Seen) -> None:
        # A line that cannot be read may have been the notification.
        meant = seen.message.meant
        if seen.side == "c2s" and (meant is None or meant.method == "notifications/initialized"):
            self.ready = True

    def told(self, seen: Seen) -> None:
        """The client has said that it is ready."""

    def report(self) -> None:
        """One finding for all the requests that were too early."""
        if self.early and self.case.whole:
            self.hit([*self.instead, *(each.seq for each in self.early)], "")


INITIALIZED = "initialized"


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
    versions = LEGACY_ONLY
    spec = INITIALIZATION
    when = "and never notifications/initialized"

    def end(self) -> None:
        if not self.ready and is_all_on_file(self.case):
            self.report()
            for hit in self.hits.values():
                self.grade(hit)

    def sentence(self, hit: Hit) -> str:
        instead = f" (it sent {self.said_instead})" if self.said_instead else ""
        return super().sentence(hit).replace(self.when, self.when + instead, 1)


class LateInitialized(WithoutInitialized):
    """Requests before notifications/initialized.

    What it means: the client got the result of `initialize` and sent requests before it sent
    `notifications/initialized`, which should have come first.

    Why it matters: strict servers refuse these requests (-32602 "Invalid request parameters"), or
    drop them; it works with others. It is an error where it went wrong, else a warning.

    Fails, from the start:
        → 0 initialize …
        ← 0 result …
        → 1 tools/list
        → notifications/initialized
        ← 1 result {"tools":[]}

    Passes, from the start:
        → 0 initialize …
        ← 0 result …
        → 1 ping
        → notifications/initialized
        ← 1 result {}

    What to do: send the notification before the first request. Look for two tasks of the client
    that write at the same time.
    """

    id = "LIF004"
    title = "requests before notifications/initialized"
    severity = "warning"
    culprit = "client"
    next = "send notifications/initialized before the first request"
    versions = LEGACY_ONLY
    spec = INITIALIZATION
    when = "before notifications/initialized"

    def told(self, seen: Seen) -> None:
        self.report()

    def end(self) -> None:
        for hit in self.hits.values():
            self.grade(hit)


RULES: tuple[type[Rule], ...] = (
    NotInitializedFirst,
    RequestBeforeResult,
    NeverInitialized,
    LateInitialized,
)
