"""Records back from a file, whatever happened to it.

Reading never fails on a file's content: a line that is no record becomes a :class:`Skipped`
that says why. Only a recording of a newer format is refused, since it would be misread.
"""

from __future__ import annotations

import base64
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, ClassVar, Literal

import orjson

from mcp_tap.errors import TapError
from mcp_tap.record.schema import FORMAT_VERSION

Direction = Literal["c2s", "s2c", "stderr", "tap"]

_MSG = b'"msg":'
_PAYLOADS = ("msg", "text", "b64")

_USUAL_KEYS = 6
"""Keys of a record that has nothing special, as nearly all have: ``ts t session seq dir msg``."""

_USUAL_END = b"}\n"
_AFTER_MSG = len(_MSG)

_NOTHING: Mapping[str, Any] = MappingProxyType({})


class Record:
    """One record; not to be changed. ``number`` is its line in the file, from 1.

    ``t`` is in seconds since the session's start. A line of a stream has ``payload``, its own
    bytes, and ``eol``, the bytes that ended it (none where it goes on: ``more``); for a line that
    is a JSON text ``value`` holds it parsed, and ``is_message`` is true. A tap event has ``event``
    and ``fields``. Unknown keys are in ``fields`` too.
    """

    __slots__ = ("dir", "number", "payload", "seq", "session", "t", "ts", "value")

    # What a message has that fills a line and ends it with a newline; a million of them pass through.
    fields: Mapping[str, Any] = _NOTHING
    eol: bytes = b"\n"
    more: bool = False
    is_message: bool = True

    def __init__(
        self,
        number: int,
        ts: str,
        t: float,
        session: str,
        seq: int,
        dir: Direction,
        payload: bytes,
        value: Any,
    ) -> None:
        self.number = number
        self.ts = ts
        self.t = t
        self.session = session
        self.seq = seq
        self.dir: Direction = dir
        self.payload = payload
        self.value = value

    @property
    def event(self) -> str | None:
        """The name of a tap event; None for a line."""
        name = self.fields.get("event")
        return name if self.dir == "tap" and isinstance(name, str) else None

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Record) and self._all() == other._all()

    __hash__ = None  # type: ignore[assignment]  # as that of any value that holds JSON

    def __repr__(self) -> str:
        return f"Record{self._all()}"

    def _all(self) -> tuple[Any, ...]:
        where = (self.number, self.ts, self.t, self.session, self.seq, self.dir, dict(self.fields))
        return (*where, self.payload, self.eol, self.more, self.is_message, self.value)


class SpecialRecord(Record):
    """A record of any other kind: a tap event, stderr, a line that is no message, a part of one."""

    __slots__ = ("eol", "fields", "is_message", "more")

    def __init__(
        self,
        number: int,
        ts: str,
        t: float,
        session: str,
        seq: int,
        dir: Direction,
        fields: Mapping[str, Any] = _NOTHING,
        payload: bytes = b"",
        eol: bytes = b"",
        more: bool = False,
        is_message: bool = False,
        value: Any = None,
    ) -> None:
        super().__init__(number, ts, t, session, seq, dir, payload, value)
        self.fields = fields
        self.eol = eol
        self.more = more
        self.is_message = is_message


@dataclass(frozen=True, slots=True)
class Skipped:
    """A line of the file that is no record: ``reason`` says why, in a few words."""

    number: int
    reason: str
    size: int
    dir: ClassVar[None] = None


def read_records(lines: Iterable[bytes]) -> Iterator[Record | Skipped]:
    """The records in ``lines`` (as a binary file iterates: split at 0x0A), in order.

    Raises :class:`TapError` at a ``start`` record of a newer format.
    """
    for number, line in enumerate(lines, 1):
        item = read_record(line, number)
        if item.dir == "tap" and item.event == "start":
            refuse_newer(item)
        yield item


def read_record(line: bytes, number: int) -> Record | Skipped:
    """One line of a recording as a record."""
    # What has nothing special is built straight: a million records pass through here.
    try:
        keys = orjson.loads(line)
        value, direction, seq, session = keys["msg"], keys["dir"], keys["seq"], keys["session"]
        ts, t = keys["ts"], keys["t"]
        if (
            len(keys) == _USUAL_KEYS
            and type(value) is dict
            and (direction == "c2s" or direction == "s2c")
            and type(t) is float
            and type(seq) is int
            and type(session) is str
            and type(ts) is str
            and line.endswith(_USUAL_END)
        ):
            payload = line[line.index(_MSG) + _AFTER_MSG : -2]
            return Record(number, ts, t, session, seq, direction, payload, value)
    except (KeyError, ValueError, TypeError):
        pass
    return read_special(line, number)


