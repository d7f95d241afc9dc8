"""The pieces of a record, as bytes."""

from __future__ import annotations

import base64
import json
import math
import time
from collections.abc import Iterator
from typing import Any, NoReturn

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mcp_tap.record import schema
from mcp_tap.wire.lines import Segment
from tests.profiles import examples

NOVEMBER = 1_795_977_460_123_456_789
"""2026-11-29T18:37:40.123456789Z in nanoseconds since 1970."""


@pytest.fixture
def far_from_utc(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A process whose local time is not UTC."""
    with monkeypatch.context() as patch:
        patch.setenv("TZ", "XYZ+03:30")
        time.tzset()
        yield
    time.tzset()


EXACTLY_1024_DEEP = b"[" * 1024 + b"]" * 1024
TOO_DEEP = b"[" * 1025 + b"]" * 1025

STRICT = [
    b"{}", b"[]", b"null", b"true", b"0", b"-0", b"1.5e+3", b'""', b'"x"',
    b'{"jsonrpc":"2.0","id":1,"method":"ping"}',
    b' {"a" :\t1 } ',
    b"{}\r",
    b'{"a":1,"a":2}',
    b"18446744073709551616",
    b"1e-999",
    b"9" * 300,
    b'"\\u0000\\/\\b"',
    b'"\\ud83d\\ude00"',
    '"\N{LINE SEPARATOR}é\x7f"'.encode(),
    EXACTLY_1024_DEEP,
    b'{"a":' * 1024 + b"1" + b"}" * 1024,
]  # fmt: skip

NOT_STRICT = [
    b"", b" ", b"\r", b"Server starting...", b"tru", b"True", b"undefined", b"'a'",
    b"NaN", b"[NaN]", b"Infinity", b"-Infinity",
    b"01", b"1.", b".5", b"+1", b"0x1", b"1_000",
    b"1e999", b"-1e999", b"9" * 5000,
    b"[1,]", b'{"a":1,}', b"{a:1}", b'{"a"}', b"{}{}", b"{} x", b"// c", b"/**/1",
    b'"\t"', b'"\0"', b'"\\x41"', b'"\\u12"', b'"', b"1\0", b"\x0b1", b"\xc2\xa01",
    b"\xef\xbb\xbf{}",
    b'"\\ud800"', b'"\\udc00"', b'"\\ude00\\ud83d"', b'"\\ud800\\u0041"',
    b'"\xff"', b'"\xed\xa0\x80"', b'"\xc0\x80"', b'"\xe2\x82"',
    "{}".encode("utf-16"), "{}".encode("utf-16-le"),
    TOO_DEEP,
]  # fmt: skip


def body(line: bytes, *, json_allowed: bool = True) -> bytes:
    return schema.line_body(line, json_allowed=json_allowed)


def line_bytes(record_body: bytes) -> bytes:
    """What a body gives back: its payload and its end of line, as FORMAT.md says."""
    if b'"msg":' in record_body[:20]:
        head, _, payload = record_body.partition(b'"msg":')
        eol = json.loads(b"{" + head + b'"":0}').get("eol", "\n")
        return payload + str(eol).encode()
    fields = json.loads(b"{" + record_body + b"}")
    payload = fields["text"].encode() if "text" in fields else base64.b64decode(fields["b64"], validate=True)
    return bytes(payload) + str(fields.get("eol", "\n")).encode()


@pytest.mark.parametrize("line", STRICT)
def test_strictly_valid_json_is_spliced_in_unchanged(line: bytes) -> None:
    assert schema.is_strict_json(line)
    if not line.endswith(b"\r"):
        assert body(line) == b'"msg":' + line


@pytest.mark.parametrize("line", NOT_STRICT)
def test_what_is_not_strictly_valid_json_is_no_message(line: bytes) -> None:
    assert not schema.is_strict_json(line)
    assert not body(line).partition(b'"eol":"\\r\\n",')[2].startswith(b'"msg"')
    assert not body(line).startswith(b'"msg"')
    assert line_bytes(body(line)) == line + b"\n"


def strict_by_the_standard_library(line: bytes) -> bool:
    """RFC 8259 by Python's own parser, made strict; small inputs only."""

    def refuse(constant: str) -> NoReturn:
        raise ValueError(constant)

    try:
        value = json.loads(line.decode(), parse_constant=refuse)
        json.dumps(value, ensure_ascii=False).encode()  # a lone surrogate is no character
    except ValueError:
        return False
    return all(math.isfinite(number) for number in numbers(value))


def numbers(value: Any) -> list[float]:
    if isinstance(value, float):
        return [value]
    children = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return [number for child in children for number in numbers(child)]


JSON_FRAGMENTS = st.sampled_from(
    ["{", "}", "[", "]", ",", ":", '"', '"a"', '"a":', "1", "0", "-", ".", "e9", "E+400", "true", "NaN",
     "null", " ", "\t", "\r", "\\", "\\ud800", "\\udc00", "\\u0041", '"\\ud83d\\ude00"', "\ufeff", "é",
     "\x7f", "\x1f"]
)  # fmt: skip
JSONISH = st.lists(JSON_FRAGMENTS, max_size=9).map("".join).map(str.encode)
JSON_VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=True) | st.text(max_size=6),
    lambda some: st.lists(some, max_size=3) | st.dictionaries(st.text(max_size=3), some, max_size=3),
    max_leaves=6,
).map(lambda value: json.dumps(value).encode())


