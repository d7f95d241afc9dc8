"""A session, read record by record: who spoke, in which version, what was offered, how it ended."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any, Literal

from mcp_tap.model.exchange import Exchange, Paired, Pairing
from mcp_tap.model.message import NOT_JSON, Message, Side, read_message
from mcp_tap.model.methods import CATALOGUE, CLIENT_INFO_KEY, ERAS, SERVER_INFO_KEY, VERSION_KEY, Era
from mcp_tap.record.reader import Record

SessionKind = Literal["session", "probe", "empty"]
"""``probe``: a client that only asked what the server speaks. ``empty``: nothing was said."""

PROBE_SECONDS = 5.0
"""Seconds within which a client that probes has its answer and leaves.

The TypeScript SDK starts a process for ``server/discover`` alone and ends it at once; Claude
Code's health check leaves within a second of ``tools/list``."""

PROBE_METHODS = frozenset({"server/discover", "initialize", "notifications/initialized", "ping"})


@dataclass(frozen=True, slots=True)
class Party:
    """How a client or a server calls itself."""

    name: str | None = None
    version: str | None = None

    def __str__(self) -> str:
        return " ".join(part for part in (self.name, self.version) if part) or "?"


@dataclass(frozen=True, slots=True)
class Ending:
    """How a session ended. ``first`` as recorded; ``sentence`` says it in a few words."""

    first: str | None
    code: int | None
    signal: str | None
    sentence: str


@dataclass(frozen=True, slots=True)
class Step:
    """A record, and what its messages do. ``paired`` is empty for what carries no message."""

    record: Record
    paired: tuple[Paired, ...] = ()


