"""On which line of its file a record stands."""

from __future__ import annotations

from pathlib import Path

import pytest

from mcp_tap.record.locate import locate_records, record_keys
from mcp_tap.record.schema import head


def record(session: str, seq: int) -> bytes:
    return head(0, seq, session) + b'%d,"dir":"tap","event":"x"}\n' % seq


@pytest.fixture
def shared(tmp_path: Path) -> Path:
    """Two sessions in one file, with a torn record between them and one record twice."""
    path = tmp_path / "shared.jsonl"
    lines = [
        record("one", 0),
        record("two", 0),
        b'{"ts":"x","t":0,"ses\n',
        record("one", 7),
        record("one", 0),
    ]
    path.write_bytes(b"".join(lines))
    return path


def test_a_record_is_found_where_it_stands_first(shared: Path) -> None:
    wanted = {("one", 0), ("two", 0), ("one", 7)}
    assert locate_records(str(shared), wanted) == {("one", 0): 1, ("two", 0): 2, ("one", 7): 4}


def test_a_record_that_is_not_there_is_not_in_the_result(shared: Path) -> None:
    assert locate_records(str(shared), {("two", 1), ("three", 0)}) == {}


def test_a_file_is_not_opened_where_nothing_is_wanted() -> None:
    assert locate_records("/no/such/file", []) == {}


def test_a_file_that_cannot_be_opened_is_told() -> None:
    with pytest.raises(FileNotFoundError):
        locate_records("/no/such/file", [("one", 0)])


def test_a_line_that_does_not_begin_like_a_record_counts_and_has_no_key(shared: Path) -> None:
    with open(shared, "rb") as file:
        assert list(record_keys(file)) == [("one", 0), ("two", 0), None, ("one", 7), ("one", 0)]
