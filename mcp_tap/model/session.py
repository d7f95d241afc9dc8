"""A session, read record by record: who spoke, in which version, what was offered, how it ended."""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from mcp_tap.model.ending import ENDED_BY, Ending, ended
from mcp_tap.model.exchange import Exchange, Role
from mcp_tap.model.held import HeldLine
from mcp_tap.model.message import SIDES, Message, Side, read_line, read_message, read_object, with_exact_id
from mcp_tap.model.methods import (
    CATALOGUE,
    CLIENT_CAPABILITIES_KEY,
    CLIENT_INFO_KEY,
    ERAS,
    METHODS,
    SERVER_INFO_KEY,
    UNSUPPORTED_VERSION,
    Era,
)
from mcp_tap.model.pairing import Pairing
from mcp_tap.model.step import Step
from mcp_tap.record.reader import Record

SessionKind = Literal["session", "probe", "empty"]
"""``probe``: a client that only asked what the server speaks. ``empty``: nothing was said."""

PROBE_SECONDS = 5.0
"""Seconds within which a client that probes has its answer and leaves.

The TypeScript SDK starts a process for ``server/discover`` alone and ends it at once; Claude
Code's health check leaves within a second of ``tools/list``."""

PROBE_METHODS = frozenset(
    {"server/discover", "initialize", "notifications/initialized", "notifications/cancelled", "ping"}
)


Payload = bytes  # ``Session`` has a member of that name


@dataclass(frozen=True, slots=True)
class Party:
    """How a client or a server calls itself."""

    name: str | None = None
    version: str | None = None

    def __str__(self) -> str:
        return " ".join(part for part in (self.name, self.version) if part) or "?"


