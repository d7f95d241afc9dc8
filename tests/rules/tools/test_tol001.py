"""TOL001: tool name not accepted by all clients."""

from __future__ import annotations

from typing import Any

import pytest

from tests.diagnosis.checking import begun, check, facts, findings_of, held
from tests.record_cases import RECORDINGS, Tape, request, result
from tests.rules.tools.tools_cases import RULES, SCHEMA, found, listed, tool


def test_a31_three_names_that_not_all_clients_accept() -> None:
    assert facts(findings_of(RECORDINGS / "cases" / "A31.jsonl", RULES)) == [
        ("TOL001", "error", "server", (6,), "too long"),
        ("TOL001", "warning", "server", (6,), "characters"),
        ("TOL001", "warning", "server", (6,), "long"),
    ]


def test_names_with_one_problem_are_one_finding() -> None:
    assert found(listed(*(tool(f"a/{n}") for n in range(5)))) == [
        ("TOL001", "warning", "server", (6, 6, 6, 6, 6), "characters")
    ]


def test_a_dot_is_information_and_an_empty_name_a_warning() -> None:
    (dot,) = found(listed(tool("files.read")))
    assert (dot[1], dot[4]) == ("info", "dot")
    (empty,) = found(listed(tool("")))
    assert (empty[1], empty[4]) == ("warning", "empty")


def test_a_name_is_measured_with_the_prefix_of_a_client_where_the_servers_name_is_known() -> None:
    (finding,) = held(check(listed(tool("x" * 53)), rules=RULES))
    assert (finding.severity, finding.certainty, finding.key) == ("warning", "heuristic", "prefix")
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