@examples(3)
@given(JSONISH | JSON_VALUES | st.binary(max_size=6))
def test_strict_json_is_what_the_standard_says(line: bytes) -> None:
    assert schema.is_strict_json(line) is strict_by_the_standard_library(line)


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        (b"", b'"text":""'),
        (b"\r", b'"eol":"\\r\\n","text":""'),
        (b"Server starting", b'"text":"Server starting"'),
        (b"ready\r", b'"eol":"\\r\\n","text":"ready"'),
        (b"a\rb\0\x1b[0m", b'"text":"a\\rb\\u0000\\u001b[0m"'),
        (b'say "hi" \\', b'"text":"say \\"hi\\" \\\\"'),
        ("é\N{LINE SEPARATOR}".encode(), '"text":"é\N{LINE SEPARATOR}"'.encode()),
        (b"\xef\xbb\xbf{}", b'"text":"\xef\xbb\xbf{}"'),
        (b"\xff", b'"b64":"/w=="'),
        (b"\xff\r", b'"eol":"\\r\\n","b64":"/w=="'),
        (b'{ "a" : 1 }', b'"msg":{ "a" : 1 }'),
        (b'{"a":1,"a":2}', b'"msg":{"a":1,"a":2}'),
        (b"1.50E+0", b'"msg":1.50E+0'),
        (b"{}\r", b'"eol":"\\r\\n","msg":{}'),
        (b"{}\r\r", b'"eol":"\\r\\n","msg":{}\r'),
        (b'"\\u00e9"', b'"msg":"\\u00e9"'),
    ],
)
def test_a_line_becomes_exactly_these_bytes(line: bytes, expected: bytes) -> None:
    assert body(line) == expected


@pytest.mark.parametrize(
    ("line", "expected"),
    [(b"{}", b'"text":"{}"'), (b"{}\r", b'"eol":"\\r\\n","text":"{}"'), (b'"\xff"', b'"b64":"Iv8i"')],
)
def test_json_on_a_stream_without_messages_is_text(line: bytes, expected: bytes) -> None:
    assert body(line, json_allowed=False) == expected


@examples(2)
@given(st.binary(max_size=30) | JSONISH | st.text(max_size=20).map(str.encode), st.booleans())
def test_the_bytes_of_a_line_come_back_from_its_record(line: bytes, json_allowed: bool) -> None:
    assert line_bytes(body(line, json_allowed=json_allowed)) == line + b"\n"


