"""MOD004: unknown resultType."""

from __future__ import annotations

from typing import Any

import pytest

from mcp_tap.model.methods import CLIENT_CAPABILITIES_KEY
from mcp_tap.record.argv_masking import MASK
from tests.record_cases import modern, request, result
from tests.rules.modern.cases import ENVELOPE, found, rules, says, spoken, unshown


@pytest.mark.parametrize(
    ("kind", "key"),
    [
        ("done", '"done"'),
        (None, "None"),
        (7, "7"),
        (["complete"], "an array"),
        ("task", '"task"'),
    ],
)
def test_an_unknown_result_type_is_the_servers_fault(kind: Any, key: str) -> None:
    tape = spoken().client(modern(2, "tools/call", name="x"), 1).server(result(2, resultType=kind), 1)
    assert found(tape) == [("MOD004", "error", "server", (4, 5), key)]


@pytest.mark.parametrize(
    ("kind", "capabilities"),
    [
        ("task", {"extensions": {"io.modelcontextprotocol/tasks": {}}}),
        ("done", {"extensions": {"com.acme/done": {}}}),
        ("done", {"experimental": {"done": {}}}),
    ],
)
def test_a_result_type_of_an_extension_is_let_pass(kind: str, capabilities: dict[str, Any]) -> None:
    tape = spoken().client(says(2, "tools/call", capabilities, name="x"), 1)
    assert rules(tape.server(result(2, resultType=kind), 1)) == []


def test_other_extensions_bring_no_task_and_a_server_of_before_may_say_what_it_likes() -> None:
    tape = spoken().client(says(2, "tools/call", {"extensions": {"io.modelcontextprotocol/ui": {}}}), 1)
    assert rules(tape.server(result(2, resultType="done"), 1)) == ["MOD004"]
    tape = unshown().client(modern(2, "tools/call", name="x"), 1).server(result(2, resultType="image"), 1)
    assert rules(tape) == []


def test_what_a_request_may_have_declared_is_not_guessed() -> None:
    sent = request(2, "tools/call", name="x", _meta={**ENVELOPE, CLIENT_CAPABILITIES_KEY: MASK})
    assert rules(spoken().client(sent, 1).server(result(2, resultType="task"), 1)) == []
