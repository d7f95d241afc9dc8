"""TAP002: the size limit was reached."""

from __future__ import annotations

from tests.recordings.cases import begun, closed
from tests.rules.recording.cases import found


def test_the_limit_is_told() -> None:
    assert found(closed(begun().event("limit", 1, bytes=1_000_000), 2)) == [
        ("TAP002", "info", "tap", (5,), "")
    ]
