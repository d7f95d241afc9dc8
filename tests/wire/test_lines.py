"""Where a line ends, however the stream was chunked."""

from __future__ import annotations

import re
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mcp_tap.wire.lines import SEGMENT_LIMIT, Line, LineSplitter, Segment, incomplete_character
from tests.profiles import examples

FRAGMENTS = [
    b"\n", b"\n", b"\n\n", b"\r\n", b"\r", b"\0", b"a", b"bc", b'{"a":1}', "é".encode(), "€".encode(),
    "\N{PILE OF POO}".encode(), "\N{LINE SEPARATOR}".encode(), b"\xef\xbb\xbf", b"\xe2\x82", b"\x80", b"\xff",
    "x\n".encode("utf-16-le"),
]  # fmt: skip
STREAM = st.lists(st.sampled_from(FRAGMENTS) | st.binary(max_size=8), max_size=30).map(b"".join)

PAUSE = None
"""In a list of chunks: the stream is silent here."""


def bytes_of(line: Line) -> bytes:
    """The bytes of the stream that ``line`` stands for."""
    if isinstance(line, bytes):
        return line + b"\n"
    return b"".join(line.pieces) + (b"\n" if line.newline else b"")


def joined(lines: list[Line]) -> list[bytes]:
    """The lines of a stream with their newlines, segments put together."""
    whole: list[bytes] = []
    begun = b""
    for line in lines:
        begun += bytes_of(line)
        if isinstance(line, bytes) or not line.more:
            whole.append(begun)
            begun = b""
    assert begun == b"", "a segment promises more than ever came"
    return whole


def run(chunks: list[bytes | None], limit: int = SEGMENT_LIMIT) -> list[Line]:
    """What a splitter gives out for ``chunks`` and the end of the stream."""
    splitter = LineSplitter(limit)
    lines: list[Line] = []
    for chunk in chunks:
        lines += splitter.silence() if chunk is PAUSE else splitter.feed(chunk)
    return lines + splitter.end()


def cut(stream: bytes, at: list[int]) -> list[bytes]:
    """``stream`` in non-empty chunks, cut at the positions ``at``."""
    marks = [0, *sorted({mark for mark in at if 0 < mark < len(stream)}), len(stream)]
    return [stream[a:b] for a, b in pairwise(marks) if a < b]


def lines_by_the_definition(stream: bytes) -> list[bytes]:
    """The stream's lines with their newlines, by a regular expression rather than by a splitter."""
    return re.findall(rb"[^\n]*\n|[^\n]+\Z", stream)


POSITIONS = st.lists(st.integers(0, 120), max_size=12)


@examples(1.5)
@given(STREAM, POSITIONS)
def test_any_chunking_gives_the_same_lines(stream: bytes, at: list[int]) -> None:
    lines = run([*cut(stream, at)])
    assert [bytes_of(line) for line in lines] == lines_by_the_definition(stream)
    whole = stream.count(b"\n")
    assert [isinstance(line, bytes) for line in lines] == [True] * whole + [False] * (len(lines) - whole)


@examples(1.5)
@given(STREAM, POSITIONS, st.integers(4, 20), st.data())
def test_lines_and_bytes_stay_the_same_with_pauses_and_a_small_limit(
    stream: bytes, at: list[int], limit: int, data: st.DataObject
) -> None:
    chunks: list[bytes | None] = []
    for chunk in cut(stream, at):
        chunks += [chunk] + [PAUSE] * data.draw(st.integers(0, 2))
    assert joined(run(chunks, limit)) == lines_by_the_definition(stream)


@examples(1.5)
@given(STREAM, st.integers(4, 20), st.data())
def test_segments_do_not_depend_on_chunks_that_are_within_the_limit(
    stream: bytes, limit: int, data: st.DataObject
) -> None:
    chunks = []
    rest = stream
    while rest:
        size = data.draw(st.integers(1, limit))
        chunks.append(rest[:size])
        rest = rest[size:]

    def shape(lines: list[Line]) -> list[tuple[bytes, bool]]:
        return [(bytes_of(line), isinstance(line, Segment) and line.more) for line in lines]

    one_by_one = [stream[i : i + 1] for i in range(len(stream))]
    assert shape(run([*chunks], limit)) == shape(run([*one_by_one], limit))


