"""TOL: schemas of tools, and what is held against them."""

from __future__ import annotations

from typing import Any

import pytest

from mcp_tap.rules.tools._sampler import EVERY, FIRST
from tests.diagnosis.checking import begun, check, closed, findings_of, rules_of
from tests.record_cases import RECORDINGS, Tape, error, modern, request, result, told

RULES = rules_of("TOL004", "TOL007", "TOL008", "TOL009", "TOL011")

LIMIT = {"type": "object", "properties": {"limit": {"type": "integer"}}}
EUR = {"type": "object", "properties": {"eur": {"type": "number"}}, "required": ["eur"]}
Told = tuple[str, str, str, tuple[int, ...], str]


def found(tape: Tape) -> list[Told]:
    """What the rules of this family find."""
    return [
        (each.rule, each.severity, each.culprit, each.records, each.message)
        for each in check(tape, rules=RULES)
    ]


def tool(name: str = "find", inputs: Any = None, outputs: Any = None) -> dict[str, Any]:
    """A tool as it is listed."""
    made = {"name": name, "inputSchema": {"type": "object"} if inputs is None else inputs}
    return made if outputs is None else {**made, "outputSchema": outputs}


def listed(
    *tools: dict[str, Any], tape: Tape | None = None, id: int = 1, version: str = "2025-11-25"
) -> Tape:
    """The client asks for the list (record 5), the server answers it (record 6)."""
    tape = begun(version) if tape is None else tape
    return tape.client(request(id, "tools/list"), 0.3).server(result(id, tools=list(tools)), 0.4)


def called(tape: Tape, id: int = 5, name: str = "find", /, **arguments: Any) -> Tape:
    """The client calls a tool (record 7 after a list)."""
    return tape.client(request(id, "tools/call", name=name, arguments=arguments), 1)


def returned(*tools: dict[str, Any], version: str = "2025-11-25", **members: Any) -> Tape:
    """A call (record 7) of a tool that is listed, and its result (record 8)."""
    return called(listed(*tools, version=version)).server(result(5, content=[], **members), 1.1)


# TOL004


def test_a_schema_that_breaks_its_own_rules_is_told_with_the_place() -> None:
    bad = {"type": "object", "properties": {"limit": {"type": "int"}}}
    ((rule, severity, culprit, records, message),) = found(listed(tool("a", bad), tool("b")))
    assert (rule, severity, culprit, records) == ("TOL004", "warning", "server", (6,))
    assert message.startswith(
        "tool `a`: inputSchema is not a valid JSON Schema (2020-12): 'properties.limit.type'"
    )


def test_an_output_schema_is_checked_too_and_each_is_a_finding() -> None:
    keys = [
        each.key
        for each in check(listed(tool("a", {"type": 7}, {"type": 7}), tool("b", None, 7)), rules=RULES)
    ]
    assert keys == ["a inputSchema", "a outputSchema", "b outputSchema"]


def test_a_schema_that_is_listed_again_is_told_again_only_if_it_changed() -> None:
    tape = listed(tool("a", {"type": "int"}))
    listed(tool("a", {"type": "int"}), tape=tape, id=2)
    assert [each[3] for each in found(tape)] == [(6,)]
    listed(tool("a", {"type": "float"}), tape=tape, id=3)
    assert [each[3] for each in found(tape)] == [(6, 10)]


def test_an_unknown_dialect_is_told() -> None:
    assert found(listed(tool("a", {"$schema": "http://example.com/mine", "type": "object"}))) == [
        (
            "TOL004", "warning", "server", (6,),
            'tool `a`: inputSchema names a dialect in $schema that is not known: "http://example.com/mine"',
        )
    ]  # fmt: skip


def test_a_schema_of_draft_07_must_say_so_since_there_is_a_default() -> None:
    pair = {"type": "object", "properties": {"range": {"items": [{"type": "integer"}]}}}
    ((rule, severity, _, _, message),) = found(listed(tool("a", pair)))
    assert (rule, severity) == ("TOL004", "warning")
    assert message.endswith("(2020-12): it is one of draft-07 but does not say so in $schema")
    assert found(listed(tool("a", pair), version="2025-06-18")) == []
    assert found(listed(tool("a", {"$schema": "http://json-schema.org/draft-07/schema#", **pair}))) == []


def test_a_bad_schema_of_draft_07_is_told_as_such() -> None:
    bad = {"$schema": "http://json-schema.org/draft-07/schema#", "type": "int"}
    assert "is not a valid JSON Schema (draft-07): 'type' is \"int\"" in found(listed(tool("a", bad)))[0][4]


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


# TOL007


