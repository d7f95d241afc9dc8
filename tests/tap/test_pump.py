"""What is forwarded in one piece, and what line by line."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mcp_tap.tap.pump import FEW_BYTES, FEW_LINES, parts_of


@pytest.mark.parametrize(
    ("chunk", "parts"),
    [
        (b"one\n", [b"one\n"]),
        (b"no end", [b"no end"]),
        (b"\n", [b"\n"]),
        (b"\n\n", [b"\n", b"\n"]),
        (b"one\ntwo\n", [b"one\n", b"two\n"]),
        (b"one\r\ntwo\rtwo\nthr", [b"one\r\n", b"two\rtwo\n", b"thr"]),
        (b"x\n" * FEW_LINES, [b"x\n"] * FEW_LINES),
        (b"x\n" * (FEW_LINES + 1), [b"x\n" * (FEW_LINES + 1)]),
        (b"x" * FEW_BYTES + b"\ny\n", [b"x" * FEW_BYTES + b"\ny\n"]),
    ],
)
def test_a_few_small_lines_are_parted(chunk: bytes, parts: list[bytes]) -> None:
    assert list(parts_of(chunk)) == parts


@given(st.binary(min_size=1) | st.lists(st.sampled_from([b"a", b"\n", b"\r\n"]), min_size=1).map(b"".join))
def test_nothing_is_lost_or_empty(chunk: bytes) -> None:
    parts = parts_of(chunk)
    assert b"".join(parts) == chunk
    assert all(parts)
