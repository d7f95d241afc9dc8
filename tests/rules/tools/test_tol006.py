"""TOL006: call of an unlisted tool."""

from __future__ import annotations

from typing import Any

import pytest

from tests.diagnosis.checking import begun, check, closed
from tests.record_cases import Tape, error, request, result, told
from tests.rules.tools.tools_cases import found, listed, page, tool


def called(tape: Tape, name: Any, id: int = 5, t: float = 1) -> Tape:
    """The client calls a tool."""
    return tape.client(request(id, "tools/call", name=name, arguments={}), t)


def test_a_call_of_what_is_not_listed_is_an_error_and_explains_the_refusal() -> None:
    tape = called(listed(tool("find"), tool("find_all")), "mcp__notes__find").server(error(5, -32602), 1.1)
    assert found(tape) == [("TOL006", "error", "client", (7,), "mcp__notes__find")]
    (finding,) = [each for each in check(closed(tape, 2)) if each.severity == "error"]
    assert [each.rule for each in finding.consequences] == ["RPC026"]


def test_a_near_name_is_told_and_nothing_where_none_is_near() -> None:
    near, other = (found(called(listed(tool("find_all")), name)) for name in ("findall", "weather"))
    assert (near[0][4], other[0][4]) == ("findall", "weather")
    assert found(called(listed(tool("nd"), tool("")), "find"))[0][4] == "find"


def test_a_call_that_was_answered_all_the_same_is_information() -> None:
    tape = called(listed(tool("a")), "weather").server(result(5, content=[]), 1.1)
    assert found(tape) == [("TOL006", "info", "client", (7,), "weather")]
    again = called(tape, "weather", 6, 2).server(error(6, -32602), 2.1)
    assert [each[1] for each in found(again)] == ["error"]
    assert [each[1] for each in found(called(again, "weather", 7, 3).server(result(7, content=[]), 3.1))] == [
        "error"
    ]


def test_a_tool_error_is_a_refusal() -> None:
    tape = called(listed(tool("a")), "weather").server(result(5, content=[], isError=True), 1.1)
    assert [each[1] for each in found(tape)] == ["error"]


@pytest.mark.parametrize("name", ["find", None, 7])
def test_a_listed_tool_may_be_called_and_no_name_is_no_tool(name: Any) -> None:
    assert found(called(listed(tool("find")), name)) == []


def test_a_call_is_undecided_before_a_list_or_while_one_is_on_its_way() -> None:
    assert found(called(begun(), "find")) == []
    assert found(called(begun().client(request(1, "tools/list"), 0.3), "find")) == []
    assert found(called(listed(tool("a")).client(request(2, "tools/list"), 0.5), "find")) == []


def test_a_call_is_undecided_where_the_list_is_not_complete() -> None:
    assert found(called(listed(tool("a"), nextCursor="p2"), "find")) == []
    whole = page(page(begun(), 1, None, "p2", tool("a")), 2, "p2", None, tool("b"))
    alone = page(page(page(begun(), 1, None, "p2", tool("a")), 2, "p2", None), 3, "p2", None, tool("b"))
    assert [each[0] for each in found(called(whole, "find", 5, 3))] == ["TOL006"]
    assert found(called(alone, "a", 5, 4)) == []


def test_a_call_is_undecided_after_the_list_has_changed_until_it_is_listed_again() -> None:
    tape = listed(tool("a")).server(told("notifications/tools/list_changed"), 0.5)
    assert found(called(tape, "find")) == []
    assert [each[0] for each in found(called(listed(tool("a"), tape=tape, id=2), "find", 6, 2))] == ["TOL006"]


def test_what_changed_while_the_list_was_on_its_way_may_be_missing_from_it() -> None:
    tape = (
        begun().client(request(1, "tools/list"), 0.3).server(told("notifications/tools/list_changed"), 0.35)
    )
    assert found(called(tape.server(result(1, tools=[tool("a")]), 0.4), "find")) == []


def test_a_list_that_was_refused_changes_nothing() -> None:
    tape = listed(tool("a")).client(request(2, "tools/list"), 0.5).server(error(2, -32603), 0.6)
    assert [each[0] for each in found(called(tape, "find"))] == ["TOL006"]


def test_a_call_is_undecided_where_records_are_missing_since_the_list() -> None:
    tape = listed(tool("a"))
    tape.event("gap", 0.5, records=2, bytes=100, reason="ENOSPC")
    assert found(called(tape, "find")) == []
    tape = listed(tool("a"))
    tape.seq += 2
    assert found(called(tape, "find")) == []


def test_a_recording_without_its_start_will_do() -> None:
    tape = Tape().client(request(1, "tools/list"), 0.3).server(result(1, tools=[tool("a")]), 0.4)
    assert [each[0] for each in found(called(tape, "find"))] == ["TOL006"]


def test_a_server_that_asks_for_tools_is_no_client() -> None:
    tape = listed(tool("a")).server(request(1, "tools/call", name="find"), 1)
    tape.client(result(1), 1.1).server(request(2, "tools/list"), 1.2).client(result(2, tools=[{}]), 1.3)
    assert found(tape) == []
