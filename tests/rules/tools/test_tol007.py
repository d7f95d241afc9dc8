"""TOL007: arguments do not match inputSchema."""

from __future__ import annotations

from typing import Any

import pytest

from mcp_tap.rules.tools._sampler import EVERY, FIRST
from tests.diagnosis.checking import begun, check, closed
from tests.record_cases import Tape, error, modern, request, result, told
from tests.rules.tools.schemas_cases import RULES, called, found, listed, tool

LIMIT = {"type": "object", "properties": {"limit": {"type": "integer"}}}


def test_arguments_that_do_not_match_are_told_with_the_place() -> None:
    tape = called(listed(tool("find", LIMIT)), limit="ten").server(result(5, content=[]), 1.1)
    assert found(tape) == [("TOL007", "warning", "client", (7,), "find limit type")]
    (finding,) = check(tape, rules=RULES)
    assert finding.evidence == ('{"limit":"ten"}',)


def test_a_refusal_follows_from_the_arguments() -> None:
    refused = called(listed(tool("find", LIMIT)), limit="ten").server(error(5, -32602), 1.1)
    failed = called(listed(tool("find", LIMIT)), limit="ten").server(result(5, content=[], isError=True), 1.1)
    for tape, rule in ((refused, "RPC026"), (failed, "RES006")):
        (finding,) = check(closed(tape, 2))
        assert finding.rule == "TOL007"
        assert [each.rule for each in finding.consequences] == [rule]


def test_a_tool_that_fails_for_other_reasons_too_is_told_on_its_own() -> None:
    tape = called(listed(tool("find", LIMIT)), limit="ten").server(result(5, content=[], isError=True), 1.1)
    called(tape, 6, limit=10).server(result(6, content=[], isError=True), 1.2)
    assert [each.rule for each in check(closed(tape, 2))] == ["TOL007", "RES006"]


def test_missing_arguments_are_an_empty_object_and_others_are_another_matter() -> None:
    needs = {"type": "object", "required": ["q"]}
    tape = listed(tool("find", needs)).client(request(5, "tools/call", name="find"), 1)
    assert [each[4] for each in found(tape)] == ["find q required"]
    others: tuple[Any, ...] = (None, [], "x")
    for arguments in others:
        odd = listed(tool("find", needs)).client(
            request(5, "tools/call", name="find", arguments=arguments), 1
        )
        assert found(odd) == []


def test_equal_faults_are_one_finding_and_equal_calls_are_looked_at_once() -> None:
    tape = listed(tool("find", LIMIT))
    for id, limit in ((5, "ten"), (6, "ten"), (7, "twelve")):
        called(tape, id, limit=limit)
    assert found(tape) == [("TOL007", "warning", "client", (7, 9), "find limit type")]


