"""TOL: the list of tools, pages, and calls of what is not on it."""

from __future__ import annotations

from typing import Any

import pytest

from mcp_tap.rules.tools._pages import PAGES_LIMIT
from tests.diagnosis.checking import begun, check, closed, findings_of, rules_of
from tests.record_cases import RECORDINGS, Tape, error, modern, request, result, told

RULES = rules_of("TOL001", "TOL002", "TOL003", "TOL006", "TOL016", "TOL017")

SCHEMA = {"type": "object"}
Told = tuple[str, str, str, tuple[int, ...], str]


def tool(name: Any, **members: Any) -> dict[str, Any]:
    """A tool as it is listed."""
    return {"name": name, "inputSchema": SCHEMA, **members}


def found(tape: Tape) -> list[Told]:
    """What the rules of this family find."""
    return [
        (each.rule, each.severity, each.culprit, each.records, each.message)
        for each in check(tape, rules=RULES)
    ]


def listed(*tools: Any, tape: Tape | None = None, id: int = 1, **members: Any) -> Tape:
    """The client asks for the list (record 5), the server answers it (record 6)."""
    tape = begun() if tape is None else tape
    return tape.client(request(id, "tools/list"), 0.3).server(result(id, tools=list(tools), **members), 0.4)


def page(tape: Tape, id: int, cursor: Any, then: Any, *tools: Any) -> Tape:
    """The client asks for a page, and the server answers it."""
    params = {} if cursor is None else {"cursor": cursor}
    more = {} if then is None else {"nextCursor": then}
    tape.client(request(id, "tools/list", **params), id)
    return tape.server(result(id, tools=list(tools), **more), id + 0.1)


def called(tape: Tape, name: Any, id: int = 5, t: float = 1) -> Tape:
    """The client calls a tool."""
    return tape.client(request(id, "tools/call", name=name, arguments={}), t)


# TOL001


def test_a31_three_names_that_not_everybody_takes() -> None:
    assert [
        (each.severity, each.culprit, each.records, each.key, each.message)
        for each in findings_of(RECORDINGS / "cases" / "A31.jsonl", RULES)
    ] == [
        (
            "error", "server", (6,), "too long",
            f"tool name `{'m' * 59}…` has 130 characters; the specification allows 128",
        ),
        (
            "warning", "server", (6,), "characters",
            "tool name `files.read/all rows` has characters outside [A-Za-z0-9_-] (the specification "
            "allows . too, model APIs do not)",
        ),
        ("warning", "server", (6,), "long", f"tool name `{'n' * 59}…` has 70 characters; model APIs take 64"),
    ]  # fmt: skip


def test_names_with_one_problem_are_one_finding() -> None:
    ((rule, severity, _, records, message),) = found(listed(*(tool(f"a/{n}") for n in range(5))))
    assert (rule, severity, records) == ("TOL001", "warning", (6, 6, 6, 6, 6))
    assert message.startswith("5 tool names (`a/0`, `a/1`, `a/2` and 2 more) have characters outside")


def test_a_dot_is_information_and_an_empty_name_a_warning() -> None:
    (dot,) = found(listed(tool("files.read")))
    assert dot[1] == "info"
    assert (
        dot[4]
        == "tool name `files.read` has a dot, which the specification allows and some model APIs do not"
    )
    (empty,) = found(listed(tool("")))
    assert (empty[1], empty[4]) == ("warning", "tool name `` has no characters")


def test_a_name_is_measured_with_the_prefix_of_a_client_where_the_servers_name_is_known() -> None:
    (finding,) = check(listed(tool("x" * 53)), rules=RULES)
    assert (finding.severity, finding.certainty) == ("warning", "heuristic")
    assert finding.message == (
        f"tool name `{'x' * 53}` has 65 characters with a client's prefix like `mcp__notes__`, which looks "
        "too long for model APIs (64)"
    )
    assert found(listed(tool("x" * 52))) == []
    nameless = Tape()
    nameless.client(request(1, "tools/list"), 0.3).server(result(1, tools=[tool("x" * 64)]), 0.4)
    assert found(nameless) == []


def test_a_name_that_is_listed_again_is_told_once() -> None:
    tape = listed(tool("a b"), tool("c d"))
    assert [each[3] for each in found(listed(tool("a b"), tape=tape, id=2))] == [(6, 6)]


@pytest.mark.parametrize("tools", [None, "x", [7, None, {"name": 7}, {"inputSchema": SCHEMA}, tool("find")]])
def test_what_is_no_list_of_tools_has_no_names(tools: Any) -> None:
    tape = begun().client(request(1, "tools/list"), 0.3).server(result(1, tools=tools), 0.4)
    assert [each for each in found(tape) if each[0] == "TOL001"] == []


# TOL002


def test_a_name_that_is_twice_on_a_page_is_a_duplicate() -> None:
    assert found(listed(tool("a"), tool("b"), tool("a"))) == [
        ("TOL002", "error", "server", (6,), "tool `a` is listed twice in one page of tools/list")
    ]


def test_a_name_that_is_on_two_pages_is_a_duplicate() -> None:
    tape = page(page(begun(), 1, None, "p2", tool("a")), 2, "p2", None, tool("b"), tool("a"))
    assert found(tape) == [
        ("TOL002", "error", "server", (8,), "tool `a` is listed twice on two pages of tools/list")
    ]


def test_a_page_that_is_asked_for_twice_or_another_listing_is_no_duplicate() -> None:
    tape = page(page(begun(), 1, None, "p2", tool("a")), 2, "p2", "p3", tool("b"))
    tape = page(page(tape, 3, "p2", "p3", tool("b")), 4, "p3", None, tool("c"))
    assert found(listed(tool("a"), tool("b"), tape=tape, id=9)) == []


