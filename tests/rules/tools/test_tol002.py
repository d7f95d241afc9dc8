"""TOL002: duplicate tool name."""

from __future__ import annotations

from tests.diagnosis.checking import begun
from tests.record_cases import told
from tests.rules.tools.tools_cases import found, listed, page, tool


def test_a_name_that_is_twice_on_a_page_is_a_duplicate() -> None:
    assert found(listed(tool("a"), tool("b"), tool("a"))) == [("TOL002", "error", "server", (6,), "a")]


def test_a_name_that_is_on_two_pages_is_a_duplicate() -> None:
    tape = page(page(begun(), 1, None, "p2", tool("a")), 2, "p2", None, tool("b"), tool("a"))
    assert found(tape) == [("TOL002", "error", "server", (8,), "a")]


def test_a_page_that_is_asked_for_twice_or_another_listing_is_no_duplicate() -> None:
    tape = page(page(begun(), 1, None, "p2", tool("a")), 2, "p2", "p3", tool("b"))
    tape = page(page(tape, 3, "p2", "p3", tool("b")), 4, "p3", None, tool("c"))
    assert found(listed(tool("a"), tool("b"), tape=tape, id=9)) == []


def test_what_has_changed_between_two_pages_is_no_duplicate() -> None:
    tape = page(begun(), 1, None, "p2", tool("a")).server(told("notifications/tools/list_changed"), 1.5)
    assert found(page(tape, 2, "p2", None, tool("a"))) == []


def test_a_page_whose_cursor_nobody_gave_is_of_another_list() -> None:
    assert found(page(page(begun(), 1, None, "p2", tool("a")), 2, "x9", None, tool("a"))) == []
