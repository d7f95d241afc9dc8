"""TOL001: tool name that not everybody takes."""

from __future__ import annotations

from typing import Any

import pytest

from tests.diagnosis.checking import begun, check, findings_of
from tests.record_cases import RECORDINGS, Tape, request, result
from tests.rules.tools.tools_cases import RULES, SCHEMA, found, listed, tool


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