def test_arguments_that_do_not_match_are_told_with_the_place() -> None:
    tape = called(listed(tool("find", LIMIT)), limit="ten").server(result(5, content=[]), 1.1)
    message = "arguments of `find` (id 5) do not match its inputSchema: 'limit' is \"ten\", not an integer"
    assert found(tape) == [("TOL007", "warning", "client", (7,), message)]
    (finding,) = check(tape, rules=RULES)
    assert finding.key == "find limit type"
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
    assert [each[4].rpartition(": ")[2] for each in found(tape)] == ["'q' is missing"]
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
    ((_, _, _, records, message),) = found(tape)
    assert records == (7, 9)
    assert message.endswith("(2 times)")


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


# TOL008


def test_a32_an_output_schema_and_no_structured_content() -> None:
    (finding,) = findings_of(RECORDINGS / "cases" / "A32.jsonl", RULES)
    assert (finding.rule, finding.severity, finding.culprit) == ("TOL008", "error", "server")
    assert (finding.records, finding.key) == ((8,), "price")
    assert finding.message == (
        "tool `price` declares outputSchema but result 5 has no structuredContent; "
        "the clients of the official SDKs raise an error"
    )


@pytest.mark.parametrize(
    "members",
    [
        {"isError": True},
        {"structuredContent": {"eur": 1}},
        {"task": {"taskId": "1"}},
        {"resultType": "input_required"},
    ],
    ids=["failed", "there", "task", "asks"],
)
def test_a_failure_a_task_and_a_question_need_no_structured_content(members: dict[str, Any]) -> None:
    assert found(returned(tool("find", None, EUR), **members)) == []


def test_structured_content_came_with_2025_06_18() -> None:
    assert found(returned(tool("find", None, EUR), version="2025-03-26")) == []
    assert [each[0] for each in found(returned(tool("find", None, EUR), version="2025-06-18"))] == ["TOL008"]


def test_a_result_is_not_judged_by_a_tool_that_is_not_known() -> None:
    assert found(returned(tool("find"))) == []
    assert found(returned(tool("other", None, EUR))) == []
    changed = called(listed(tool("find", None, EUR))).server(told("notifications/tools/list_changed"), 1.05)
    assert found(changed.server(result(5, content=[]), 1.1)) == []
    assert found(called(listed(tool("find", None, EUR))).server(error(5, -32603), 1.1)) == []


# TOL009


def test_structured_content_that_breaks_the_promise_is_an_error() -> None:
    assert found(returned(tool("find", None, EUR), structuredContent={"eur": "12"})) == [
        (
            "TOL009", "error", "server", (8,),
            "structuredContent of `find` (id 5) does not match its outputSchema: 'eur' is \"12\", not a "
            "number; the clients of the official SDKs raise an error",
        )
    ]  # fmt: skip


@pytest.mark.parametrize(
    "members",
    [
        {"structuredContent": {"eur": 12, "more": 1}},
        {"structuredContent": {"eur": "12"}, "isError": True},
        {"structuredContent": {"eur": "[masked]"}},
    ],
    ids=["fits", "failed", "masked"],
)
def test_structured_content_that_fits_or_is_not_to_be_judged_is_silent(members: dict[str, Any]) -> None:
    assert found(returned(tool("find", None, EUR), **members)) == []


def test_structured_content_of_any_kind_is_held_against_the_schema_in_the_modern_era() -> None:
    tape = Tape().start().client(modern(1, "tools/list"), 0.3)
    tape.server(result(1, tools=[tool("find", None, {"type": "array"})], resultType="complete"), 0.4)
    for id, content in ((2, [1]), (3, "x")):
        tape.client(modern(id, "tools/call", name="find", arguments={}), id)
        tape.server(result(id, content=[], structuredContent=content, resultType="complete"), id + 0.1)
    assert [(each[0], each[3]) for each in found(tape)] == [("TOL009", (7,))]


# TOL011


@pytest.mark.parametrize(
    ("content", "what"),
    [([1], "an array"), ("x", '"x"'), (None, "null"), (7, "7")],
    ids=["array", "text", "null", "7"],
)
def test_structured_content_is_an_object(content: Any, what: str) -> None:
    expected = f"structuredContent of `find` (id 5) is {what}, not an object"
    for tape in (
        returned(tool("find"), structuredContent=content),
        returned(tool("find", None, EUR), structuredContent=content),
    ):
        assert found(tape) == [("TOL011", "error", "server", (8,), expected)]


def test_that_it_is_no_object_is_no_fault_where_it_does_not_exist_or_was_masked() -> None:
    assert found(returned(tool("find"), structuredContent="[masked]")) == []
    assert found(returned(tool("find"), structuredContent=[1], version="2025-03-26")) == []


def test_a_client_that_answers_a_call_is_no_server() -> None:
    tape = (
        begun().server(request(1, "tools/call", name="find"), 1).client(result(1, structuredContent=[1]), 1.1)
    )
    assert found(tape) == []


@pytest.mark.parametrize("path", sorted((RECORDINGS / "v1").glob("*.jsonl")), ids=lambda path: path.stem)
def test_no_real_session_has_a_fault_of_this_family(path: Any) -> None:
    assert findings_of(path, RULES) == []