def test_what_has_changed_between_two_pages_is_no_duplicate() -> None:
    tape = page(begun(), 1, None, "p2", tool("a")).server(told("notifications/tools/list_changed"), 1.5)
    assert found(page(tape, 2, "p2", None, tool("a"))) == []


def test_a_page_whose_cursor_nobody_gave_is_of_another_list() -> None:
    assert found(page(page(begun(), 1, None, "p2", tool("a")), 2, "x9", None, tool("a"))) == []


# TOL003


def test_a30_one_bad_schema_hides_all_tools() -> None:
    (finding,) = findings_of(RECORDINGS / "cases" / "A30.jsonl", RULES)
    assert (finding.rule, finding.severity, finding.culprit, finding.records, finding.key) == (
        "TOL003", "error", "server", (6,), "a",
    )  # fmt: skip
    assert finding.message == (
        'tool `a`: inputSchema has no "type":"object" at top level; clients drop the whole list of 2'
    )


@pytest.mark.parametrize(
    ("members", "problem"),
    [
        ({}, "it has no inputSchema"),
        ({"inputSchema": None}, "inputSchema is null"),
        ({"inputSchema": True}, "inputSchema is not an object"),
        ({"inputSchema": {"type": "string"}}, 'the "type" of inputSchema is not "object"'),
        ({"inputSchema": {"type": ["object"]}}, 'the "type" of inputSchema is not "object"'),
    ],
)
def test_an_input_schema_has_to_say_that_it_is_of_an_object(members: dict[str, Any], problem: str) -> None:
    assert found(listed({"name": "a", **members})) == [
        ("TOL003", "error", "server", (6,), f"tool `a`: {problem}; clients drop the whole list of 1")
    ]
    (nameless,) = found(listed(members))
    assert nameless[4].startswith("tool without a name: ")


# TOL006


def test_a_call_of_what_is_not_listed_is_an_error_and_explains_the_refusal() -> None:
    tape = called(listed(tool("find"), tool("find_all")), "mcp__notes__find").server(error(5, -32602), 1.1)
    assert found(tape) == [
        (
            "TOL006", "error", "client", (7,),
            "client called `mcp__notes__find` (id 5), which the server does not list; it lists `find`: the "
            "client left a prefix on",
        )
    ]  # fmt: skip
    (finding,) = [each for each in check(closed(tape, 2)) if each.severity == "error"]
    assert [each.rule for each in finding.consequences] == ["RPC026"]


def test_a_near_name_is_told_and_nothing_where_none_is_near() -> None:
    assert found(called(listed(tool("find_all")), "findall"))[0][4].endswith("list; it lists `find_all`")
    assert found(called(listed(tool("find_all")), "weather"))[0][4].endswith("which the server does not list")
    assert found(called(listed(tool("nd"), tool("")), "find"))[0][4].endswith(
        "which the server does not list"
    )


def test_a_call_that_was_answered_all_the_same_is_information() -> None:
    tape = called(listed(tool("a")), "weather").server(result(5, content=[]), 1.1)
    ((_, severity, _, _, message),) = found(tape)
    assert severity == "info"
    assert message.endswith("which the server does not list; it was answered all the same")
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


# TOL016


def test_a_next_cursor_that_was_there_before_does_not_end() -> None:
    tape = page(page(page(begun(), 1, None, "a", tool("1")), 2, "a", "b", tool("2")), 3, "b", "a", tool("3"))
    message = "page 3 of tools/list names a nextCursor that was there before: the list does not end"
    assert found(tape) == [("TOL016", "error", "server", (10,), message)]
    assert [(each[3], each[4]) for each in found(page(tape, 4, "a", "b", tool("2")))] == [((10, 12), message)]


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
    ((rule, severity, _, _, message),) = found(tape)
    assert (rule, severity) == ("TOL016", "error")
    assert message == "tools/list has more than 1,000 pages and goes on: the list does not end"


def test_other_lists_have_pages_too_and_garbage_is_no_cursor() -> None:
    tape = begun().client(request(1, "prompts/list"), 1).server(result(1, prompts=[], nextCursor="a"), 1.1)
    tape.client(request(2, "prompts/list", cursor="a"), 2).server(result(2, prompts=[], nextCursor="a"), 2.1)
    tape.client(request(3, "tools/list", cursor=["a"]), 3).server(result(3, tools=[], nextCursor=["a"]), 3.1)
    tape.client(request(4, "tools/list"), 4).server(error(4, -32603), 4.1)
    assert [(each[0], each[4].split(" of ")[1].split()[0]) for each in found(tape)] == [
        ("TOL016", "prompts/list")
    ]


# TOL017


def test_a_client_that_goes_on_without_the_next_page_has_not_read_it() -> None:
    tape = listed(tool("a"), tool("b"), nextCursor="p2").client(request(2, "ping"), 1).server(result(2), 1.1)
    message = "client read only the first page of tools/list (2 items), and there are more"
    assert found(closed(tape, 2)) == [("TOL017", "info", "client", (6,), message)]


def test_so_has_one_that_stops_at_a_later_page() -> None:
    tape = page(page(begun(), 1, None, "p2", tool("a")), 2, "p2", "p3", tool("b")).client(
        request(3, "ping"), 4
    )
    assert [(each[0], each[4]) for each in found(closed(tape, 5))] == [
        ("TOL017", "client read 2 pages of tools/list (2 items), and there are more")
    ]


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


@pytest.mark.parametrize("path", sorted((RECORDINGS / "v1").glob("*.jsonl")), ids=lambda path: path.stem)
def test_no_real_session_has_a_fault_of_this_family(path: Any) -> None:
    assert findings_of(path, RULES) == []