@pytest.mark.parametrize(
    ("segment", "expected"),
    [
        (Segment((b"ab", b"c"), more=True), b'"eol":"","more":true,"text":"abc"'),
        (Segment((b"ab\r",), more=True), b'"eol":"","more":true,"text":"ab\\r"'),
        (Segment((b"{}",), more=True), b'"eol":"","more":true,"text":"{}"'),
        (Segment((b"ab",)), b'"eol":"","text":"ab"'),
        (Segment((b"ab\r",)), b'"eol":"","text":"ab\\r"'),
        (Segment(()), b'"eol":"","text":""'),
        (Segment((b"ab",), newline=True), b'"text":"ab"'),
        (Segment((b"{}",), newline=True), b'"text":"{}"'),
        (Segment((), newline=True), b'"text":""'),
        (Segment((b"ab\r",), newline=True), b'"eol":"\\r\\n","text":"ab"'),
        (Segment((b"ab", b"\r"), newline=True), b'"eol":"\\r\\n","text":"ab"'),
        (Segment((b"\r",), newline=True), b'"eol":"\\r\\n","text":""'),
        (Segment((b"\xff", b"a\r"), newline=True), b'"eol":"\\r\\n","b64":"/2E="'),
        (Segment((b"\xe2", b"\x82", b"\xac")), '"eol":"","text":"€"'.encode()),
        (Segment((b"a\xe2", b"\x82")), b'"eol":"","b64":"YeKC"'),
        (Segment((b"\xe2", b"a")), b'"eol":"","b64":"4mE="'),
    ],
)
def test_a_segment_becomes_exactly_these_bytes(segment: Segment, expected: bytes) -> None:
    assert schema.segment_body(segment) == expected


PIECES = st.binary(min_size=1, max_size=6) | st.sampled_from([b"\xe2", b"\x82", b"\xac", b"\r"])


@examples(2)
@given(
    st.lists(PIECES, max_size=6),
    st.sampled_from([(False, False), (False, True), (True, False)]),
)
def test_the_bytes_of_a_segment_come_back_from_its_record(
    pieces: list[bytes], flags: tuple[bool, bool]
) -> None:
    newline, more = flags
    segment = Segment(tuple(pieces), newline=newline, more=more)
    assert line_bytes(schema.segment_body(segment)) == b"".join(pieces) + (b"\n" if newline else b"")


@examples(2)
@given(st.lists(st.binary(max_size=4) | st.sampled_from([b"\xf0\x9f", b"\x92\xa9", b'"', b"\\"]), max_size=6))
def test_text_in_pieces_is_the_text_in_one(pieces: list[bytes]) -> None:
    assert schema.text_payload_of(tuple(pieces)) == schema.text_payload(b"".join(pieces))


MIB = 1024 * 1024
BEYOND = schema.WHOLE_LINE_LIMIT + 1