def read_special(line: bytes, number: int) -> Record | Skipped:
    """Any line of a recording as a record."""
    if not line.endswith(b"\n"):
        if not line.rstrip().endswith(b"}"):
            return Skipped(number, "incomplete: the writer was interrupted, or is still writing", len(line))
    elif not line.strip():
        return Skipped(number, "empty line", len(line))
    try:
        fields, payload = parse(line)
    except ValueError:
        return Skipped(number, "not JSON: a truncated record, or not a recording", len(line))
    try:
        return build(fields, payload, number)
    except KeyError as error:
        return Skipped(number, f"not a record: {error} is missing", len(line))
    except (TypeError, ValueError) as error:
        return Skipped(number, f"not a record: {error}", len(line))


def parse(line: bytes) -> tuple[dict[str, Any], bytes | None]:
    """A record's keys, and the raw bytes of its ``msg``. Raises ValueError."""
    at = line.find(_MSG)
    if at < 0:
        return a_dict(orjson.loads(line)), None
    payload = line[at + len(_MSG) : line.rindex(b"}")]
    try:
        fields = a_dict(orjson.loads(line))
    except orjson.JSONDecodeError:
        # The parser's nesting limit counts the record's own brace: the parts may still do.
        fields = a_dict(orjson.loads(line[:at].rstrip(b", ") + b"}"))
        fields["msg"] = orjson.loads(payload)
    return fields, payload


def a_dict(value: object) -> dict[str, Any]:
    """``value`` if it is an object; raises ValueError."""
    if not isinstance(value, dict):
        raise ValueError("not an object")
    return value


def build(fields: dict[str, Any], raw: bytes | None, number: int) -> Record:
    """A record from its keys. Raises KeyError, TypeError or ValueError where one is wrong."""
    direction = fields.pop("dir")
    if direction not in ("c2s", "s2c", "stderr", "tap"):
        raise ValueError("unknown dir")
    ts, t, session, seq = (fields.pop(key) for key in ("ts", "t", "session", "seq"))
    if not (isinstance(ts, str) and isinstance(session, str) and type(seq) is int):
        raise TypeError("ts, session or seq has the wrong type")
    if type(t) not in (int, float):
        raise TypeError("t is not a number")
    eol = fields.pop("eol", "\n")
    if eol not in ("\n", "\r\n", ""):
        raise ValueError("unknown eol")
    more = fields.pop("more", False)
    payload, value, is_message = b"", None, False
    if direction != "tap":
        kinds = [kind for kind in _PAYLOADS if kind in fields]
        if len(kinds) != 1:
            raise ValueError(f"{len(kinds)} payloads instead of one")
        value = fields.pop(kinds[0])
        is_message = kinds[0] == "msg"
        payload = payload_bytes(kinds[0], value, raw)
    return SpecialRecord(
        number=number,
        ts=ts,
        t=float(t),
        session=session,
        seq=seq,
        dir=direction,
        fields=fields,
        payload=payload,
        eol=eol.encode() if direction != "tap" else b"",
        more=more is True,
        is_message=is_message,
        value=value if is_message else None,
    )


def payload_bytes(kind: str, value: Any, raw: bytes | None) -> bytes:
    """A line's own bytes, without what ended it."""
    if kind == "msg":
        return raw if raw is not None else orjson.dumps(value)
    if not isinstance(value, str):
        raise TypeError(f"{kind} is not a string")
    if kind == "text":
        return value.encode()
    return base64.b64decode(value, validate=True)


def refuse_newer(start: Record) -> None:
    """Raise :class:`TapError` if ``start`` says that an old reader would misread the session."""
    version = start.fields.get("format", 1)
    if isinstance(version, int) and version > FORMAT_VERSION:
        raise TapError(
            f"session {start.session} has recording format {version}, but this mcp-tap reads only up to "
            f"{FORMAT_VERSION}: upgrade mcp-tap-recorder to read it"
        )
