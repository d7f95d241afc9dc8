"""The pieces of a record, as bytes. ``FORMAT.md`` says what they mean.

A record is put together by joining bytes, never by dumping an object that holds the
message: the line's own bytes are part of the record, unchanged.
"""

from __future__ import annotations

import base64
import codecs
import functools
import time
from typing import Any, Literal, TypeGuard, get_args

import orjson

from mcp_tap.wire.lines import Line, Segment

FORMAT_VERSION = 1

Stream = Literal["c2s", "s2c", "stderr"]
STREAMS: tuple[Stream, ...] = get_args(Stream)

First = Literal["client-eof", "client-signal", "server-exit", "server-eof", "client-gone", "spawn-failed"]
"""What ended a session."""

LARGE = 128 * 1024
"""Bytes of a message from which copying it costs more than a second piece in its write."""

WHOLE_LINE_LIMIT = 1024 * 1024
"""Bytes up to which a line that is not JSON is escaped in one piece.

Decoding takes up to four bytes of memory for each byte of the line; beyond this size it is
done a piece at a time.
"""

PARSED_LIMIT = 256 * 1024 * 1024
"""Bytes that looking whether a line is JSON may cost, so that one line cannot exhaust a machine."""

CR = 0x0D

_CROCKFORD = "0123456789abcdefghjkmnpqrstvwxyz"


def new_session_id(wall_ns: int, random: bytes) -> str:
    """An identifier that sorts by start time: ten digits of milliseconds, six random ones.

    The alphabet and the time part are those of a ULID, in lower case. ``random`` holds four
    bytes.
    """
    number = (wall_ns // 1_000_000 << 30) | (int.from_bytes(random[:4], "big") & (1 << 30) - 1)
    return "".join(_CROCKFORD[number >> shift & 31] for shift in range(75, -1, -5))


@functools.lru_cache(maxsize=1)
def utc_second(seconds: int) -> bytes:
    """A timestamp up to its point; remembered, since making it costs as much as a write to the file."""
    return time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(seconds)).encode()