def test_after_the_first_calls_one_in_so_many_is_looked_at() -> None:
    tape = listed(tool("find", LIMIT))
    for number in range(EVERY * (FIRST // EVERY + 1)):
        called(tape, 10 + number, limit=number)
    new_shape = tape.seq
    for number in range(EVERY):
        called(tape, 1_000 + number, limit=f"no {number}")
    assert [each[3] for each in found(tape)] == [(new_shape, new_shape + EVERY - 1)]


def test_another_schema_of_the_tool_is_asked_from_then_on() -> None:
    tape = called(listed(tool("find", LIMIT)), 5, limit=1)
    listed(tool("find", {"type": "object", "properties": {"limit": {"type": "string"}}}), tape=tape, id=2)
    assert [each[3] for each in found(called(tape, 6, limit=1))] == [(10,)]


def test_arguments_are_not_judged_by_a_list_that_may_have_changed() -> None:
    assert found(called(begun(), limit="ten")) == []
    assert found(called(listed(tool("other", LIMIT)), limit="ten")) == []
    changed = listed(tool("find", LIMIT)).server(told("notifications/tools/list_changed"), 0.5)
    assert found(called(changed, limit="ten")) == []
    lost = listed(tool("find", LIMIT)).event("gap", 0.5, records=2, bytes=100, reason="ENOSPC")
    assert found(called(lost, limit="ten")) == []


def test_what_was_masked_is_not_judged() -> None:
    words = {"type": "object", "properties": {"token": {"type": "string", "maxLength": 5}}}
    assert found(called(listed(tool("find", words)), token="[masked]")) == []
    assert found(called(listed(tool("find", LIMIT)), limit="ten", token="[masked]")) == []


def test_a_secret_is_not_told() -> None:
    words = {"type": "object", "properties": {"api_token": {"type": "string", "maxLength": 5}}}
    (finding,) = check(called(listed(tool("find", words)), api_token="hunter2hunter2"), rules=RULES)
    assert "hunter2" not in finding.message + "".join(finding.evidence)


def test_a_schema_that_nobody_can_say_anything_by_finds_nothing() -> None:
    away = {"type": "object", "properties": {"limit": {"$ref": "https://example.com/x"}}}
    assert found(called(listed(tool("find", away)), limit="ten")) == []


def test_arguments_of_the_modern_era_are_held_against_the_schema_too() -> None:
    tape = Tape().start().client(modern(1, "tools/list"), 0.3)
    tape.server(result(1, tools=[tool("find", LIMIT)], resultType="complete"), 0.4)
    tape.client(modern(2, "tools/call", name="find", arguments={"limit": "ten"}), 1)
    assert [each[0] for each in found(tape)] == ["TOL007"]


ROWS = {"type": "array", "items": {"type": "object"}}


@pytest.mark.parametrize(
    ("schema", "value", "key"),
    [
        (ROWS, '[{"a": 1}]', "rows type encoded"),
        (ROWS, "[1]", "rows type encoded"),
        ({"type": ["array", "null"]}, " []", "rows type encoded"),
        ({"type": "object"}, '{"a": 1}', "rows type encoded"),
        ({"anyOf": [ROWS, {"type": "null"}]}, "[{}]", "rows anyOf encoded"),
        ({"type": "object"}, "[1]", "rows type"),
        (ROWS, "[not json", "rows type"),
        (ROWS, "a, b", "rows type"),
        ({"anyOf": [ROWS, {"type": "null"}]}, "[1]", "rows anyOf"),
        ({"type": "integer"}, "[1]", "rows type"),
    ],
)
def test_a_string_that_would_fit_as_what_it_holds_is_encoded_twice(schema: Any, value: str, key: str) -> None:
    tape = called(
        listed(tool("add", {"type": "object", "properties": {"rows": schema}})), 5, "add", rows=value
    )
    assert found(tape) == [("TOL007", "warning", "client", (7,), f"add {key}")]


def test_arguments_that_are_all_encoded_twice_are_one_finding_and_other_faults_do_not_hide_it() -> None:
    schema = {
        "type": "object",
        "properties": {"rows": ROWS, "at": {"type": "object"}, "n": {"type": "integer"}},
    }
    tape = called(listed(tool("add", schema)), 5, "add", rows="[]", at="{}", n="x")
    assert [each[4] for each in found(tape)] == ["add at type encoded"]


def test_a_string_that_may_be_one_is_silent_whatever_it_holds() -> None:
    both = {
        "type": "object",
        "properties": {"rows": {"type": ["string", "array"]}, "text": {"type": "string"}},
    }
    assert found(called(listed(tool("add", both)), 5, "add", rows="[1]", text='{"a":1}')) == []


def test_arguments_that_are_json_text_as_a_whole_are_encoded_twice_whatever_is_listed() -> None:
    tape = begun().client(request(5, "tools/call", name="add", arguments='{"rows":[1]}'), 1)
    assert found(tape) == [("TOL007", "warning", "client", (5,), "add encoded")]
    (finding,) = check(closed(tape.server(error(5, -32602), 1.1), 2))
    assert [each.rule for each in finding.consequences] == ["RPC024", "RPC026"]
    other = begun().client(request(5, "tools/call", name="add", arguments="[1]"), 1)
    assert found(other) == []
