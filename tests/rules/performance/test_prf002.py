"""PRF002: answer near or over the usual time-out."""

from __future__ import annotations

from mcp_tap.diagnosis.settings import Thresholds
from tests.diagnosis.checking import begun
from tests.rules.performance.cases import call, found


def test_a_call_near_the_time_out_is_told_as_such_alone() -> None:
    assert found(call(begun(), 5, 1, 55)) == [("PRF002", "warning", "server", (5, 6), "tools/call export")]
    assert [each[0] for each in found(call(begun(), 5, 1, 50))] == ["PRF001"]


def test_thresholds_are_settings() -> None:
    assert found(call(begun(), 5, 1, 8), Thresholds(slow_call_seconds=10)) == []
    assert [each[0] for each in found(call(begun(), 5, 1, 8), Thresholds(near_timeout_seconds=7))] == [
        "PRF002"
    ]
    assert found(call(begun(), 5, 1, 5)) == [], "not more than five"
