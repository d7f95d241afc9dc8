"""The two ends of a recording, in a bounded number of reads."""

from __future__ import annotations

from io import FileIO
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mcp_tap.record import brief
from mcp_tap.record.brief import HEAD, LONG, TAIL, Ends, read_ends, split

FIRST, LAST = b'{"first":1}\n', b'{"last":1}\n'
MIDDLE = b'{"middle":1}\n' * 20_000


def ends_of(tmp_path: Path, data: bytes) -> Ends:
    path = tmp_path / "r.jsonl"
    path.write_bytes(data)
    return read_ends(str(path))


def test_a_small_file_is_read_as_a_whole(tmp_path: Path) -> None:
    assert ends_of(tmp_path, FIRST + LAST) == Ends([FIRST, LAST], [], whole=True)
    assert ends_of(tmp_path, b"") == Ends([], [], whole=True)


def test_of_a_large_file_whole_lines_are_read_from_both_ends(tmp_path: Path) -> None:
    ends = ends_of(tmp_path, FIRST + MIDDLE + LAST)
    assert (ends.head[0], ends.tail[-1], ends.whole) == (FIRST, LAST, False)
    assert set(ends.head[1:] + ends.tail[:-1]) == {b'{"middle":1}\n'}
    assert HEAD - 13 < sum(map(len, ends.head)) <= HEAD
    assert TAIL - 13 < sum(map(len, ends.tail)) <= TAIL


def test_a_line_that_begins_just_where_the_tail_does_is_in_it(tmp_path: Path) -> None:
    last = b"x" * (TAIL - 1) + b"\n"
    assert ends_of(tmp_path, MIDDLE + last).tail == [last]


def test_a_torn_last_line_is_given_as_it_is(tmp_path: Path) -> None:
    assert ends_of(tmp_path, MIDDLE + b'{"la').tail[-1] == b'{"la'


def test_lines_longer_than_the_ends_are_looked_for_once_more(tmp_path: Path) -> None:
    first, last = b"x" * HEAD + b"\n", b"y" * TAIL + b"\n"
    ends = ends_of(tmp_path, first + MIDDLE + last)
    assert (ends.head[0], ends.tail[-1]) == (first, last)


def test_lines_of_any_length_are_left_out(tmp_path: Path) -> None:
    ends = ends_of(tmp_path, b"x" * LONG + b"\n" + b"y" * (LONG + 1) + b"\n")
    assert ends == Ends([], [], whole=False)


def test_a_file_of_any_size_costs_four_reads(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    sizes: list[int] = []
    head, tail = brief.read_head, brief.read_tail

    def read_head(file: FileIO, most: int) -> list[bytes]:
        sizes.append(most)
        return head(file, most)

    def read_tail(file: FileIO, size: int, most: int) -> list[bytes]:
        sizes.append(most)
        return tail(file, size, most)

    monkeypatch.setattr(brief, "read_head", read_head)
    monkeypatch.setattr(brief, "read_tail", read_tail)
    ends_of(tmp_path, b"x" * (3 * LONG))
    assert sizes == [HEAD, LONG, TAIL, LONG]


def test_what_cannot_be_opened_is_an_error_of_the_system(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        read_ends(str(tmp_path / "none"))


@given(st.lists(st.binary(max_size=40)))
def test_lines_are_split_as_a_file_splits_them(parts: list[bytes]) -> None:
    data = b"\n".join(parts)
    lines = split(data)
    assert b"".join(lines) == data
    assert [line for line in lines if b"\n" in line[:-1] or not line] == []