@pytest.mark.parametrize(
    "text",
    [
        "a" * (BEYOND - 1),
        "a" * BEYOND,
        "a" * (schema.WHOLE_LINE_LIMIT - 1) + "€€",
        "a" * (2 * MIB - 2) + "\N{PILE OF POO}" + '"\\\n' * 10,
        "\N{PILE OF POO}" * (MIB // 2),
    ],
    ids=["a whole line", "one byte more", "a character across", "at the second cut", "four-byte characters"],
)
def test_a_line_beyond_one_mebibyte_is_the_same_text(text: str) -> None:
    payload = schema.text_payload(text.encode())
    assert payload.startswith(b'"text":"')
    assert json.loads(b"{" + payload + b"}") == {"text": text}


@pytest.mark.parametrize(
    "line",
    [b"a" * (2 * MIB) + b"\xff", b"\xff" + b"a" * (2 * MIB), b"a" * (2 * MIB) + b"\xe2\x82"],
    ids=["wrong at the end", "wrong at the start", "a character cut off"],
)
def test_a_line_beyond_one_mebibyte_that_is_not_utf8_is_base64(line: bytes) -> None:
    assert schema.text_payload(line) == b'"b64":"' + base64.b64encode(line) + b'"'


def test_a_message_beyond_one_mebibyte_is_spliced_in_unchanged() -> None:
    line = b'{"a": "' + b"x" * (2 * MIB) + b'"}'
    assert body(line) == b'"msg":' + line


def test_an_event_follows_the_number_with_its_fields_in_order() -> None:
    tail = schema.event_tail("exit", {"code": 0, "signal": None, "lines": {"c2s": 1}})
    assert tail == b',"dir":"tap","event":"exit","code":0,"signal":null,"lines":{"c2s":1}}\n'


def test_an_event_without_fields_is_a_whole_record_too() -> None:
    assert schema.event_tail("x", {}) == b',"dir":"tap","event":"x"}\n'


def test_head_and_tail_are_one_json_line_with_the_keys_in_the_order_of_the_contract() -> None:
    head = schema.head(NOVEMBER, 1_544_999, "01k3v9x6n4q8")
    record = head + b"7" + schema.event_tail("eof", {"stream": "c2s"})
    assert record == (
        b'{"ts":"2026-11-29T18:37:40.123456Z","t":0.001544,"session":"01k3v9x6n4q8","seq":7,'
        b'"dir":"tap","event":"eof","stream":"c2s"}\n'
    )


@pytest.mark.parametrize(
    ("wall_ns", "expected"),
    [
        (0, "1970-01-01T00:00:00.000000Z"),
        (999, "1970-01-01T00:00:00.000000Z"),
        (1_000, "1970-01-01T00:00:00.000001Z"),
        (999_999_999, "1970-01-01T00:00:00.999999Z"),
        (NOVEMBER, "2026-11-29T18:37:40.123456Z"),
        (1_709_208_000_000_001_000, "2024-02-29T12:00:00.000001Z"),
    ],
)
def test_a_timestamp_is_utc_with_microseconds(wall_ns: int, expected: str, far_from_utc: None) -> None:
    assert schema.head(wall_ns, 0, "s").startswith(b'{"ts":"%b",' % expected.encode())


@pytest.mark.parametrize(
    ("since_start_ns", "expected"),
    [
        (0, "0.000000"),
        (999, "0.000000"),
        (1_000, "0.000001"),
        (1_544_999, "0.001544"),
        (86_400_000_000_000, "86400.000000"),
        (10**18 + 5_000, "1000000000.000005"),
    ],
)
def test_an_offset_is_seconds_with_microsecond_digits(since_start_ns: int, expected: str) -> None:
    assert b',"t":%b,' % expected.encode() in schema.head(0, since_start_ns, "s")


ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz"


@pytest.mark.parametrize(
    ("wall_ns", "random", "expected"),
    [
        (0, b"\0\0\0\0", "0000000000000000"),
        (999_999, b"\0\0\0\x1f", "000000000000000z"),
        (1_000_000, b"\xff\xff\xff\xff", "0000000001zzzzzz"),
        # The example of the ULID specification: 1469918176385 ms are 01ARYZ6S41.
        (1_469_918_176_385_000_000, b"\0\0\0\0", "01aryz6s41000000"),
    ],
)
def test_a_session_id_is_the_time_and_a_random_part(wall_ns: int, random: bytes, expected: str) -> None:
    assert schema.new_session_id(wall_ns, random) == expected


@examples(1)
@given(
    st.integers(0, 4 * 10**18),
    st.integers(1_000_000, 10**18),
    st.binary(min_size=4, max_size=4),
    st.binary(min_size=4, max_size=4),
)
def test_session_ids_sort_by_start_time(wall_ns: int, later: int, random: bytes, other: bytes) -> None:
    first = schema.new_session_id(wall_ns, random)
    second = schema.new_session_id(wall_ns + later, other)
    assert first < second
    assert [len(first), len(second)] == [16, 16]
    assert set(first + second) <= set(ALPHABET)


def test_the_streams_and_endings_are_those_of_the_contract() -> None:
    assert schema.STREAMS == ("c2s", "s2c", "stderr")
    assert schema.FORMAT_VERSION == 1


def test_a_line_of_millions_of_values_is_not_parsed_at_all(monkeypatch: pytest.MonkeyPatch) -> None:
    line = b"[" + b'{"a":1},' * 300_000 + b"1]"
    assert schema.is_strict_json(line)
    monkeypatch.setattr(schema, "PARSED_LIMIT", 50_000_000)
    assert not schema.is_strict_json(line)
    assert not schema.are_messages([line])
    assert schema.body(line, json_allowed=True).startswith(b'"text":')
    short = b"[" + b'{"a":1},' * 1000 + b"1]"
    monkeypatch.setattr(schema, "PARSED_LIMIT", 0)
    assert schema.is_strict_json(short)
    assert schema.are_messages([short])
