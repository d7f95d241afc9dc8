"""TOL004: tool schema is not valid JSON Schema."""

from __future__ import annotations

from typing import Any

import pytest

from tests.diagnosis.checking import begun, check, names
from tests.record_cases import request, result
from tests.rules.tools.schemas_cases import RULES, found, listed, tool


def test_a_schema_that_breaks_its_own_rules_is_told_with_the_place() -> None:
    bad = {"type": "object", "properties": {"limit": {"type": "int"}}}
    assert found(listed(tool("a", bad), tool("b"))) == [
        ("TOL004", "warning", "server", (6,), "a inputSchema")
    ]


def test_an_output_schema_is_checked_too_and_each_is_a_finding() -> None:
    keys = [
        each.key
        for each in check(
            listed(tool("a", {"type": 7}, {"type": 7}), tool("b", None, {"type": 8})), rules=RULES
        )
    ]
    assert keys == ["a inputSchema", "a outputSchema", "b outputSchema"]


def test_what_the_schema_of_mcp_demands_itself_is_told_as_a_wrong_result() -> None:
    odd: list[dict[str, Any]] = [{"properties": []}, {"properties": {"q": "text"}}, {"required": True}]
    for faulty in odd:
        assert names(check(listed(tool("a", {"type": "object"} | faulty)))) == ["RPC025"]
    assert names(check(listed(tool("a", {"type": "object"}, 7)))) == ["RPC025"]
    within = {"type": "object", "properties": {"q": {"type": "object", "properties": []}}}
    assert names(check(listed(tool("a", within)))) == ["TOL004"]
    twice = {"type": "object", "required": ["q", "q"]}
    assert names(check(listed(tool("a", twice)))) == ["TOL004"]


def test_a_schema_that_is_listed_again_is_told_again_only_if_it_changed() -> None:
    tape = listed(tool("a", {"type": "int"}))
    listed(tool("a", {"type": "int"}), tape=tape, id=2)
    assert [each[3] for each in found(tape)] == [(6,)]
    listed(tool("a", {"type": "float"}), tape=tape, id=3)
    assert [each[3] for each in found(tape)] == [(6, 10)]


def test_an_unknown_dialect_is_told() -> None:
    assert found(listed(tool("a", {"$schema": "http://example.com/mine", "type": "object"}))) == [
        ("TOL004", "warning", "server", (6,), "a inputSchema")
    ]


def test_a_schema_of_draft_07_must_say_so_since_there_is_a_default() -> None:
    pair = {"type": "object", "properties": {"range": {"items": [{"type": "integer"}]}}}
    assert found(listed(tool("a", pair))) == [("TOL004", "warning", "server", (6,), "a inputSchema")]
    assert found(listed(tool("a", pair), version="2025-06-18")) == []
    assert found(listed(tool("a", {"$schema": "http://json-schema.org/draft-07/schema#", **pair}))) == []


def test_a_bad_schema_of_draft_07_is_told_as_such() -> None:
    bad = {"$schema": "http://json-schema.org/draft-07/schema#", "type": "int"}
    assert found(listed(tool("a", bad))) == [("TOL004", "warning", "server", (6,), "a inputSchema")]


@pytest.mark.parametrize(
    "schema",
    [
        {"type": "object", "properties": {"password": "[masked]"}},
        {"type": "object", "properties": {"a": {"$ref": "https://example.com/x"}}},
        {"type": "object", "properties": {f"a{n}": {"type": "string"} for n in range(9_000)}},
    ],
    ids=["masked", "elsewhere", "long"],
)
def test_what_cannot_be_said_of_a_schema_is_not_said(schema: Any) -> None:
    assert found(listed(tool("a", schema))) == []


def test_an_output_schema_of_null_and_what_is_no_schema_is_another_matter() -> None:
    assert found(listed({"name": "a", "inputSchema": None, "outputSchema": None}, {"name": 7}, {})) == []
    assert found(begun().client(request(1, "tools/list"), 1).server(result(1, tools=7), 1.1)) == []
    assert (
        found(
            begun().server(request(1, "tools/list"), 1).client(result(1, tools=[tool("a", {"type": 7})]), 2)
        )
        == []
    )
