"""TOL016: pagination does not end."""

from __future__ import annotations

from mcp_tap.rules.tools._pages import PAGES_LIMIT
from tests.diagnosis.checking import begun, check
from tests.record_cases import error, request, result
from tests.rules.tools.tools_cases import RULES, found, listed, page, tool


def test_a_next_cursor_that_was_there_before_does_not_end() -> None:
    tape = page(page(page(begun(), 1, None, "a", tool("1")), 2, "a", "b", tool("2")), 3, "b", "a", tool("3"))
    assert found(tape) == [("TOL016", "error", "server", (10,), "tools/list")]
    assert [each[3] for each in found(page(tape, 4, "a", "b", tool("2")))] == [(10, 12)]


def test_a_server_that_does_not_read_the_cursor_has_one_fault_and_no_duplicates() -> None:
    tape = page(page(begun(), 1, None, "a", tool("1"), tool("2")), 2, "a", "a", tool("1"), tool("2"))
    (finding,) = check(tape, rules=RULES)
    assert finding.rule == "TOL016"
    assert [each.rule for each in finding.consequences] == ["TOL002", "TOL002"]


def test_a_list_that_comes_to_its_end_after_all_has_ended() -> None:
    tape = page(page(page(begun(), 1, None, "a", tool("1")), 2, "a", "a", tool("2")), 3, "a", None, tool("3"))
    assert found(tape) == []


def test_a_later_list_that_ends_does_not_take_the_fault_back() -> None:
    tape = page(page(begun(), 1, None, "a", tool("1")), 2, "a", "a", tool("2"))
    assert [each[0] for each in found(listed(tool("1"), tape=tape, id=3))] == ["TOL016"]


def test_a_page_that_is_asked_for_again_is_no_circle() -> None:
    tape = page(page(page(begun(), 1, None, "a"), 2, "a", "b"), 3, "a", "b")
    assert found(page(tape, 4, "b", None)) == []


def test_more_pages_than_any_list_has_do_not_end() -> None:
    tape = begun()
    for number in range(PAGES_LIMIT + 2):
        page(tape, number + 1, str(number) if number else None, str(number + 1))
    ((rule, severity, _, _, key),) = found(tape)
    assert (rule, severity, key) == ("TOL016", "error", "tools/list")


def test_other_lists_have_pages_too_and_garbage_is_no_cursor() -> None:
    tape = begun().client(request(1, "prompts/list"), 1).server(result(1, prompts=[], nextCursor="a"), 1.1)
    tape.client(request(2, "prompts/list", cursor="a"), 2).server(result(2, prompts=[], nextCursor="a"), 2.1)
    tape.client(request(3, "tools/list", cursor=["a"]), 3).server(result(3, tools=[], nextCursor=["a"]), 3.1)
    tape.client(request(4, "tools/list"), 4).server(error(4, -32603), 4.1)
    assert [(each[0], each[4]) for each in found(tape)] == [("TOL016", "prompts/list")]
