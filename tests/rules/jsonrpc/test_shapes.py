"""RPC024-025: the kinds of shapes, and the table of what params and results look like."""

from __future__ import annotations

from typing import Any

import pytest

from mcp_tap.model.methods import METHODS
from mcp_tap.rules.jsonrpc._containers import Items, Members, Named, OneOrMany, Tagged
from mcp_tap.rules.jsonrpc._faults import faults_of
from mcp_tap.rules.jsonrpc._shape_parts import BOOLEAN, INTEGER, NUMBER, STRING
from mcp_tap.rules.jsonrpc._shape_table import PARAMS, RESULTS
from mcp_tap.rules.jsonrpc._shapes import Either, In, Nullable, Shape, Type, Word, since, until
from tests.record_cases import RECORDINGS, Read

V = "2025-06-18"

BY_KIND = Tagged("kind", {"a": Members({"x": STRING}), "b": since("2026-07-28", Members({}))})

FIT: list[tuple[Shape, Any]] = [
    (NUMBER, 1.5),
    (INTEGER, 2.0),
    (Type(), None),
    (Word("a", "b"), "b"),
    (Word("a", "b"), "[masked]"),
    (BOOLEAN, "[masked]"),
    (Items(STRING), ["x", "y"]),
    (Items(STRING, told=True), 7),
    (Named(STRING), {"x": "y"}),
    (Members({"x": STRING, "y?": NUMBER}), {"x": "", "more": None}),
    (Members({"x": until("2025-03-26", STRING)}), {}),
    (Members({"x?": In("2025-11-25", "2026-07-28", STRING)}), {"x": 7}),
    (Either("2025-11-25", STRING, NUMBER), "x"),
    (Nullable(STRING), None),
    (OneOrMany(STRING), ["x"]),
    (BY_KIND, {"kind": "a", "x": ""}),
    (BY_KIND, {"kind": "[masked]"}),
    (Tagged("kind", {}, tag_told=True), {"kind": 7}),
    (Tagged("kind", {"a": Members({})}, default="a"), {}),
]


@pytest.mark.parametrize(("shape", "value"), FIT)
def test_what_fits_has_no_fault(shape: Shape, value: Any) -> None:
    assert list(shape.faults(value, V)) == []


MISFIT: list[tuple[Shape, Any, str]] = [
    (NUMBER, True, "is a boolean, not a number"),
    (INTEGER, 1.5, "is 1.5, not an integer"),
    (Type("string", "number"), None, "is null, not a string or a number"),
    (Word("a", "b"), "c", 'is "c", not one of a, b'),
    (Word("a"), "c", 'is "c", not "a"'),
    (Word("a"), 7, "is a number, not a string"),
    (Items(STRING), {}, "is an object, not an array"),
    (Named(STRING), [], "is an array, not an object"),
    (Members({}), None, "is null, not an object"),
    (Either("2025-03-26", STRING, NUMBER), "x", "is a string, not a number"),
    (Nullable(STRING), 7, "is a number, not a string"),
    (OneOrMany(Members({})), "x", "is a string, not an object or an array"),
    (BY_KIND, "a", "is a string, not an object"),
]


@pytest.mark.parametrize(("shape", "value", "problem"), MISFIT)
def test_what_does_not_fit_is_told_and_the_fast_check_sees_it(shape: Shape, value: Any, problem: str) -> None:
    assert not shape.check(V)(value)
    assert [fault[:2] for fault in shape.faults(value, V)] == [((), problem)]


def told(shape: Shape, value: dict[str, Any]) -> str:
    """What is wrong with a value, in words."""
    assert not shape.check(V)(value)
    found = faults_of(shape, value, V)
    assert found is not None
    return found.what


def test_a_fault_is_told_with_the_path_that_leads_there() -> None:
    deep = Members({"tools": Items(Members({"name": STRING, "hints?": Members({"ro?": BOOLEAN})}))})
    tools: list[Any] = [{"name": "a"}, {"name": "b", "hints": {"ro": None}}, {}, 7]
    assert told(deep, {"tools": tools}) == (
        "`tools[1].hints.ro` (of `b`) is null, not a boolean, `tools[2].name` is missing, "
        "`tools[3]` is a number, not an object"
    )
    assert told(BY_KIND, {}) == "`kind` is missing"
    assert told(BY_KIND, {"kind": "b"}) == '`kind` is "b", not one of a'


def test_equal_faults_are_told_once_and_no_more_than_three() -> None:
    value = {"tools": [{"ro": None}, {"ro": None}, {"ro": 1}, {"ro": "x"}, {"ro": []}]}
    found = faults_of(Members({"tools": Items(Members({"ro": BOOLEAN}))}), value, V)
    assert found is not None
    assert found.what == (
        "`tools[0].ro` is null, not a boolean (and 1 more like it), `tools[2].ro` is a number, "
        "not a boolean, `tools[3].ro` is a string, not a boolean and 1 more"
    )
    assert found.key.startswith("`tools[].ro` is null, not a boolean, ")


def test_the_table_names_methods_that_exist() -> None:
    assert PARAMS.keys() | RESULTS.keys() <= METHODS.keys()
    assert all(METHODS[method].kind == "request" for method in RESULTS)


def test_the_table_fits_what_real_servers_and_clients_say() -> None:
    fitting = {"params": 0, "results": 0}
    for path in sorted([*RECORDINGS.glob("v1/*.jsonl"), *RECORDINGS.glob("fleet/*.jsonl")]):
        for item in Read(path).items:
            message, exchange = item.message, item.exchange
            version = "2025-11-25" if exchange is None or exchange.version is None else exchange.version
            if message.method in PARAMS:
                fitting["params"] += 1
                assert faults_of(PARAMS[message.method], message.params, version) is None, (path, message)
            if item.role != "answers" or message.kind != "response" or exchange is None:
                continue
            result = message.value["result"]
            if exchange.method in RESULTS and result.get("resultType", "complete") == "complete":
                fitting["results"] += 1
                assert faults_of(RESULTS[exchange.method], result, version) is None, (path, message)
    assert min(fitting.values()) > 200
