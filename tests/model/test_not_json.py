"""Why a line is not JSON, and what it was meant as."""

from __future__ import annotations

import time
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mcp_tap.model import not_json as limits
from mcp_tap.model.message import MessageKind, read_line
from mcp_tap.model.not_json import EXAMINED, Flaw, why_not_json
from mcp_tap.record.schema import is_strict_json
from tests.profiles import examples


@pytest.mark.parametrize(
    ("line", "flaw", "why"),
    [
        (b"", "empty", "empty line"),
        (b" \t", "empty", "empty line"),
        (b"Server ready", "text", "plain text"),
        (b"[notes] ready", "text", "plain text"),
        (b"[1] ready", "text", "plain text"),
        (b"\x1b[2m10:00\x1b[0m WARN", "colours", "text with terminal colours"),
        (b"Content-Length: 38", "lsp-header", "a Content-Length header (LSP framing)"),
        (b"content-length:38", "lsp-header", "a Content-Length header (LSP framing)"),
        (b'\xef\xbb\xbf{"id":1}', "byte-order-mark", "begins with a byte order mark"),
        (b"\xff\xfe{\0", "utf-16", "UTF-16 instead of UTF-8"),
        (b'{\0"\0i\0d\0"\0', "utf-16", "UTF-16 instead of UTF-8"),
        (b'{"a":"\xd6\xd0"}', "not-utf-8", "invalid UTF-8 at byte 7"),
        (b'{"a":"\xed\xa0\xbd"}', "not-utf-8", "invalid UTF-8 at byte 7"),
        (b'{"mean":NaN}', "constant", "NaN, which is not JSON"),
        (b'{"mean":1.5,"max":NaN}', "constant", "NaN, which is not JSON"),
        (b'{"a":' * 1020 + b"NaN" + b"}" * 1020, "syntax", "not JSON, nested too deeply to analyse"),
        (b'{"mean":-Infinity}', "constant", "-Infinity, which is not JSON"),
        (b'{"text":"\\ud83d"}', "surrogate", "lone surrogate (\\ud83d)"),
        (b'{"text":"\\ud83d\\ude00 \\uDE00"}', "surrogate", "lone surrogate (\\uDE00)"),
        (b'{"text":"\\\\ud83d \\udfff"}', "surrogate", "lone surrogate (\\udfff)"),
        (b'{"id":1e999}', "number", "a number (1e999), beyond double precision"),
        (b'{"id":%b}' % (b"1" * 5000), "number", "a number of 5,000 characters, beyond double precision"),
        (b"[[" * 600 + b"]]" * 600, "depth", "nested more than 1,024 levels deep"),
        (b'{"a":' * 100_000, "depth", "nested more than 1,024 levels deep"),
        (b'{"id":1}{"id":2}', "two-values", "two JSON values on one line"),
        (b'{"id":1} done', "trailing-text", "text after the JSON"),
        (b'{"id":1,"result":{"te', "cut-off", "truncated JSON"),
        (b'{"id":1,', "cut-off", "truncated JSON"),
        (b'{"id"', "cut-off", "truncated JSON"),
        (b"{'id':1}", "syntax", "invalid JSON at character 2"),
        (b'{"id":1,}', "syntax", "invalid JSON at character 9"),
        (b'{"a":"\x01"}', "syntax", "invalid JSON at character 7"),
    ],
)  # fmt: skip
def test_a_line_that_is_not_json_says_why(line: bytes, flaw: Flaw, why: str) -> None:
    message = read_line(line)
    assert (message.kind, message.flaw, message.why) == ("not-json", flaw, why)
    assert (message.value, message.id, message.method) == (None, None, None)
    assert not is_strict_json(line)


@pytest.mark.parametrize(
    ("line", "kind", "id"),
    [
        (b'{"id":4,"result":{"mean":NaN}}', "response", 4),
        (b'{"id":6,"method":"tools/call","params":{"text":"\\ud83d"}}', "request", 6),
        (b'{"id":3,"result":"\xd6\xd0"}', "response", 3),
        (b'\xef\xbb\xbf{"id":"a","method":"ping"}', "request", "a"),
        (b'{"id":1,"result":{}}{"id":2,"result":{}}', "response", 1),
        (b'{"id":5,"error":{"code":1e999}}', "error", 5),
    ],
)  # fmt: skip
def test_a_line_that_only_a_lenient_reader_takes_tells_what_it_was_meant_as(
    line: bytes, kind: MessageKind, id: Any
) -> None:
    meant = read_line(line).meant
    assert meant is not None
    assert (meant.kind, meant.id) == (kind, id)


@pytest.mark.parametrize(
    "line",
    [
        b"",
        b"ready",
        b"[1,NaN]",
        b'{"id":1,',
        b"\xff\xfe",
        b"[NaN]",
        b'{"a":\xff',
        b"\xef\xbb\xbf" + b"[" * 2000,
    ],
)
def test_a_line_that_means_nothing_is_not_meant_as_anything(line: bytes) -> None:
    assert read_line(line).meant is None


@pytest.mark.parametrize(
    "line",
    [b'{"' + b'\\"' * 500_000, b'{"a":' + b'"x",' * 250_000, b"{" * EXAMINED, b'[{"a":NaN},' * 100_000,
     b'{"a":"' + b"\\ud83d" * 100_000, b"{" + b" " * 1_000_000],
    ids=["quotes", "strings", "braces", "constants", "halves", "spaces"],
)  # fmt: skip
def test_the_reason_is_found_in_time_that_grows_with_the_line_only(line: bytes) -> None:
    begun = time.process_time()
    assert read_line(line).kind == "not-json"
    assert time.process_time() - begun < 3  # seconds; square time would be minutes


def test_a_line_with_more_values_than_are_read_is_told_as_such(monkeypatch: pytest.MonkeyPatch) -> None:
    line = b'{"a":[' + b"1," * 100 + b"1]}"
    assert why_not_json(line) == ("syntax", "not strictly valid JSON", {"a": [1] * 101})  # it is valid
    monkeypatch.setattr(limits, "PARSED_LIMIT", 1000)
    assert why_not_json(line)[:2] == ("too-large", "too many values to parse")


def test_a_line_too_long_to_be_examined_is_told_as_such() -> None:
    assert read_line(b"{" + b" " * EXAMINED + b"}x").flaw == "too-large"


BYTES = st.binary(max_size=60) | st.text(alphabet='{}[]":,\\udDeE18aNnIf \x00é', max_size=40).map(str.encode)


@given(BYTES, st.booleans())
@examples(5)
def test_every_line_is_a_message_or_says_why_not(line: bytes, whole: bool) -> None:
    message = read_line(line.replace(b"\n", b""), whole=whole)
    assert (message.why is None) == (message.kind not in ("not-json", "not-json-rpc"))
    assert (message.flaw is None) == (message.kind != "not-json")
