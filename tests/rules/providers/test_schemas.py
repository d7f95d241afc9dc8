"""PRV001 to PRV006: schemas that are valid, and that the APIs of models refuse."""

from __future__ import annotations

from typing import Any

import pytest

from mcp_tap.rules.providers._schemas import PARTS_LOOKED_AT, parts_of
from tests.diagnosis.checking import begun
from tests.record_cases import request, result
from tests.rules.providers.cases import ANYTHING, found, listed, loud, shaped, tool

STRING = {"type": "string"}


@pytest.mark.parametrize("keyword", ["anyOf", "oneOf", "allOf", "not", "enum"])
def test_a_composition_at_the_top_level_is_told(keyword: str) -> None:
    value: Any = {"required": ["a"]} if keyword == "not" else [{"required": ["a"]}]
    assert found(listed(shaped({**ANYTHING, keyword: value}))) == [("PRV001", "warning", "server", (6,), "")]


def test_tools_with_the_same_fault_are_one_finding_and_listed_again_they_are_told_once() -> None:
    every = [shaped({**ANYTHING, "anyOf": [ANYTHING], "not": {}}, name) for name in "abcde"]
    assert found(listed(*every, tape=listed(*every), id=2)) == [
        ("PRV001", "warning", "server", (6, 6, 6, 6, 6), "")
    ]


@pytest.mark.parametrize(
    "schema",
    [
        {**ANYTHING, "properties": {"at": {"anyOf": [STRING, {"type": "null"}], "enum": ["a"]}}},
        {**ANYTHING, "properties": {"anyOf": STRING, "oneOf": STRING, "not": STRING, "enum": STRING}},
        {**ANYTHING, "$defs": {"anyOf": {"allOf": [STRING]}}},
        {**ANYTHING, "if": {"required": ["a"]}, "then": {"required": ["b"]}},
    ],
)
def test_a_composition_within_and_a_property_of_that_name_are_no_warning(schema: Any) -> None:
    assert loud(listed(shaped(schema))) == []
    assert (
        loud(listed({"name": "find", "inputSchema": ANYTHING, "outputSchema": {"anyOf": [ANYTHING]}})) == []
    )


@pytest.mark.parametrize(
    ("reference", "key"),
    [
        ("#/$defs/Point", "inputSchema missing"),
        ("#/components/schemas/Point", "inputSchema missing"),
        ("#Point", "inputSchema missing"),
        ("#/properties/at/type", "inputSchema missing"),
        ("#/properties/list/anyOf/7", "inputSchema missing"),
        ("Point", "inputSchema outside"),
        ("common.json#/$defs/Point", "inputSchema outside"),
        ("https://example.com/point.json", "inputSchema outside"),
    ],
)
def test_a_reference_to_nothing_is_told(reference: str, key: str) -> None:
    whole = tool("draw", at={"type": "object", "properties": {"x": {"$ref": reference}}})
    assert loud(listed(whole)) == [("PRV002", key)]


def test_a_reference_of_the_output_too() -> None:
    assert loud(listed(tool("draw", {"properties": {"x": {"$ref": "#/$defs/X"}}}))) == [
        ("PRV002", "outputSchema missing")
    ]


@pytest.mark.parametrize(
    "schema",
    [
        {"properties": {"at": {"$ref": "#"}}},
        {"properties": {"at": {"$ref": "#/$defs/a"}}, "$defs": {"a": STRING}},
        {"properties": {"at": {"$ref": "#/$defs/a~1b%20c~0"}}, "$defs": {"a/b c~": True}},
        {"properties": {"at": {"$ref": "#/properties/a/anyOf/0"}, "a": {"anyOf": [STRING]}}},
        {"properties": {"at": {"$ref": "#here"}}, "$defs": {"a": {"$anchor": "here"}}},
        {"properties": {"at": {"$ref": "http://json-schema.org/draft-07/schema#"}}},
        {
            "$id": "https://x/s.json",
            "properties": {"at": {"$ref": "https://x/s.json#/$defs/a"}},
            "$defs": {"a": {}},
        },
        {"properties": {"at": {"$ref": "a.json"}}, "$defs": {"a": {"$id": "a.json"}}},
        {"properties": {"doc": {"default": {"$ref": "#/nowhere"}, "type": "object"}}},
        {"properties": {"at": {"$ref": "[masked]"}}},
    ],
)
def test_a_reference_that_leads_somewhere_and_what_is_none_are_silent(schema: Any) -> None:
    assert loud(listed(shaped({**ANYTHING, **schema}))) == []


@pytest.mark.parametrize(
    "schema",
    [
        {"type": "array"},
        {"type": ["array", "null"], "description": "some"},
        {"anyOf": [{"type": "array"}, {"type": "null"}]},
        {"type": "array", "items": {"type": "array"}},
        {"type": "object", "properties": {"inner": {"type": "array"}}},
    ],
)
def test_an_array_without_items_is_told_however_deep_it_is(schema: Any) -> None:
    assert loud(listed(tool("run", macros=schema))) == [("PRV003", "")]


