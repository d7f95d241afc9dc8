"""Records back from a file, whatever happened to it.

Reading never fails on a file's content: a line that is no record becomes a :class:`Skipped`
that says why. Only a recording of a newer format is refused, since it would be misread.
"""

from __future__ import annotations

import base64
import binascii
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any, Literal

import orjson

from mcp_tap.errors import TapError
from mcp_tap.record.schema import FORMAT_VERSION

Direction = Literal["c2s", "s2c", "stderr", "tap"]

_MSG = b'"msg":'
_PAYLOADS = ("msg", "text", "b64")


@dataclass(frozen=True, slots=True)
class Record:
    """One record. ``number`` is its line in the file, from 1.

    ``t`` is in seconds since the session's start. A line of a stream has ``payload``, its own
    bytes, and ``eol``, the bytes that ended it (none where it goes on: ``more``); for a line that
    is a JSON text ``value`` holds it parsed, and ``is_message`` is true. A tap event has ``event``
    and ``fields``. Unknown keys are in ``fields`` too.
    """

    number: int
    ts: str
    t: float
    session: str
    seq: int
    dir: Direction
    fields: dict[str, Any]
    payload: bytes = b""
    eol: bytes = b""
    more: bool = False
    is_message: bool = False
    value: Any = None

    @property
    def event(self) -> str | None:
        """The name of a tap event; None for a line."""
        name = self.fields.get("event")
        return name if self.dir == "tap" and isinstance(name, str) else None


@dataclass(frozen=True, slots=True)
class Skipped:
    """A line of the file that is no record: ``reason`` says why, in a few words."""

    number: int
    reason: str
    size: int


def read_records(lines: Iterable[bytes]) -> Iterator[Record | Skipped]:
    """The records in ``lines`` (as a binary file iterates: split at 0x0A), in order.

    Raises :class:`TapError` at a ``start`` record of a newer format.
    """
    for number, line in enumerate(lines, 1):
        item = read_record(line, number)
        if isinstance(item, Record) and item.event == "start":
            refuse_newer(item)
        yield item


def read_record(line: bytes, number: int) -> Record | Skipped:
    """One line of a recording as a record."""
    if not line.endswith(b"\n"):
        if not line.rstrip().endswith(b"}"):
            return Skipped(number, "cut off: the writer was interrupted, or is writing just now", len(line))
    elif not line.strip():
        return Skipped(number, "an empty line", len(line))
    try:
        fields, payload = parse(line)
    except ValueError:
        return Skipped(number, "not JSON: a record that was cut off, or another file's content", len(line))
    try:
        return build(fields, payload, number)
    except (KeyError, TypeError, ValueError, binascii.Error) as error:
        return Skipped(number, f"not a record: {type(error).__name__} {error}", len(line))


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
        raise ValueError("an unknown dir")
    ts, t, session, seq = (fields.pop(key) for key in ("ts", "t", "session", "seq"))
    if not (isinstance(ts, str) and isinstance(session, str) and type(seq) is int):
        raise TypeError("ts, session or seq has the wrong type")
    if type(t) not in (int, float):
        raise TypeError("t is not a number")
    eol = fields.pop("eol", "\n")
    if eol not in ("\n", "\r\n", ""):
        raise ValueError("an unknown eol")
    more = fields.pop("more", False)
    payload, value, is_message = b"", None, False
    if direction != "tap":
        kinds = [kind for kind in _PAYLOADS if kind in fields]
        if len(kinds) != 1:
            raise ValueError(f"{len(kinds)} payloads instead of one")
        value = fields.pop(kinds[0])
        is_message = kinds[0] == "msg"
        payload = payload_bytes(kinds[0], value, raw)
    return Record(
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
            f"session {start.session} has recording format {version}, and this mcp-tap reads up to "
            f"{FORMAT_VERSION}: upgrade mcp-tap-recorder to read it"
        )