@dataclass(slots=True, eq=False)
class Session:
    """What is known of one session so far. Times are its seconds, from the start record.

    Filled by :meth:`add`; nothing in it grows with the number of messages but what is open,
    and the catalogue.
    """

    id: str
    start: Mapping[str, Any] = field(default_factory=dict)
    ts: str | None = None
    last_t: float = 0.0
    client: Party = Party()
    server: Party = Party()
    offered: str | None = None
    protocol: str | None = None
    era: Era | None = None
    supported: tuple[str, ...] = ()
    """The versions that the server has named of its own accord (modern era)."""
    capabilities: dict[Side, Any] = field(default_factory=dict)
    instructions: str | None = None
    catalogue: dict[str, list[str]] = field(default_factory=dict)
    messages: dict[Side, int] = field(default_factory=lambda: {"c2s": 0, "s2c": 0})
    bytes: dict[str, int] = field(default_factory=lambda: {"c2s": 0, "s2c": 0, "stderr": 0})
    foreign: dict[Side, int] = field(default_factory=lambda: {"c2s": 0, "s2c": 0})
    stderr_lines: int = 0
    errors: int = 0
    tool_errors: int = 0
    refused_probes: int = 0
    """Of the errors those that answered the question for 2026-07-28, which a client may ask of any server."""
    methods: set[str] = field(default_factory=set)
    events: list[Record] = field(default_factory=list)
    spawned_t: float | None = None
    first_byte_t: float | None = None
    initialized_t: float | None = None
    tools_listed_t: float | None = None
    exit: Mapping[str, Any] | None = None
    spawn_failed: Mapping[str, Any] | None = None
    missing: int = 0
    next_seq: int = 0
    pairing: Pairing = field(default_factory=Pairing)
    stderr_end: deque[Payload] = field(default_factory=lambda: deque(maxlen=STDERR_KEPT))
    """The last of what the server wrote to stderr, a record an item."""
    pieces: dict[Side, HeldLine] = field(default_factory=dict)
    """Lines that have begun and not ended yet."""
    _names: dict[str, set[str]] = field(default_factory=dict)
    _client_meta: Any = None
    """What the client has said of itself last, where each request says it (modern era)."""
    _server_meta: Any = None
    """The same of the server."""

    @property
    def name(self) -> str | None:
        """What the server was called when it was started."""
        name = self.start.get("name")
        return name if isinstance(name, str) else None

    @property
    def lines(self) -> dict[str, int]:
        """Lines of each stream that have ended."""
        said: dict[str, int] = {side: self.messages[side] + self.foreign[side] for side in SIDES}
        return {**said, "stderr": self.stderr_lines}

    def add(self, record: Record) -> Step:
        """Take the next record of this session; never raises, whatever it says."""
        t, seq, side = record.t, record.seq, record.dir
        if t > self.last_t:
            self.last_t = t
        if seq == self.next_seq:
            self.next_seq = seq + 1
        elif seq > self.next_seq:
            self.missing += seq - self.next_seq
            self.next_seq = seq + 1
        # Lower is no gap: a file that was moved away is begun anew with the start record, number 0.
        if self.ts is None:
            self.ts = record.ts
        if side == "tap":
            self._add_event(record)
            return Step(record)
        size = len(record.payload)
        self.bytes[side] += size + len(record.eol)
        if side == "stderr":
            self.stderr_lines += not record.more
            self.stderr_end.append(record.payload[:STDERR_LINE_KEPT])
            return Step(record)
        if side == "s2c" and self.first_byte_t is None:
            self.first_byte_t = t
        if type(record) is Record and not self.pieces:
            message = read_object(record.value)
            if type(message.id) is float:
                message = with_exact_id(message, record.payload)
        elif record.more:
            self.pieces.setdefault(side, HeldLine()).hold(record.payload)
            return Step(record)
        else:
            message, size = self._line(side, record)
        kind = message.kind
        if kind == "not-json" or kind == "not-json-rpc":
            self.foreign[side] += 1
        else:
            self.messages[side] += 1
        if kind == "batch":
            parts = self.pairing.feed(side, message, seq, t, size)
            for item in parts:
                self._learn(side, item.message, item.role, item.exchange, t)
            return Step(record, message, parts=parts)
        role, exchange = self.pairing.pair(side, message, seq, t, size)
        self._learn(side, message, role, exchange, t)
        return Step(record, message, role, exchange)

    def _line(self, side: Side, record: Record) -> tuple[Message, int]:
        """The message that ends with ``record``, and the size of its line."""
        held = self.pieces.pop(side, None)
        if held is not None:
            held.hold(record.payload)
            return held.read(whole=record.eol != b""), held.size
        if record.is_message:
            return with_exact_id(read_message(record.value), record.payload), len(record.payload)
        return read_line(record.payload, whole=record.eol != b""), len(record.payload)

    @property
    def stderr_tail(self) -> list[str]:
        """The last of what the server wrote to stderr, a record an item."""
        return [line.decode(errors="replace") for line in self.stderr_end]

    def unanswered(self) -> list[Exchange]:
        """Requests without an answer."""
        return self.pairing.unanswered()

    @property
    def is_over(self) -> bool:
        """Whether its end is on record."""
        return self.exit is not None or self.spawn_failed is not None

    @property
    def kind(self) -> SessionKind:
        """Whether anything was said, and whether it was more than a question what is spoken."""
        if not self.messages["c2s"] and not self.messages["s2c"]:
            return "empty"
        # A server that takes long to start makes no session of it.
        brief = self.exit is not None and self.last_t - (self.first_byte_t or 0.0) < PROBE_SECONDS
        if brief and "server/discover" in self.methods and self._asked() <= PROBE_METHODS:
            return "probe"
        return "session"

    def _asked(self) -> set[str]:
        """The methods without those that only a server uses."""
        return {name for name in self.methods if name not in METHODS or METHODS[name].direction != "s2c"}

    @property
    def ending(self) -> Ending:
        """How it ended, as far as the recording tells."""
        end = self.exit or {}
        first, signal, code = text(end.get("first")), text(end.get("signal")), end.get("code")
        code = code if isinstance(code, int) else None
        if self.spawn_failed is None and self.exit is not None and self.kind != "probe":
            return ended(first, code, signal, self.last_t, self._first_signal())
        why = "probe"
        if self.spawn_failed is not None:
            why = f"not started: {text(self.spawn_failed.get('error'))}"
        elif self.exit is None:
            why = "still running, or the tap was killed"
        return Ending(first, code, signal, why, ENDED_BY.get(first or ""))

    def _first_signal(self) -> str | None:
        return next(
            (text(event.fields.get("name")) for event in self.events if event.event == "signal"), None
        )

    def _add_event(self, record: Record) -> None:
        name = record.event
        if name == "start":
            self.start = record.fields
        elif name == "spawn":
            self.spawned_t = record.t
        elif name == "exit":
            self.exit = record.fields
            self.pairing.forget()  # a file may hold thousands of sessions
        elif name == "spawn_failed":
            self.spawn_failed = record.fields
        if name not in ("start", "spawn") and len(self.events) < EVENTS_KEPT:
            self.events.append(record)

    def _learn(self, side: Side, message: Message, role: Role, exchange: Exchange | None, t: float) -> None:
        method = message.method
        if method is not None:
            if method not in self.methods and len(self.methods) < METHODS_KEPT:
                self.methods.add(method)
            if role == "asks" and exchange is not None and side == "c2s":
                if exchange.era == "modern":
                    self._learn_from_meta(message, exchange)
                elif method == "initialize":
                    self._learn_from_offer(message, exchange)
        elif role == "answers" and exchange is not None:
            if exchange.outcome == "error":
                self.errors += 1
                self.refused_probes += exchange.method == "server/discover"
                self._learn_from_error(message)
                return
            if exchange.outcome == "tool-error":
                self.tool_errors += 1
            # Most results are those of legacy calls, from which there is nothing to learn.
            if side == "s2c" and (exchange.era == "modern" or exchange.method in TEACHES or self.era is None):
                result = message.value["result"]
                if isinstance(result, dict):
                    self._learn_from_result(exchange, result, t)

    def _learn_from_offer(self, message: Message, exchange: Exchange) -> None:
        params = message.params
        self.era = "legacy"
        self.offered = exchange.version = text(params.get("protocolVersion"))
        self.capabilities["c2s"] = params.get("capabilities")
        self.client = party(params.get("clientInfo"), self.client)
        self._client_meta = None

    def _learn_from_meta(self, message: Message, exchange: Exchange) -> None:
        """What each request says of its client (modern era); nearly always what the last one said."""
        meta = message.params.get("_meta")
        if exchange.version is None or (meta == self._client_meta and meta is not None):
            return
        meta = meta if isinstance(meta, dict) else {}
        self._client_meta = meta
        self.offered = exchange.version
        self.client = party(meta.get(CLIENT_INFO_KEY), self.client)
        if CLIENT_CAPABILITIES_KEY in meta:
            self.capabilities["c2s"] = meta[CLIENT_CAPABILITIES_KEY]

    def _learn_from_error(self, message: Message) -> None:
        error = message.value["error"]
        if isinstance(error, dict) and error.get("code") == UNSUPPORTED_VERSION:
            self.era = "modern"
            data = error.get("data")
            self.supported = versions(data.get("supported")) if isinstance(data, dict) else self.supported

    def _learn_from_result(self, exchange: Exchange, result: dict[str, Any], t: float) -> None:
        method = exchange.method
        if method == "initialize":
            self._server_meta = None
            self.protocol = exchange.version = self.pairing.version = text(result.get("protocolVersion"))
            self.era = ERAS.get(self.protocol or "", "legacy")
            self.server = party(result.get("serverInfo"), self.server)
            self._learn_offer(result, t)
        elif method == "server/discover":
            self.era = "modern"
            self.supported = versions(result.get("supportedVersions"))
            self._learn_offer(result, t)
        elif self.era is None and ERAS.get(exchange.version or "") == "modern":
            self.era = "modern"
        if exchange.era == "modern" and self.era == "modern":
            self.protocol = exchange.version or self.protocol
            meta = result.get("_meta")
            if isinstance(meta, dict) and meta != self._server_meta:
                self._server_meta, self.server = meta, party(meta.get(SERVER_INFO_KEY), self.server)
        if method in CATALOGUE:
            self._add_page(CATALOGUE[method], result.get(CATALOGUE[method]), exchange.pages_on)
            if method == "tools/list":
                self.tools_listed_t = self.tools_listed_t or t

    def _learn_offer(self, result: dict[str, Any], t: float) -> None:
        self.capabilities["s2c"] = result.get("capabilities")
        self.instructions = text(result.get("instructions"))
        self.initialized_t = self.initialized_t or t

    def _add_page(self, what: str, page: Any, pages_on: bool) -> None:
        """Add the names in a page of a list; the first page begins the list anew."""
        if not pages_on or what not in self._names:
            self.catalogue[what], self._names[what] = [], set()
        names, known = self.catalogue[what], self._names[what]
        for item in page if isinstance(page, list) else []:
            if isinstance(item, dict) and len(names) < CATALOGUE_KEPT:
                name = text(item.get("name")) or text(item.get("uri")) or "?"
                if name not in known:
                    known.add(name)
                    names.append(name)


TEACHES = frozenset({"initialize", "server/discover", *CATALOGUE})
"""Methods whose results say something of the session, whatever its era."""

EVENTS_KEPT = 1000
"""Tap events that a session remembers; a stalling client makes thousands."""

METHODS_KEPT = 1000
"""Different method names; MCP has some forty, and a fuzzer any number."""

CATALOGUE_KEPT = 10_000
"""Entries of one list of the catalogue."""


STDERR_KEPT = 20
"""Records of stderr that a session remembers: a traceback's end."""

STDERR_LINE_KEPT = 500
"""Bytes of each of them."""


def versions(value: Any) -> tuple[str, ...]:
    """The strings of a list of versions."""
    return tuple(each for each in value if isinstance(each, str)) if isinstance(value, list) else ()


def party(info: Any, known: Party) -> Party:
    """Name and version from an ``Implementation``; what was ``known`` where there is none."""
    if not isinstance(info, dict):
        return known
    return Party(text(info.get("name")), text(info.get("version")))


def text(value: Any) -> str | None:
    """``value`` if it is a string."""
    return value if isinstance(value, str) else None
