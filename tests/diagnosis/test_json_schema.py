"""Questions of JSON Schema: answers, and what is bounded."""

from __future__ import annotations

import subprocess
import sys
import urllib.request
from typing import Any

import pytest

from mcp_tap.diagnosis import json_schema
from mcp_tap.diagnosis.json_schema import DIALECTS, STEPS, FitVerdict, is_same, read_schema
from mcp_tap.diagnosis.text import as_json
from tests.diagnosis.schemas import deep

DRAFT_7 = "http://json-schema.org/draft-07/schema#"
NEWEST = "https://json-schema.org/draft/2020-12/schema"


def ask(schema: Any, value: Any) -> FitVerdict:
    """Whether ``value`` fits."""
    return read_schema(schema).fits(value)


def misfits(schema: Any, value: Any) -> list[str]:
    """What does not fit, in words."""
    answer = ask(schema, value)
    assert answer.fits is False, answer
    return [str(each) for each in answer.misfits]


def of(name: str, **keywords: Any) -> dict[str, Any]:
    """A schema of an object with one property."""
    return {"type": "object", "properties": {name: keywords}}


@pytest.mark.parametrize(
    ("schema", "value"),
    [
        (of("a", type="integer"), {"a": 1.0, "b": "more"}),
        (of("a", type="string", format="email"), {"a": "formats are not checked"}),
        ({"type": "object", "properties": {"a": {"$ref": "#/$defs/x"}}, "$defs": {"x": {}}}, {"a": 1}),
        ({"patternProperties": {"^x-": {"type": "integer"}}, "additionalProperties": False}, {"x-a": 1}),
        ({"properties": {"a": {"uniqueItems": True}}}, {"a": [1, 2, [3], {"b": 4}]}),
        ({"$schema": NEWEST, "allOf": [of("a")], "unevaluatedProperties": False}, {"a": 1}),
        ({"enum": [{"a": [1]}, 7]}, {"a": [1]}),
        (True, 1),
    ],
)
def test_what_fits_fits(schema: Any, value: Any) -> None:
    assert ask(schema, value) == FitVerdict(True)


@pytest.mark.parametrize(
    ("schema", "value", "told"),
    [
        (of("limit", type="integer"), {"limit": "ten"}, "'limit' is \"ten\", not an integer"),
        (of("a", type=["string", "null"]), {"a": {}}, "'a' is an object, not a string or null"),
        (of("a", items={"type": "string"}), {"a": ["x", []]}, "'a.1' is an array, not a string"),
        ({"required": ["q", "r"]}, {}, "'q', 'r' are missing"),
        (of("a", required=["q"]), {"a": {}}, "'a.q' is missing"),
        ({"additionalProperties": False}, {"b": 1, "a": 2}, "'a', 'b' are not allowed"),
        (
            {"additionalProperties": False, "properties": {}},
            dict.fromkeys("edcba", 1),
            "'a', 'b', 'c' and 2 more are not allowed",
        ),
        (
            {"additionalProperties": False, "patternProperties": {"^x": {}}},
            {"x": 1, "y": 2},
            "it has members that are not allowed",
        ),
        ({"additionalProperties": {"type": "string"}}, {"b": 1}, "'b' is 1, not a string"),
        (of("a", enum=["x", "y"]), {"a": "z"}, '\'a\' is "z", not one of "x", "y"'),
        (of("a", enum=list(range(9))), {"a": 9}, "'a' is 9, not one of 0, 1, 2, 3, 4, …"),
        (of("a", const=1), {"a": 2}, "'a' is 2, not 1"),
        (of("a", minimum=1), {"a": 0}, "'a' is 0, against minimum 1"),
        (of("a", pattern="^[a-z]+$"), {"a": "A"}, '\'a\' is "A", against pattern "^[a-z]+$"'),
        (of("a", anyOf=[{"type": "string"}]), {"a": 1}, "'a' is 1, which its anyOf does not allow"),
        ({"properties": {"a": False}}, {"a": 1}, "1 is not allowed"),
        ({"type": "object"}, "x", 'it is "x", not an object'),
        (of("a", uniqueItems=True), {"a": ["x", "x"]}, "'a' is an array, against uniqueItems true"),
        ({"patternProperties": {"^x": {"type": "string"}}}, {"xy": 1}, "'xy' is 1, not a string"),
        (of("a" * 60, type="string"), {"a" * 60: 1}, f"'{'a' * 39}…' is 1, not a string"),
        (of("a", type="integer"), {"a": "b" * 60}, f"'a' is \"{'b' * 38}…, not an integer"),
        ({"$schema": DRAFT_7, "items": [{"type": "string"}]}, [1], "'0' is 1, not a string"),
        (
            {"$schema": "http://json-schema.org/draft-04/schema", "minimum": 1, "exclusiveMinimum": True},
            1,
            "it is 1, against minimum 1",
        ),
        (
            {"$anchor": "x", "properties": {"a": {"$ref": "#x"}}, "type": "object"},
            {"a": 1},
            "'a' is 1, not an object",
        ),
    ],
)
def test_what_does_not_fit_is_told_in_words(schema: Any, value: Any, told: str) -> None:
    assert misfits(schema, value)[0] == told


