"""TOL017: client read only the first page."""

from __future__ import annotations

from typing import Any

import pytest

from tests.diagnosis.checking import begun, closed
from tests.record_cases import Tape, modern, request, result
from tests.rules.tools.tools_cases import found, listed, page, tool


def test_a_client_that_goes_on_without_the_next_page_has_not_read_it() -> None:
    tape = listed(tool("a"), tool("b"), nextCursor="p2").client(request(2, "ping"), 1).server(result(2), 1.1)
    assert found(closed(tape, 2)) == [("TOL017", "info", "client", (6,), "tools/list")]


def test_so_has_one_that_stops_at_a_later_page() -> None:
    tape = page(page(begun(), 1, None, "p2", tool("a")), 2, "p2", "p3", tool("b")).client(
        request(3, "ping"), 4
    )
    assert [(each[0], each[4]) for each in found(closed(tape, 5))] == [("TOL017", "tools/list")]


@pytest.mark.parametrize("then", ["", None, 7])
def test_what_may_mean_the_end_is_the_end(then: Any) -> None:
    tape = listed(tool("a"), nextCursor=then).client(request(2, "ping"), 1).server(result(2), 1.1)
    assert found(closed(tape, 2)) == []


def test_a_client_that_leaves_or_still_waits_is_not_blamed() -> None:
    assert found(closed(listed(tool("a"), nextCursor="p2"), 2)) == []
    waits = listed(tool("a"), nextCursor="p2").client(request(2, "tools/list", cursor="p2"), 1)
    assert found(closed(waits, 2)) == []


def test_a_next_page_that_may_be_asked_for_yet_or_off_the_record_is_not_missed() -> None:
    tape = listed(tool("a"), nextCursor="p2").client(request(2, "ping"), 1).server(result(2), 1.1)
    assert found(tape) == [], "no end"
    tape.event("gap", 1.5, records=2, bytes=100, reason="ENOSPC")
    assert found(closed(tape, 2)) == []


def test_the_modern_era_has_pages_too() -> None:
    tape = Tape().start().client(modern(1, "tools/list"), 0.3)
    tape.server(result(1, tools=[tool("a")], nextCursor="p2", resultType="complete"), 0.4)
    tape.client(modern(2, "tools/call", name="a", arguments={}), 1)
    assert [each[0] for each in found(closed(tape, 2))] == ["TOL017"]