@dataclass(slots=True, eq=False)
class Session:
    """What is known of one session so far. Times are its seconds, from the start record.

    Filled by :meth:`add`; nothing in it grows with the number of messages but what is open,
    and the catalogue.
    """

    id: str
    start: dict[str, Any] = field(default_factory=dict)
    ts: str | None = None
    last_t: float = 0.0
    client: Party = Party()
    server: Party = Party()
    offered: str | None = None
    protocol: str | None = None
    era: Era | None = None
    capabilities: dict[Side, Any] = field(default_factory=dict)
    instructions: str | None = None
    catalogue: dict[str, list[str]] = field(default_factory=dict)
    messages: dict[Side, int] = field(default_factory=lambda: {"c2s": 0, "s2c": 0})
    lines: dict[str, int] = field(default_factory=lambda: {"c2s": 0, "s2c": 0, "stderr": 0})
    bytes: dict[str, int] = field(default_factory=lambda: {"c2s": 0, "s2c": 0, "stderr": 0})
    foreign: dict[Side, int] = field(default_factory=lambda: {"c2s": 0, "s2c": 0})
    errors: int = 0
    tool_errors: int = 0
    methods: set[str] = field(default_factory=set)
    events: list[Record] = field(default_factory=list)
    spawned_t: float | None = None
    first_byte_t: float | None = None
    initialized_t: float | None = None
    tools_listed_t: float | None = None
    exit: dict[str, Any] | None = None
    spawn_failed: dict[str, Any] | None = None
    missing: int = 0
    next_seq: int = 0
    pairing: Pairing = field(default_factory=Pairing)

    @property
    def name(self) -> str | None:
        """What the server was called when it was started."""
        name = self.start.get("name")
        return name if isinstance(name, str) else None

    def add(self, record: Record) -> Step:
        """Take the next record of this session; never raises, whatever it says."""
        self.last_t = max(self.last_t, record.t)
        self.missing += max(0, record.seq - self.next_seq)
        self.next_seq = record.seq + 1
        if self.ts is None:
            self.ts = record.ts
        if record.dir == "tap":
            self._add_event(record)
            return Step(record)
        self._count(record)
        if record.dir == "stderr":
            return Step(record)
        message = self._message(record)
        side: Side = record.dir
        if message.kind in ("not-json", "not-json-rpc"):
            self.foreign[side] += 1
        else:
            self.messages[side] += 1
        paired = self.pairing.feed(side, message, record.seq, record.t, len(record.payload))
        for item in paired:
            self._learn(side, item, record.t)
        return Step(record, tuple(paired))

    def unanswered(self) -> list[Exchange]:
        """Requests without an answer."""
        return self.pairing.unanswered()

    @property
    def kind(self) -> SessionKind:
        """Whether anything was said, and whether it was more than a question what is spoken."""
        if not self.messages["c2s"] and not self.messages["s2c"]:
            return "empty"
        brief = self.exit is not None and self.last_t < PROBE_SECONDS
        if brief and "server/discover" in self.methods and self.methods <= PROBE_METHODS:
            return "probe"
        return "session"

    @property
    def ending(self) -> Ending:
        """How it ended, as far as the recording tells."""
        told = self.exit or {}
        first = told.get("first")
        code, signal = told.get("code"), told.get("signal")
        return Ending(
            first if isinstance(first, str) else None,
            code if isinstance(code, int) else None,
            signal if isinstance(signal, str) else None,
            self._ending_sentence(first, code, signal),
        )

    def _ending_sentence(self, first: Any, code: Any, signal: Any) -> str:
        if self.spawn_failed is not None:
            return f"not started: {self.spawn_failed.get('error')}"
        if self.exit is None:
            return "still running, or the tap was killed"
        how = f"killed by {signal}" if signal else f"exit {code}"
        if self.kind == "probe":
            return "probe"
        if first == "client-eof":
            return "client closed" if code == 0 else f"client closed, server {how}"
        if first == "client-signal":
            sent = next((event.fields.get("name") for event in self.events if event.event == "signal"), None)
            return f"client sent {sent or 'a signal'}, server {how}"
        if first == "client-gone":
            return f"client stopped reading, server {how}"
        if first == "server-eof":
            return f"server closed its output: {how}"
        return (
            f"server died: {how} after {self.last_t:.1f} s"
            if code != 0
            else (f"server left: {how} after {self.last_t:.1f} s")
        )

    def _count(self, record: Record) -> None:
        self.bytes[record.dir] += len(record.payload) + len(record.eol)
        self.lines[record.dir] += not record.more
        if self.first_byte_t is None and record.dir == "s2c":
            self.first_byte_t = record.t

    def _message(self, record: Record) -> Message:
        return read_message(record.value) if record.is_message else NOT_JSON

    def _add_event(self, record: Record) -> None:
        name = record.event
        if name == "start":
            self.start = record.fields
        elif name == "spawn":
            self.spawned_t = record.t
        elif name == "exit":
            self.exit = record.fields
        elif name == "spawn_failed":
            self.spawn_failed = record.fields
        if name not in ("start", "spawn") and len(self.events) < EVENTS_KEPT:
            self.events.append(record)

    def _learn(self, side: Side, item: Paired, t: float) -> None:
        message = item.message
        if message.method is not None:
            if len(self.methods) < METHODS_KEPT:
                self.methods.add(message.method)
            self._learn_from_request(message)
            return
        if item.role != "answers" or item.exchange is None:
            return
        exchange = item.exchange
        self.errors += exchange.outcome == "error"
        self.tool_errors += exchange.outcome == "tool-error"
        result = message.value.get("result") if isinstance(message.value, dict) else None
        if isinstance(result, dict) and side == "s2c":
            self._learn_from_result(exchange.method, result, t)

    def _learn_from_request(self, message: Message) -> None:
        if message.method == "initialize":
            self.era = "legacy"
            self.offered = text(message.params.get("protocolVersion"))
            self.capabilities["c2s"] = message.params.get("capabilities")
            self.client = party(message.params.get("clientInfo"), self.client)
            return
        version = message.meta.get(VERSION_KEY)
        if isinstance(version, str) and message.kind == "request":
            self.offered = version
            self.client = party(message.meta.get(CLIENT_INFO_KEY), self.client)

    def _learn_from_result(self, method: str, result: dict[str, Any], t: float) -> None:
        if method == "initialize":
            self.protocol = text(result.get("protocolVersion"))
            self.era = ERAS.get(self.protocol or "", "legacy")
            self.server = party(result.get("serverInfo"), self.server)
            self.capabilities["s2c"] = result.get("capabilities")
            self.instructions = text(result.get("instructions"))
            self.initialized_t = self.initialized_t or t
        elif method == "server/discover":
            self.era = "modern"
            self.capabilities["s2c"] = result.get("capabilities")
            self.instructions = text(result.get("instructions"))
            self.initialized_t = self.initialized_t or t
        elif self.era != "legacy" and self.offered in ERAS and ERAS[self.offered] == "modern":
            self.era = "modern"
        if self.era == "modern":
            self.protocol = self.offered
            meta = result.get("_meta")
            if isinstance(meta, dict):
                self.server = party(meta.get(SERVER_INFO_KEY), self.server)
        if method in CATALOGUE:
            self._add_page(method, result.get(CATALOGUE[method]))
            if method == "tools/list":
                self.tools_listed_t = self.tools_listed_t or t

    def _add_page(self, method: str, page: Any) -> None:
        names = self.catalogue.setdefault(CATALOGUE[method], [])
        for item in page if isinstance(page, list) else []:
            if isinstance(item, dict) and len(names) < CATALOGUE_KEPT:
                name = text(item.get("name")) or text(item.get("uri")) or "?"
                if name not in names:
                    names.append(name)


EVENTS_KEPT = 1000
"""Tap events that a session remembers; a stalling client makes thousands."""

METHODS_KEPT = 1000
"""Different method names; MCP has some forty, and a fuzzer any number."""

CATALOGUE_KEPT = 10_000
"""Entries of one list of the catalogue."""


def party(info: Any, known: Party) -> Party:
    """Name and version from an ``Implementation``; what was ``known`` where there is none."""
    if not isinstance(info, dict):
        return known
    return Party(text(info.get("name")), text(info.get("version")))


def text(value: Any) -> str | None:
    """``value`` if it is a string."""
    return value if isinstance(value, str) else None


class Sessions:
    """The sessions of any records, interleaved or not, in order of their first record."""

    def __init__(self) -> None:
        self.by_id: dict[str, Session] = {}

    def add(self, record: Record) -> tuple[Session, Step]:
        """Take the next record, whichever session it belongs to."""
        session = self.by_id.get(record.session)
        if session is None:
            session = self.by_id[record.session] = Session(record.session)
        return session, session.add(record)

    def read(self, records: Iterable[Record]) -> list[Session]:
        """Take all of ``records``; the sessions so far."""
        for record in records:
            self.add(record)
        return list(self.by_id.values())