@examples(1.5)
@given(STREAM, POSITIONS, st.integers(4, 20))
def test_no_segment_of_a_line_that_came_in_small_chunks_exceeds_the_limit(
    stream: bytes, at: list[int], limit: int
) -> None:
    chunks = [piece for chunk in cut(stream, at) for piece in cut(chunk, [*range(0, len(chunk), 4)])]
    sizes = [len(bytes_of(line).removesuffix(b"\n")) for line in run([*chunks], limit)]
    assert [size for size in sizes if size > limit] == []


@examples(1.5)
@given(st.text(alphabet="aé€\N{PILE OF POO}", max_size=60), POSITIONS, st.integers(4, 9))
def test_no_segment_of_utf8_cuts_a_character(text: str, at: list[int], limit: int) -> None:
    chunks = [piece for chunk in cut(text.encode(), at) for piece in (chunk, PAUSE)]
    lines = run([*chunks], limit)
    assert "".join(bytes_of(line).decode() for line in lines) == text


@pytest.mark.parametrize(
    ("stream", "lines"),
    [
        (b"", []),
        (b"\n", [b""]),
        (b"\n\n", [b"", b""]),
        (b"a\nb\n", [b"a", b"b"]),
        (b"a\r\nb\n", [b"a\r", b"b"]),
        (b"a\rb\n", [b"a\rb"]),
        (b"\r\r\n", [b"\r\r"]),
        (b"a\n\rb\n", [b"a", b"\rb"]),
        (b"a\0b\n", [b"a\0b"]),
        (b"a\x0bb\x0cc\x1cd\x85e\n", [b"a\x0bb\x0cc\x1cd\x85e"]),
        ("a\N{LINE SEPARATOR}b\N{PARAGRAPH SEPARATOR}c\N{NEXT LINE}d\n".encode(),
         ["a\N{LINE SEPARATOR}b\N{PARAGRAPH SEPARATOR}c\N{NEXT LINE}d".encode()]),
        (b"\xef\xbb\xbf{}\n", [b"\xef\xbb\xbf{}"]),
        ("a\nb".encode("utf-16-le"), [b"a\0", Segment((b"\0b\0",))]),
        ("\u0a0a".encode("utf-16-le"), [b"", b""]),
        (b"a", [Segment((b"a",))]),
        (b"a\r", [Segment((b"a\r",))]),
        (b"a\nb", [b"a", Segment((b"b",))]),
    ],
)  # fmt: skip
def test_a_stream_splits_at_the_byte_0a_and_nowhere_else(stream: bytes, lines: list[Line]) -> None:
    assert run([stream]) == lines


def test_lines_are_given_out_by_the_chunk_that_completes_them() -> None:
    splitter = LineSplitter()
    assert splitter.feed(b"a") == []
    assert splitter.feed(b"b\nc\nd") == [b"ab", b"c"]
    assert splitter.feed(b"") == []
    assert splitter.feed(b"\n") == [b"d"]
    assert splitter.end() == []


def test_a_line_of_exactly_the_limit_stays_whole() -> None:
    splitter = LineSplitter(4)
    assert splitter.feed(b"ab") == []
    assert splitter.feed(b"cd") == []
    assert splitter.feed(b"\n") == [b"abcd"]


def test_a_line_beyond_the_limit_comes_in_segments_of_the_limit() -> None:
    splitter = LineSplitter(4)
    assert splitter.feed(b"abcdefghij") == [
        Segment((b"abcd",), more=True),
        Segment((b"efgh",), more=True),
    ]
    assert splitter.feed(b"k\nl\n") == [Segment((b"ij", b"k"), newline=True), b"l"]


def test_a_segment_keeps_the_pieces_in_which_it_arrived() -> None:
    splitter = LineSplitter(6)
    for piece in (b"ab", b"c", b"de"):
        assert splitter.feed(piece) == []
    assert splitter.feed(b"fgh") == [Segment((b"ab", b"c", b"de", b"f"), more=True)]
    assert splitter.end() == [Segment((b"gh",))]