def head(wall_ns: int, since_start_ns: int, session: str) -> bytes:
    """What every record of one moment begins with, up to the value of ``seq``.

    ``ts`` is RFC 3339 in UTC, ``t`` seconds; both have microsecond digits.
    """
    wall, since = wall_ns // 1000, since_start_ns // 1000
    frame = head_of_second(wall // 1_000_000, session)
    return frame % (wall % 1_000_000, since // 1_000_000, since % 1_000_000)


@functools.lru_cache(maxsize=1)
def head_of_second(seconds: int, session: str) -> bytes:
    """The same with places for the numbers; remembered, since every message needs it."""
    known = utc_second(seconds), session.encode().replace(b"%", b"%%")
    return b'{"ts":"%b.%%06dZ","t":%%d.%%06d,"session":"%b","seq":' % known


class MessageFrame:
    """All of a message's record that stays the same for a second, with places for the rest.

    What :func:`head`, ``middle`` and the message make, in one step instead of three.
    """

    def __init__(self, session: str, stream: Stream) -> None:
        self.middle = f',"dir":"{stream}",'.encode()
        self._session = session
        self._second = -1
        self._frame = b""

    def record(self, wall_ns: int, since_start_ns: int, seq: int, message: bytes) -> bytes:
        """The whole record of ``message``, a line of strict JSON."""
        wall, since = wall_ns // 1000, since_start_ns // 1000
        second = wall // 1_000_000
        if second != self._second:
            self._second = second
            self._frame = head_of_second(second, self._session) + b"%d" + self.middle + b'"msg":%b}\n'
        return self._frame % (wall % 1_000_000, since // 1_000_000, since % 1_000_000, seq, message)


def event_tail(event: str, fields: dict[str, Any]) -> bytes:
    """What follows ``seq`` in a tap event, up to the newline."""
    return b',"dir":"tap",' + orjson.dumps({"event": event, **fields})[1:] + b"\n"


def text_payload(line: bytes) -> bytes:
    """``"text":…``, or ``"b64":…`` where the line is not UTF-8 (RFC 3629)."""
    if len(line) > WHOLE_LINE_LIMIT:
        return text_payload_of((line,))
    try:
        return b'"text":' + orjson.dumps(line.decode())
    except UnicodeDecodeError:
        return b'"b64":"' + base64.b64encode(line) + b'"'


def text_payload_of(pieces: tuple[bytes, ...]) -> bytes:
    """The same for a line in pieces, a piece at a time."""
    decoder = codecs.getincrementaldecoder("utf-8")()
    parts = [b'"text":"']
    try:
        for piece in pieces:
            parts += [
                orjson.dumps(decoder.decode(piece[at : at + WHOLE_LINE_LIMIT]))[1:-1]
                for at in range(0, len(piece), WHOLE_LINE_LIMIT)
            ]
        decoder.decode(b"", final=True)
    except UnicodeDecodeError:
        parts = [b'"b64":"', base64.b64encode(b"".join(pieces))]
    parts.append(b'"')
    return b"".join(parts)


def is_strict_json(line: bytes) -> bool:
    """Whether ``line`` is one JSON value by RFC 8259 that the reader's parser can hold.

    Its limits count as "not": nesting beyond 1,024, a number beyond double precision's range,
    and millions of values, which cost many times their own length. NaN, a byte order mark
    and a lone surrogate are not JSON at all.
    """
    if len(line) > WHOLE_LINE_LIMIT and parsed_size(line) > PARSED_LIMIT:
        return False
    try:
        orjson.loads(line)
    except orjson.JSONDecodeError:
        return False
    return True


def parsed_size(line: bytes) -> int:
    """About how many bytes ``line`` takes beyond its own length while it is parsed.

    Measured with orjson 3.13 on CPython 3.11: up to 64 for a value, 240 for a container.
    """
    return 64 * line.count(b",") + 240 * (line.count(b"{") + line.count(b"["))


def are_messages(lines: list[Line]) -> TypeGuard[list[bytes]]:
    """Whether every line is whole, strict JSON, and ends in a bare newline: nearly always so."""
    loads = orjson.loads  # this loop decides how many lines a second the tap can carry
    if lines[0].__class__ is bytes and len(lines[0]) > WHOLE_LINE_LIMIT:
        return False  # the limits of is_strict_json are for such; only the first began in an earlier chunk
    try:
        for line in lines:
            loads(line)  # type: ignore[arg-type] # a segment is an error like any other
            if line[-1] == CR:  # type: ignore[index] # what loads is bytes, and not empty
                return False
    except orjson.JSONDecodeError:
        return False
    return True


def is_large_message(lines: list[Line]) -> TypeGuard[list[bytes]]:
    """Whether there is one line, a large one, that is strict JSON and ends in a bare newline."""
    line = lines[0]
    return (
        len(lines) == 1
        and isinstance(line, bytes)
        and len(line) >= LARGE
        and line[-1] != CR
        and is_strict_json(line)
    )


def body(line: Line, *, json_allowed: bool) -> bytes:
    """What follows ``dir`` in the record of a line or a segment, up to the closing brace."""
    return line_body(line, json_allowed=json_allowed) if isinstance(line, bytes) else segment_body(line)


def line_body(line: bytes, *, json_allowed: bool) -> bytes:
    """What follows ``dir`` in the record of a whole line, up to the closing brace."""
    eol = b""
    if line[-1:] == b"\r":
        line, eol = line[:-1], b'"eol":"\\r\\n",'
    if json_allowed and is_strict_json(line):
        return eol + b'"msg":' + line
    return eol + text_payload(line)


def segment_body(segment: Segment) -> bytes:
    """What follows ``dir`` in the record of a segment, up to the closing brace."""
    pieces, eol = segment.pieces, b""
    if segment.more:
        eol = b'"eol":"","more":true,'
    elif not segment.newline:
        eol = b'"eol":"",'
    elif pieces and pieces[-1][-1:] == b"\r":
        pieces, eol = (*pieces[:-1], pieces[-1][:-1]), b'"eol":"\\r\\n",'
    return eol + text_payload_of(pieces)