@pytest.mark.parametrize(
    "schema",
    [
        {"type": "array", "items": {}},
        {"type": "array", "items": True},
        {"type": "array", "prefixItems": [STRING]},
        {"type": "array", "allOf": [{"items": STRING}]},
        {"type": "string", "enum": ["array"]},
        {"type": "object", "properties": {"type": {"type": "string", "default": "array"}}},
        {"type": "object", "default": {"type": "array"}},
    ],
)
def test_an_array_with_items_and_what_is_none_are_silent(schema: Any) -> None:
    assert loud(listed(tool("run", macros=schema))) == []
    assert loud(listed(tool("run", {"type": "object", "properties": {"out": {"type": "array"}}}))) == []


def test_more_than_128_tools_are_told_once_over_all_pages() -> None:
    tools = [tool(f"t{number}") for number in range(130)]
    tape = (
        begun()
        .client(request(1, "tools/list"), 0.3)
        .server(result(1, tools=tools[:100], nextCursor="b"), 0.4)
    )
    tape.client(request(2, "tools/list", cursor="b"), 0.5).server(result(2, tools=tools[100:]), 0.6)
    assert found(tape) == [("PRV004", "warning", "server", (8,), "")]
    assert found(listed(*tools, tape=tape, id=3)) == [("PRV004", "warning", "server", (8,), "")]


def test_128_tools_are_silent_and_so_is_a_list_that_is_asked_for_twice() -> None:
    tools = [tool(f"t{number}") for number in range(128)]
    assert found(listed(*tools, tape=listed(*tools), id=2)) == []


def test_keywords_that_are_not_supported_everywhere_are_information() -> None:
    tape = listed(
        tool("a", n={"type": "integer", "exclusiveMinimum": 0}, u={"type": "string", "format": "uri"}),
        tool(
            "b", n={"type": ["string", "null"]}, m={"const": 1}, d={"type": "string", "format": "date-time"}
        ),
    )
    assert found(tape) == [("PRV005", "info", "server", (6, 6), "")]


def test_usual_keywords_and_properties_that_are_called_so_are_no_information() -> None:
    usual = {"type": "integer", "minimum": 1, "maximum": 9, "default": 3, "description": "d", "title": "t"}
    whole = {
        **ANYTHING,
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "additionalProperties": False,
    }
    assert (
        found(listed(shaped({**whole, "properties": {"const": usual, "if": usual, "contains": usual}}))) == []
    )


@pytest.mark.parametrize("name", ["$filter", "first name", "größe", "x" * 65, "", "a/b"])
def test_the_name_of_an_argument_that_apis_refuse_is_told(name: str) -> None:
    assert loud(listed(tool("query", **{name: STRING}))) == [("PRV006", "")]


def test_other_names_of_arguments_are_silent() -> None:
    assert loud(listed(tool("query", **{"a.b-c_D9": STRING, "x" * 64: STRING, "[masked]": STRING}))) == []


@pytest.mark.parametrize(
    ("schema", "key"),
    [
        ({"properties": {"query": STRING}, "required": ["query", "q"]}, "required"),
        ({"properties": {}, "required": ["q"]}, "required"),
        ({"properties": {"at": {"type": "object", "properties": {}, "required": ["x"]}}}, "required"),
        ({"properties": {"sort": {"type": "string", "enum": ["", "name"]}}}, "enum"),
    ],
)
def test_what_is_required_and_not_defined_and_an_empty_choice_are_told(schema: Any, key: str) -> None:
    assert found(listed(shaped({**ANYTHING, **schema}))) == [("PRV011", "warning", "server", (6,), key)]


@pytest.mark.parametrize(
    "schema",
    [
        {"properties": {"q": STRING}, "required": ["q"]},
        {"required": ["q"]},
        {"properties": {"q": STRING}, "required": []},
        {"properties": {"at": {"anyOf": [{"required": ["x"]}], "properties": {}, "required": ["x"]}}},
        {"properties": {}, "required": ["x"], "patternProperties": {"^x": STRING}},
        {"properties": {"[masked]": STRING}, "required": ["x"]},
        {"properties": {"required": STRING, "enum": {"type": "string", "default": "", "enum": [" "]}}},
    ],
)
def test_what_is_defined_here_or_elsewhere_is_silent(schema: Any) -> None:
    assert loud(listed(shaped({**ANYTHING, **schema}))) == []


@pytest.mark.parametrize("tools", [None, "x", [7, None, {"name": 7}, {"name": "a", "inputSchema": 3}]])
def test_what_is_no_list_of_tools_is_silent(tools: Any) -> None:
    assert found(begun().client(request(1, "tools/list"), 0.3).server(result(1, tools=tools), 0.4)) == []


def test_of_a_schema_without_end_so_much_is_looked_at() -> None:
    deep: dict[str, Any] = {}
    for _ in range(PARTS_LOOKED_AT + 5):
        deep = {"not": deep, "properties": {"a": 3}, "anyOf": 7}
    assert len(list(parts_of(deep, PARTS_LOOKED_AT))) == PARTS_LOOKED_AT