def test_a_newline_right_behind_a_full_segment_ends_the_line() -> None:
    splitter = LineSplitter(4)
    assert splitter.feed(b"abcde") == [Segment((b"abcd",), more=True)]
    assert splitter.silence() == [Segment((b"e",), more=True)]
    assert splitter.feed(b"\nf\n") == [Segment((), newline=True), b"f"]
    assert splitter.feed(b"g\n") == [b"g"]
    assert splitter.end() == []


def test_the_chunk_that_ends_a_line_may_take_it_beyond_the_limit() -> None:
    splitter = LineSplitter(4)
    assert splitter.feed(b"abc") == []
    assert splitter.feed(b"def\ng\n") == [
        Segment((b"abc", b"d"), more=True),
        Segment((b"ef",), newline=True),
        b"g",
    ]


def test_a_segment_ends_before_a_character_that_does_not_fit() -> None:
    splitter = LineSplitter(4)
    assert splitter.feed("ab€".encode()) == [Segment((b"ab",), more=True)]
    assert splitter.end() == [Segment((b"\xe2\x82", b"\xac"))]


@pytest.mark.parametrize("limit", [-1, 0, 1, 3])
def test_a_limit_without_room_for_a_character_is_refused(limit: int) -> None:
    with pytest.raises(ValueError, match="room for one UTF-8 character"):
        LineSplitter(limit)


def test_silence_gives_out_what_is_held_once() -> None:
    splitter = LineSplitter()
    assert splitter.silence() == []
    splitter.feed(b"a\nPassword: ")
    assert splitter.unfinished
    assert splitter.silence() == [Segment((b"Password: ",), more=True)]
    assert not splitter.unfinished
    assert splitter.silence() == []
    assert splitter.feed(b"x\ny\n") == [Segment((b"x",), newline=True), b"y"]


def test_silence_holds_the_start_of_a_character_back() -> None:
    splitter = LineSplitter()
    splitter.feed(b"a\xf0")
    splitter.feed(b"\x9f")
    splitter.feed(b"\x92")
    assert splitter.silence() == [Segment((b"a",), more=True)]
    assert splitter.silence() == []
    assert splitter.unfinished
    assert splitter.feed(b"\xa9\n") == [Segment((b"\xf0\x9f\x92", b"\xa9"), newline=True)]


def test_a_stream_that_ends_within_a_character_keeps_its_bytes() -> None:
    assert run([b"a\xe2", PAUSE, b"\x82"]) == [
        Segment((b"a",), more=True),
        Segment((b"\xe2", b"\x82")),
    ]


def test_a_line_that_was_given_out_by_silence_still_ends_with_the_stream() -> None:
    splitter = LineSplitter()
    splitter.feed(b"$ ")
    splitter.silence()
    assert splitter.end() == [Segment(())]
    assert splitter.end() == []


@pytest.mark.parametrize(
    ("chunk", "unfinished"), [(b"", False), (b"a", True), (b"\n", False), (b"a\n", False), (b"a\nb", True)]
)
def test_a_splitter_tells_whether_a_line_is_unfinished(chunk: bytes, unfinished: bool) -> None:
    splitter = LineSplitter()
    splitter.feed(chunk)
    assert splitter.unfinished is unfinished


@pytest.mark.parametrize(
    ("piece", "tail"),
    [
        (b"", b""),
        (b"a", b""),
        ("é".encode(), b""),
        ("€".encode(), b""),
        ("\N{PILE OF POO}".encode(), b""),
        (b"a\xc3", b"\xc3"),
        (b"a\xe2", b"\xe2"),
        (b"a\xe2\x82", b"\xe2\x82"),
        (b"a\xf0", b"\xf0"),
        (b"a\xf0\x9f", b"\xf0\x9f"),
        (b"a\xf0\x9f\x92", b"\xf0\x9f\x92"),
        (b"\x80\x80\x80", b""),
        (b"a\x80", b""),
        (b"a\xff", b""),
        (b"\xc3\xa9\xa9", b""),
    ],
)
def test_the_start_of_a_character_is_told_from_everything_else(piece: bytes, tail: bytes) -> None:
    assert incomplete_character(piece) == tail
