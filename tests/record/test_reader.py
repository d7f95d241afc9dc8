"""Records back from a file, whatever happened to it."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import orjson
import pytest
from hypothesis import given
from hypothesis import strategies as st

import mcp_tap.record
from mcp_tap.errors import TapError
from mcp_tap.record import schema
from mcp_tap.record.reader import Record, Skipped, SpecialRecord, read_record, read_records
from mcp_tap.wire.lines import Segment
from tests.profiles import examples

NOT_JSON = "not JSON: a truncated record, or not a recording"
HEAD = b'{"ts":"2026-11-29T18:37:40.140210Z","t":0.016754,"session":"s","seq":2,"dir":'


def one(line: bytes) -> Record:
    item = read_record(line, 7)
    assert isinstance(item, Record)
    return item


def skipped(line: bytes) -> Skipped:
    item = read_record(line, 7)
    assert isinstance(item, Skipped)
    return item


def test_a_message_keeps_its_own_bytes_and_is_parsed_too() -> None:
    record = one(HEAD + b'"s2c","msg": {"a" : 1.0, "a":2} }\n')
    assert record == SpecialRecord(
        number=7, ts="2026-11-29T18:37:40.140210Z", t=0.016754, session="s", seq=2, dir="s2c", fields={},
        payload=b' {"a" : 1.0, "a":2} ', eol=b"\n", is_message=True, value={"a": 2},
    )  # fmt: skip


def test_a_message_that_contains_the_key_msg_is_cut_at_the_first_one() -> None:
    assert one(HEAD + b'"c2s","msg":{"msg":{"msg":1}}}\n').payload == b'{"msg":{"msg":1}}'


def test_a_text_that_looks_like_a_message_is_text() -> None:
    record = one(HEAD + b'"stderr","text":"\\"msg\\":{}"}\n')
    assert (record.payload, record.is_message, record.value) == (b'"msg":{}', False, None)


def test_ends_and_segments_are_told() -> None:
    assert one(HEAD + b'"s2c","eol":"\\r\\n","text":"x"}\n').eol == b"\r\n"
    record = one(HEAD + b'"s2c","eol":"","more":true,"b64":"/w=="}\n')
    assert (record.payload, record.eol, record.more) == (b"\xff", b"", True)


def test_a_tap_event_has_its_name_and_its_fields() -> None:
    record = one(HEAD + b'"tap","event":"eof","stream":"c2s","new":1}\n')
    assert (record.event, record.fields["stream"], record.fields["new"]) == ("eof", "c2s", 1)
    assert one(HEAD + b'"c2s","event":"eof","text":""}\n').event is None


def test_a_message_at_the_parsers_nesting_limit_is_read() -> None:
    deep = b"[" * 1024 + b"]" * 1024
    assert schema.is_strict_json(deep)
    assert one(HEAD + b'"c2s","msg":' + deep + b"}\n").payload == deep


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        (HEAD + b'"s2c","msg":{"a":1', "incomplete: the writer was interrupted, or is still writing"),
        (HEAD + b'"s2c","msg":{"a":1\n', NOT_JSON),
        (HEAD + b'"s2c","msg":{"a":{"b":1}\n', NOT_JSON),
        (b"\n", "empty line"),
        (b"[1]\n", NOT_JSON),
        (b'{"msg":1}\n', "not a record: 'dir' is missing"),
        (HEAD + b'"sideways","text":""}\n', "not a record: unknown dir"),
        (HEAD + b'"s2c"}\n', "not a record: 0 payloads instead of one"),
        (HEAD + b'"s2c","text":"","b64":""}\n', "not a record: 2 payloads instead of one"),
        (HEAD.replace(b"2,", b'"2",') + b'"s2c","text":""}\n', None),
    ],
)  # fmt: skip
def test_a_line_that_is_no_record_is_skipped_with_a_reason(line: bytes, reason: str | None) -> None:
    item = skipped(line)
    assert (item.number, item.size) == (7, len(line))
    assert reason is None or item.reason == reason


def test_a_whole_last_record_without_its_newline_is_read() -> None:
    assert one(HEAD + b'"s2c","text":"x"}').payload == b"x"


def test_a_newer_format_is_refused_with_a_sentence_that_says_to_upgrade() -> None:
    start = HEAD + b'"tap","event":"start","format":2}\n'
    with pytest.raises(TapError, match=r"session s has recording format 2, .* upgrade mcp-tap-recorder"):
        list(read_records([start]))


@given(st.binary(max_size=200))
@examples(3)
def test_no_bytes_whatever_make_the_reader_raise(line: bytes) -> None:
    assert read_record(line, 1).number == 1


JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**53), 2**53) | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=8,
)


@given(JSON)
@examples(3)
def test_no_record_of_wrong_shape_makes_the_reader_raise(value: Any) -> None:
    fields = {"ts": "x", "t": 0, "session": "s", "seq": 1, "dir": "c2s", "text": "x"}
    for key in [*fields, "eol", "more", "msg", "b64"]:
        assert read_record(orjson.dumps({**fields, key: value}) + b"\n", 1).number == 1


@given(st.binary(max_size=300), st.sampled_from(["c2s", "s2c", "stderr"]))
@examples(3)
def test_what_the_writer_makes_of_a_line_the_reader_makes_that_line_of(line: bytes, stream: str) -> None:
    line = line.replace(b"\n", b"")
    body = schema.line_body(line, json_allowed=stream != "stderr")
    record = one(HEAD + b'"%b",%b}\n' % (stream.encode(), body))
    assert record.payload + record.eol == line + b"\n"
    body = schema.segment_body(Segment((line[:3], line[3:]), more=True))
    record = one(HEAD + b'"%b",%b}\n' % (stream.encode(), body))
    assert (record.payload, record.more) == (line, True)


def test_the_formats_own_example_is_read_as_it_says() -> None:
    document = Path(mcp_tap.record.__file__).with_name("FORMAT.md").read_bytes()
    example = re.search(rb"```json\n(.*?)```", document, re.DOTALL)
    assert example is not None
    items = [item for item in read_records(example[1].splitlines(keepends=True)) if isinstance(item, Record)]
    assert [item.seq for item in items] == list(range(8))
    passed: dict[str, int] = dict.fromkeys(schema.STREAMS, 0)
    for item in items:
        if item.dir != "tap":
            passed[item.dir] += len(item.payload + item.eol)
    assert items[-1].event == "exit"
    assert items[-1].fields["bytes"] == passed
