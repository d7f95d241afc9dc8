"""Records, messages and recordings for the tests of what they mean."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import orjson

from mcp_tap.model.exchange import Exchange, Paired
from mcp_tap.model.message import Side, read_message
from mcp_tap.model.pairing import Pairing
from mcp_tap.model.session import Session
from mcp_tap.model.sessions import Sessions
from mcp_tap.model.step import NO_MESSAGE, Step
from mcp_tap.record.reader import Record, read_record
from mcp_tap.record.schema import body, event_tail, head
from mcp_tap.wire.lines import Line

RECORDINGS = Path(__file__).parent / "recordings"
WALL_NS = 1_796_077_060_000_000_000
"""When every invented session begins, in nanoseconds since 1970."""

VERSION = "io.modelcontextprotocol/protocolVersion"
ENVELOPE = {
    VERSION: "2026-07-28",
    "io.modelcontextprotocol/clientInfo": {"name": "editor", "version": "2"},
    "io.modelcontextprotocol/clientCapabilities": {"sampling": {}},
}
"""What each request of the modern era says of its sender."""


def request(id: Any, method: str, **params: Any) -> dict[str, Any]:
    """A JSON-RPC request."""
    return {"jsonrpc": "2.0", "id": id, "method": method} | ({"params": params} if params else {})


def modern(id: Any, method: str, **params: Any) -> dict[str, Any]:
    """A request of the era without a handshake."""
    return request(id, method, **params, _meta=ENVELOPE)


def told(method: str, **params: Any) -> dict[str, Any]:
    """A JSON-RPC notification."""
    return {"jsonrpc": "2.0", "method": method} | ({"params": params} if params else {})


def result(id: Any, **members: Any) -> dict[str, Any]:
    """A JSON-RPC response."""
    return {"jsonrpc": "2.0", "id": id, "result": members}


def error(id: Any, code: int, message: str = "no", **more: Any) -> dict[str, Any]:
    """A JSON-RPC error response."""
    return {"jsonrpc": "2.0", "id": id, "error": {"code": code, "message": message, **more}}


class Play:
    """Feeds a pairing, message by message, at times that are given."""

    def __init__(self) -> None:
        self.pairing = Pairing()
        self._seq = itertools.count()

    def all(self, side: Side, value: Any, t: float = 0.0, size: int = 10) -> list[Paired]:
        """What a value of ``side`` does, part by part."""
        return list(self.pairing.feed(side, read_message(value), next(self._seq), t, size))

    def client(self, value: Any, t: float = 0.0) -> Paired:
        """What a message of the client does."""
        (item,) = self.all("c2s", value, t)
        return item

    def server(self, value: Any, t: float = 0.0) -> Paired:
        """What a message of the server does."""
        (item,) = self.all("s2c", value, t)
        return item

    def asks(self, value: Any, t: float = 0.0) -> Exchange:
        """The exchange that a request of the client opens."""
        item = self.client(value, t)
        assert item.role == "asks"
        assert item.exchange is not None
        return item.exchange


class Tape:
    """The records of one invented session, as the tap writes them."""

    def __init__(self, session: str = "01m8mn0000000000") -> None:
        self.session = session
        self.lines: list[bytes] = []
        self.seq = 0
        self.known_tools: dict[str, str] | None = None
        """Hashes of the server's tools in a baseline, for the rules that look at one."""

    def event(self, event: str, t: float = 0.0, **fields: Any) -> Tape:
        """Something that happened to the tap."""
        return self._add(t, event_tail(event, fields))

    def start(self, **fields: Any) -> Tape:
        """The first two records."""
        begun = {"format": 1, "tap": "0.1.0", "argv": ["notes-server"], "name": "notes", **fields}
        return self.event("start", **begun).event("spawn", 0.001, pid=4712, exe="/usr/bin/notes-server")

    def line(self, stream: str, line: Line, t: float = 0.0) -> Tape:
        """A line of a stream, without its newline; a CR at its end is kept."""
        payload = body(line, json_allowed=stream != "stderr")
        return self._add(t, b',"dir":"%b",%b}\n' % (stream.encode(), payload))

    def client(self, value: Any, t: float = 0.0) -> Tape:
        """A message of the client: a value, or the bytes of its line."""
        return self.line("c2s", value if isinstance(value, bytes) else orjson.dumps(value), t)

    def server(self, value: Any, t: float = 0.0) -> Tape:
        """A message of the server: a value, or the bytes of its line."""
        return self.line("s2c", value if isinstance(value, bytes) else orjson.dumps(value), t)

    def stderr(self, text: str, t: float = 0.0) -> Tape:
        """A line of stderr."""
        return self.line("stderr", text.encode(), t)

    def exit(
        self, t: float, first: str, code: int | None = 0, signal: str | None = None, left: int | None = 0
    ) -> Tape:
        """The last record, with counts that fit."""
        lines, size = dict.fromkeys(("c2s", "s2c", "stderr"), 0), dict.fromkeys(("c2s", "s2c", "stderr"), 0)
        for record in self.records():
            if record.dir != "tap":
                lines[record.dir] += not record.more
                size[record.dir] += len(record.payload) + len(record.eol)
        return self.event(
            "exit", t, code=code, signal=signal, first=first, lines=lines, bytes=size, left=left
        )

    def records(self) -> Iterator[Record]:
        """What the reader makes of them."""
        for number, line in enumerate(self.lines, 1):
            record = read_record(line, number)
            assert isinstance(record, Record), record
            yield record

    def steps(self) -> tuple[Session, list[Step]]:
        """What the model makes of them."""
        session = Session(self.session)
        return session, [session.add(record) for record in self.records()]

    def read(self) -> Session:
        """The session, whole."""
        return self.steps()[0]

    def _add(self, t: float, tail: bytes) -> Tape:
        ns = round(t * 1e9)
        self.lines.append(b"%b%d%b" % (head(WALL_NS + ns, ns, self.session), self.seq, tail))
        self.seq += 1
        return self


class Read:
    """A recording, read to its end: its sessions, and what each of their messages did."""

    def __init__(self, path: Path) -> None:
        self.sessions = Sessions()
        with path.open("rb") as lines:
            self.steps = [step for _, step in self.sessions.steps(lines)]

    @property
    def session(self) -> Session:
        """The one session."""
        (session,) = self.sessions.by_id.values()
        return session

    @property
    def items(self) -> list[Paired]:
        """Every message, in order."""
        return [item for step in self.steps for item in step.paired]

    @property
    def exchanges(self) -> list[Exchange]:
        """Every request, in order."""
        return [item.exchange for item in self.items if item.role == "asks" and item.exchange is not None]

    def exchange(self, method: str, number: int = 0) -> Exchange:
        """One request of a method."""
        return [each for each in self.exchanges if each.method == method][number]

    def foreign(self) -> list[tuple[str, str | None]]:
        """What is no message, by direction, and why."""
        return [
            (step.record.dir, step.message.flaw or step.message.kind)
            for step in self.steps
            if step.message is not NO_MESSAGE and step.message.kind in ("not-json", "not-json-rpc")
        ]
