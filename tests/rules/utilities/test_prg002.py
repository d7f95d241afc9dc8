"""PRG002: progress does not increase."""

from __future__ import annotations

from typing import Any

import pytest

from tests.record_cases import result
from tests.rules.utilities.progress_cases import call, called, found, progress


@pytest.mark.parametrize("values", [(50, 50), (50, 49.5), (0, -1), (0, 0)])
def test_progress_that_does_not_increase_is_an_error(values: tuple[float, float]) -> None:
    tape = called().server(progress(7, values[0]), 2).server(progress(7, values[1]), 3)
    assert found(tape) == [("PRG002", "error", "server", (6, 7), "tools/call export")]


def test_progress_that_increases_is_no_fault_for_each_request_by_itself() -> None:
    tape = called().client(call(6, 8), 1).server(progress(7, 50), 2).server(progress(8, 1), 2)
    tape.server(progress(7, 50.5), 2).server(progress(8, 2), 3).server(result(5, content=[]), 4)
    assert found(tape.client(call(9, 7), 5).server(progress(7, 1), 6)) == []


@pytest.mark.parametrize("value", [None, "50", True])
def test_progress_that_is_no_number_is_told_elsewhere(value: Any) -> None:
    assert found(called().server(progress(7, 50), 2).server(progress(7, value), 3)) == []


def test_progress_may_have_begun_anew_where_records_are_missing() -> None:
    tape = called().server(progress(7, 50), 2).event("gap", 2.5, reason="disk full")
    assert found(tape.server(progress(7, 1), 3)) == []
    tape = called().server(result(5, content=[]), 2).event("gap", 2.5, reason="disk full")
    assert found(tape.server(progress(7, 1), 3)) == []