def test_what_looks_like_a_secret_is_not_told() -> None:
    assert misfits(of("api_key", type="integer"), {"api_key": "hunter2hunter2"}) == [
        "'api_key' is a string (masked), not an integer"
    ]
    assert "sk-" not in misfits(of("a", type="integer"), {"a": "sk-0123456789abcdefghijklmn"})[0]


def test_the_misfit_nearest_to_the_top_is_first_and_each_is_told_once() -> None:
    schema = {"type": "object", "properties": {"a": of("b", type="string")}, "required": ["q", "r"]}
    assert misfits(schema, {"a": {"b": 1}}) == ["'q', 'r' are missing", "'a.b' is 1, not a string"]


def test_a_misfit_has_the_same_key_for_another_value_and_place() -> None:
    schema = of("rows", items=of("limit", type="integer"))
    each: tuple[list[Any], list[Any]] = ([{"limit": "x"}], [{}, {"limit": []}])
    one, other = (ask(schema, {"rows": rows}).misfits[0] for rows in each)
    assert one.key == other.key == "rows type"
    assert ask({"required": ["q"]}, {}).misfits[0].key == "q required"


@pytest.mark.parametrize("dialect", DIALECTS)
def test_each_known_dialect_can_be_asked(dialect: str) -> None:
    assert ask({"$schema": dialect, "type": "object"}, {}).fits is True
    assert ask({"$schema": dialect + "#", "type": "object"}, []).fits is False
    assert ask({"$schema": dialect.replace("https:", "http:"), "type": "object"}, []).fits is False


@pytest.mark.parametrize("name", ["http://example.com/schema", 7, "", "draft-07"])
def test_an_unknown_dialect_is_not_asked(name: Any) -> None:
    schema = read_schema({"$schema": name, "type": "object"})
    assert schema.dialect is None
    assert schema.named == name
    assert schema.valid().fits is None
    assert schema.fits([]).fits is None


def test_a_schema_is_held_against_the_metaschema_of_its_dialect() -> None:
    tuples = {"items": [{"type": "string"}]}
    assert read_schema({"type": "object"}).valid().fits is True
    assert str(read_schema(of("a", type="int")).valid().misfits[0]).startswith(
        "'properties.a.type' is \"int\""
    )
    assert read_schema(tuples).valid().fits is False
    assert read_schema(tuples).is_older
    assert not read_schema(of("a", type="int")).is_older
    assert read_schema({"$schema": DRAFT_7, **tuples}).valid().fits is True
    assert not read_schema({"$schema": NEWEST, **tuples}).is_older


def test_of_a_schema_that_is_not_valid_nothing_is_said() -> None:
    assert ask(of("a", type="int"), {"a": "x"}) == FitVerdict(None, why="the schema is not valid")


def test_without_a_dialect_a_value_misfits_only_by_the_older_default_too() -> None:
    """The official SDKs' validators read such a schema as draft-07."""
    schema = {"allOf": [of("a")], "unevaluatedProperties": False}
    assert ask(schema, {"b": 1}) == FitVerdict(None, why="drafts differ")
    assert ask({"$schema": NEWEST, **schema}, {"b": 1}).fits is False


def web(width: int, levels: int) -> dict[str, Any]:
    """References whose ways are width ** levels."""
    parts = {f"a{n}": {"allOf": [{"$ref": f"#/$defs/a{n + 1}"}] * width} for n in range(levels)}
    return {"$ref": "#/$defs/a0", "$defs": {**parts, f"a{levels}": {}}}


