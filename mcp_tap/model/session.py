"""A session, read record by record: who spoke, in which version, what was offered, how it ended."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any, Literal

from mcp_tap.model.ending import ENDED_BY, Ending, ended
from mcp_tap.model.exchange import Exchange, Paired
from mcp_tap.model.held import HeldLine
from mcp_tap.model.message import Message, Side, read_line, read_message, with_exact_id
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
from mcp_tap.record.reader import Record, Skipped

SessionKind = Literal["session", "probe", "empty"]
"""``probe``: a client that only asked what the server speaks. ``empty``: nothing was said."""

PROBE_SECONDS = 5.0
"""Seconds within which a client that probes has its answer and leaves.

The TypeScript SDK starts a process for ``server/discover`` alone and ends it at once; Claude
Code's health check leaves within a second of ``tools/list``."""

PROBE_METHODS = frozenset(
    {"server/discover", "initialize", "notifications/initialized", "notifications/cancelled", "ping"}
)


@dataclass(frozen=True, slots=True)
class Party:
    """How a client or a server calls itself."""

    name: str | None = None
    version: str | None = None

    def __str__(self) -> str:
        return " ".join(part for part in (self.name, self.version) if part) or "?"


@dataclass(frozen=True, slots=True)
class Step:
    """A record, and what its messages do. ``paired`` is empty for what carries no message.

    So it is for a line that goes on in a later record (``more``): ``message`` is what all its
    records are together, in the step of the last one. For a batch, that is the batch.
    """

    record: Record
    paired: tuple[Paired, ...] = ()
    message: Message | None = None


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
    supported: tuple[str, ...] = ()
    """The versions that the server has named of its own accord (modern era)."""
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
    stderr_tail: deque[str] = field(default_factory=lambda: deque(maxlen=STDERR_KEPT))
    """The last of what the server wrote to stderr, a record an item."""
    pieces: dict[Side, HeldLine] = field(default_factory=dict)
    """Lines that have begun and not ended yet."""
    _names: dict[str, set[str]] = field(default_factory=dict)

    @property
    def name(self) -> str | None:
        """What the server was called when it was started."""
        name = self.start.get("name")
        return name if isinstance(name, str) else None

    def add(self, record: Record) -> Step:
        """Take the next record of this session; never raises, whatever it says."""
        if record.t > self.last_t:
            self.last_t = record.t
        if record.seq == self.next_seq:
            self.next_seq += 1
        elif record.seq > self.next_seq:
            self.missing += record.seq - self.next_seq
            self.next_seq = record.seq + 1
        # Lower is no gap: a file that was moved away is begun anew with the start record, number 0.
        if self.ts is None:
            self.ts = record.ts
        if record.dir == "tap":
            self._add_event(record)
            return Step(record)
        self._count(record)
        if record.dir == "stderr":
            self.stderr_tail.append(record.payload[:STDERR_LINE_KEPT].decode(errors="replace"))
            return Step(record)
        side: Side = record.dir
        if record.more:
            self.pieces.setdefault(side, HeldLine()).hold(record.payload)
            return Step(record)
        size = len(record.payload)
        if record.is_message and not self.pieces:
            message = read_message(record.value)
            if type(message.id) is float:
                message = with_exact_id(message, record.payload)
        else:
            message, size = self._line(side, record)
        if message.kind == "not-json" or message.kind == "not-json-rpc":
            self.foreign[side] += 1
        else:
            self.messages[side] += 1
        paired = self.pairing.feed(side, message, record.seq, record.t, size)
        for item in paired:
            self._learn(side, item, record.t)
        return Step(record, tuple(paired), message)

    def _line(self, side: Side, record: Record) -> tuple[Message, int]:
        """The message that ends with ``record``, and the size of its line."""
        held = self.pieces.pop(side, None)
        if held is not None:
            held.hold(record.payload)
            return held.read(whole=record.eol != b""), held.size
        if record.is_message:
            return with_exact_id(read_message(record.value), record.payload), len(record.payload)
        return read_line(record.payload, whole=record.eol != b""), len(record.payload)

    def unanswered(self) -> list[Exchange]:
        """Requests without an answer."""
        return self.pairing.unanswered()

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
        told = self.exit or {}
        first, signal, code = text(told.get("first")), text(told.get("signal")), told.get("code")
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

    def _count(self, record: Record) -> None:
        self.bytes[record.dir] += len(record.payload) + len(record.eol)
        self.lines[record.dir] += not record.more
        if self.first_byte_t is None and record.dir == "s2c":
            self.first_byte_t = record.t

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
            if side == "c2s" and item.exchange is not None and item.role == "asks":
                self._learn_from_request(message, item.exchange)
            return
        if item.role != "answers" or item.exchange is None:
            return
        exchange = item.exchange
        if exchange.outcome == "error":
            self.errors += 1
            self._learn_from_error(message)
            return
        self.tool_errors += exchange.outcome == "tool-error"
        result = message.value["result"]
        if isinstance(result, dict) and side == "s2c":
            self._learn_from_result(exchange, result, t)

    def _learn_from_request(self, message: Message, exchange: Exchange) -> None:
        if exchange.method == "initialize":
            params = message.params
            self.era = "legacy"
            self.offered = exchange.version = text(params.get("protocolVersion"))
            self.capabilities["c2s"] = params.get("capabilities")
            self.client = party(params.get("clientInfo"), self.client)
        elif exchange.era == "modern" and exchange.version is not None:
            meta = message.meta
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
            if isinstance(meta, dict):
                self.server = party(meta.get(SERVER_INFO_KEY), self.server)
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

SKIPPED_KEPT = 1000
"""Lines of a file that were no records, and are remembered: another file's content may be any number."""


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


class Sessions:
    """The sessions of any records, interleaved or not, in order of their first record.

    ``skipped`` are the first lines that were no records, ``skips`` is the number of all of them.
    """

    def __init__(self) -> None:
        self.by_id: dict[str, Session] = {}
        self.skipped: list[Skipped] = []
        self.skips = 0

    def add(self, record: Record) -> tuple[Session, Step]:
        """Take the next record, whichever session it belongs to."""
        session = self.by_id.get(record.session)
        if session is None:
            session = self.by_id[record.session] = Session(record.session)
        return session, session.add(record)

    def skip(self, line: Skipped) -> None:
        """Note a line that is no record."""
        self.skips += 1
        if len(self.skipped) < SKIPPED_KEPT:
            self.skipped.append(line)

    def read(self, records: Iterable[Record | Skipped]) -> list[Session]:
        """Take all of ``records``; the sessions so far."""
        for record in records:
            if isinstance(record, Skipped):
                self.skip(record)
            else:
                self.add(record)
        return list(self.by_id.values())