HOSTILE: dict[str, tuple[Any, Any, str]] = {
    "a reference to elsewhere": (
        of("a", **{"$ref": "http://example.com/x"}),
        {"a": 1},
        "a $ref to what is not",
    ),
    "a reference to nothing": (of("a", **{"$ref": "#/$defs/x"}), {"a": 1}, "a $ref to what is not"),
    "a reference to itself": ({"$ref": "#"}, {}, "nested too deep"),
    "two references in a circle": (
        {"$ref": "#/$defs/a", "$defs": {"a": {"$ref": "#/$defs/b"}, "b": {"$ref": "#/$defs/a"}}},
        {},
        "nested too deep",
    ),
    "a web of references": (web(2, 40), {}, "more than 20,000 steps"),
    "a web of alternatives": ({"anyOf": [{"type": "string"}] * 9_000}, {"a": 1}, "more than 20,000 steps"),
    "long messages": ({"anyOf": [{"type": "string"}] * 1_000}, ["y" * 10] * 20_000, "more than 20,000 steps"),
    "anchors that are looked for": (
        {"$defs": {f"k{n}": {"$anchor": f"k{n}"} for n in range(8_000)}, "items": {"$ref": "#k7"}},
        [{}] * 3_000,
        "more than 20,000 steps",
    ),
    "many properties": (
        {"type": "object", "properties": {f"a{n}": {"type": "string"} for n in range(9_000)}},
        {},
        "more than 20,000 steps",
    ),
    "many items": ({"allOf": [{"items": True}] * 2_000}, [1] * 100_000, "more than 20,000 steps"),
    "large alternatives": (
        {"anyOf": [{"$ref": "#/$defs/e"}] * 400, "$defs": {"e": {"enum": [{"a": [0] * 9_000 + [1]}]}}},
        {"a": [0] * 9_001},
        "more than 20,000 steps",
    ),
    "objects that are to be unique": ({"uniqueItems": True}, [{"a": n} for n in range(9_000)], "uniqueItems"),
    "a pattern that goes back and forth": (
        of("a", pattern="^(a+)+$"),
        {"a": "a" * 5_000 + "!"},
        "takes too long",
    ),
    "names against such a pattern": (
        {"patternProperties": {"^(a+)+$": {}}},
        {"a" * 5_000 + "!": 1},
        "too long",
    ),
    "others against such a pattern": (
        {"patternProperties": {"^(a|aa)+$": {}}, "additionalProperties": False},
        {"a" * 5_000 + "!": 1},
        "too long",
    ),
    "repetitions of repetitions": (of("a", pattern="((a{999}){999}){999}"), {"a": "a"}, "different ways"),
    "a pattern of another dialect": (of("a", pattern=r"(?i)^a\Z"), {"a": "b"}, "different ways"),
    "a pattern that is none": (of("a", pattern="["), {"a": "b"}, "different ways"),
    "patterns beside what is left over": (
        {"$schema": NEWEST, "patternProperties": {"^(a+)+$": {}}, "unevaluatedProperties": False},
        {"b": 1},
        "unevaluatedProperties together with",
    ),
    "a deep schema": (*deep(300), "nested too deep"),
    "a deep value": (of("a", **{"$ref": "#"}), deep(300)[1], "nested too deep"),
    "a schema within a schema, of another dialect": (
        of("a", **{"$schema": "http://json-schema.org/draft-04/schema#", "type": "string"}),
        {"a": 1},
        "several dialects",
    ),
    "a large schema": (of("a", description="x" * 600_000), {}, "too large"),
    "a large value": ({"type": "object"}, {"a": "x" * 300_000}, "too large"),
    "many members": ({"type": "object"}, {"a": [1] * 300_000}, "too large"),
}


@pytest.mark.parametrize("what", HOSTILE)
def test_a_hostile_question_ends_and_has_no_answer(what: str) -> None:
    """The steps are what is bounded, and the time: on a busy machine that may be over first."""
    schema, value, why = HOSTILE[what]
    answer = ask(schema, value)
    assert answer.fits is None
    assert why in answer.why or answer.why == "patterns that take too long together"
    assert json_schema._steps.left > -STEPS, "one step cost as much as a whole question"


def test_nothing_is_fetched(monkeypatch: pytest.MonkeyPatch) -> None:
    def never(*_: object, **__: object) -> None:
        raise AssertionError("fetched")

    monkeypatch.setattr(urllib.request, "urlopen", never)
    for keyword in ("$ref", "$dynamicRef"):
        schema = {"$schema": NEWEST, "properties": {"a": {keyword: "https://example.com/schema.json"}}}
        assert ask(schema, {"a": 1}).fits is None
    old = {"$schema": DRAFT_7, "$id": "https://example.com/a.json", "properties": {"a": {"$ref": "b.json"}}}
    assert ask(old, {"a": 1}).fits is None
    assert ask({"properties": {"a": {"$ref": DRAFT_7}}}, {"a": {"type": "object"}}).fits is True, "known"


def test_what_the_library_trips_over_has_no_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    def trips(*_: object) -> None:
        raise OverflowError

    schema = read_schema({"type": "object", "title": "trips"})
    assert schema.valid().fits
    monkeypatch.setattr(json_schema, "validator_of", trips)
    assert schema.fits({}) == FitVerdict(None, why="OverflowError")


def test_an_equal_schema_is_prepared_once_and_a_large_one_is_not_kept() -> None:
    assert read_schema({"type": "object", "title": "kept"}) is read_schema(
        {"type": "object", "title": "kept"}
    )
    large = of("a", description="x" * 70_000)
    assert read_schema(large) is not read_schema(large)


def test_values_too_deep_to_compare_are_not_the_same() -> None:
    one, other = deep(20_000)[1], deep(20_000)[1]
    assert is_same(one, one)
    assert not is_same(one, other)
    assert is_same({"a": [1]}, {"a": [1]})


def test_schemas_and_patterns_are_imported_with_the_first_question_only() -> None:
    script = (
        "import sys; from mcp_tap.rules import registry; from mcp_tap.diagnosis import json_schema\n"
        "assert not {'jsonschema', 'regex', 'referencing', 'attrs'} & set(sys.modules)\n"
        "assert json_schema.read_schema({'type': 'object'}).fits({}).fits\n"
        "assert 'jsonschema' in sys.modules and 'regex' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", script], check=True)


def test_a_value_that_cannot_be_written_is_told_by_its_type() -> None:
    assert as_json(2**70) == str(2**70)
    assert as_json(deep(2_000)[1]) == "(dict)"
    assert misfits(of("a", type="string"), {"a": 2**70}) == [f"'a' is {2**70}, not a string"]
