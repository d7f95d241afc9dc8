"""One line as a message, or why it is none."""

from __future__ import annotations

from typing import Any

import orjson
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from mcp_tap.model.message import (
    MessageKind,
    id_key,
    json_type,
    read_line,
    read_message,
    with_exact_id,
)
from tests.profiles import examples
from tests.record_cases import error, request, result, told

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4),
    max_leaves=12,
)
LIKE_A_MESSAGE = st.fixed_dictionaries(
    {},
    optional=dict.fromkeys(("jsonrpc", "id", "method", "params", "result", "error"), JSON),
)


@pytest.mark.parametrize(
    ("value", "kind"),
    [
        (request(1, "ping"), "request"),
        (told("notifications/initialized"), "notification"),
        (result(1), "response"),
        (error(1, -32601), "error"),
        ([request(1, "ping")], "batch"),
        ({"id": None, "method": "ping"}, "request"),
        ({"method": "ping", "result": {}}, "notification"),
        ({"id": 1, "result": None}, "response"),
        ({"id": 1, "result": {}, "error": None}, "response"),
        ({"id": 1, "result": {}, "error": {"code": 1}}, "error"),
        ({"id": 1, "error": None}, "error"),
        ({"level": "info", "msg": "ready"}, "not-json-rpc"),
        ({}, "not-json-rpc"),
        ([], "not-json-rpc"),
        (None, "not-json-rpc"),
    ],
)
def test_the_members_say_what_kind_of_message_it_is(value: Any, kind: MessageKind) -> None:
    assert read_message(value).kind == kind


@pytest.mark.parametrize(
    ("value", "why"),
    [
        (7, "a JSON number, not an object"),
        (1.5, "a JSON number, not an object"),
        (True, "a JSON boolean, not an object"),
        ("x", "a JSON string, not an object"),
        (None, "a JSON null, not an object"),
        ([], "an empty array, not an object"),
        ({}, "no method, result or error (members: none)"),
        ({"level": 1, "msg": 2, "time": 3, "pid": 4, "host": 5},
         "no method, result or error (members: level, msg, time, pid)"),
        ({"x" * 99: 1}, f"no method, result or error (members: {'x' * 30})"),
        ({"id": 1, "method": 5}, "the method is a JSON number, not a string"),
        ({"method": None}, "the method is a JSON null, not a string"),
    ],
)  # fmt: skip
def test_json_of_another_shape_says_what_it_is(value: Any, why: str) -> None:
    message = read_message(value)
    assert (message.kind, message.why, message.flaw) == ("not-json-rpc", why, None)


def test_an_array_within_a_batch_is_no_batch_however_deep() -> None:
    deep: Any = []
    for _ in range(1000):
        deep = [deep]
    (part,) = read_message(deep).parts
    assert (part.kind, part.why) == ("not-json-rpc", "an array within a batch")


def test_a_message_gives_its_parameters_its_meta_and_its_target() -> None:
    message = read_message(request(1, "tools/call", name="search", _meta={"progressToken": 3}))
    assert message.params == {"name": "search", "_meta": {"progressToken": 3}}
    assert (message.meta, message.target) == ({"progressToken": 3}, "search")
    assert read_message(result(1, _meta={"a": 1})).meta == {"a": 1}
    assert read_message(error(1, -1)).meta == {}


@pytest.mark.parametrize("params", [None, [], [1], "x", 7])
def test_parameters_that_have_no_names_are_none(params: Any) -> None:
    message = read_message({"id": 1, "method": "tools/call", "params": params})
    assert (message.params, message.meta, message.target) == ({}, {}, None)


@pytest.mark.parametrize(
    ("method", "params", "target"),
    [
        ("tools/call", {"name": "search"}, "search"),
        ("tools/call", {"name": 7}, None),
        ("prompts/get", {"name": "letter"}, "letter"),
        ("resources/read", {"uri": "file:///a"}, "file:///a"),
        ("completion/complete", {"ref": {"type": "ref/prompt", "name": "letter"}}, "letter"),
        ("completion/complete", {"ref": {"type": "ref/resource", "uri": "file:///{x}"}}, "file:///{x}"),
        ("completion/complete", {"ref": []}, None),
        ("tools/list", {"name": "search"}, None),
    ],
)
def test_a_request_is_about_what_its_method_says(
    method: str, params: dict[str, Any], target: str | None
) -> None:
    assert read_message(request(1, method, **params)).target == target


def test_only_a_result_that_says_so_is_a_tool_error() -> None:
    assert read_message(result(1, isError=True)).is_tool_error
    assert not read_message(result(1, isError="true")).is_tool_error
    assert not read_message({"id": 1, "result": [True]}).is_tool_error
    assert not read_message(error(1, -1)).is_tool_error


IDS = [1, 1.0, "1", True, None, "", 0, False, 0.0, [1], {"a": 1}, {"a": 1.0}, "null", "[1]"]


def test_ids_of_two_json_types_are_two_ids() -> None:
    keys = [read_message({"id": id, "method": "ping"}).key for id in IDS]
    assert len({repr(key) for key in keys}) == len(keys)
    assert len(set(keys)) == len(keys)


def test_of_a_member_that_is_there_twice_the_last_counts_as_both_sdks_have_it() -> None:
    message = read_line(b'{"id":1,"id":2,"method":"ping","method":"tools/list"}')
    assert (message.id, message.method) == (2, "tools/list")


def test_null_for_an_id_is_told_from_no_id() -> None:
    null, none = read_message(error(None, -32700)), read_message({"error": {"code": -32700}})
    assert (null.id, none.id) == (None, None)
    assert (null.key is None, none.key) == (False, None)


@pytest.mark.parametrize("depth", [100, 300, 1000])
def test_an_id_of_any_depth_has_a_key(depth: int) -> None:
    value = orjson.loads(b"[" * depth + b"]" * depth)
    assert hash(id_key(value)) == hash(id_key(value))


@pytest.mark.parametrize("id", [str(2**64), str(2**64 + 1), str(-(2**70)), "9" * 300])
def test_an_id_beyond_64_bits_is_exact(id: str) -> None:
    line = b'{"jsonrpc":"2.0","id":%b,"method":"ping"}' % id.encode()
    message = with_exact_id(read_message(orjson.loads(line)), line)
    assert (message.kind, message.id, message.key) == ("request", int(id), int(id))


def test_an_id_beyond_64_bits_in_a_message_too_deep_to_read_again_is_approximate() -> None:
    line = b'{"id":18446744073709551617,"method":"x","params":' + b"[" * 1015 + b"]" * 1015 + b"}"
    assert with_exact_id(read_message(orjson.loads(line)), line).id == 2.0**64


@pytest.mark.parametrize("id", [b"1.0", b"1e3", b"-0.5", b"1.5e300"])
def test_an_id_that_is_no_integer_stays_a_float(id: bytes) -> None:
    line = b'{"jsonrpc":"2.0","id":%b,"method":"ping"}' % id
    assert with_exact_id(read_message(orjson.loads(line)), line).key == ("float", float(id))


def test_a_line_without_an_end_is_no_message_even_if_it_is_json() -> None:
    line = b'{"jsonrpc":"2.0","id":1,"result":{}}'
    assert read_line(line, whole=True).kind == "response"
    message = read_line(line, whole=False)
    assert (message.kind, message.flaw) == ("not-json", "no-newline")
    assert message.why == "the stream ended before the line did"
    assert read_line(line[:-3], whole=False).flaw == "no-newline"
    assert read_line(b"Goodbye", whole=False).flaw == "text"


@pytest.mark.parametrize(
    ("value", "name"),
    [
        (None, "null"),
        (True, "boolean"),
        (1, "number"),
        (1.0, "number"),
        ("", "string"),
        ([], "array"),
        ({}, "object"),
    ],
)
def test_a_type_has_the_name_that_json_gives_it(value: Any, name: str) -> None:
    assert json_type(value) == name


@given(JSON | LIKE_A_MESSAGE | st.lists(LIKE_A_MESSAGE, max_size=3))
@examples(3)
def test_every_json_value_is_some_message_and_gives_its_properties(value: Any) -> None:
    message = read_message(value)
    for each in (message, *message.parts):
        assert hash(each.key) == hash(each.key)
        assert isinstance(each.params, dict)
        assert isinstance(each.meta, dict)
        assert each.target is None or isinstance(each.target, str)
        assert each.is_tool_error in (True, False)
        assert (each.method is not None) == (each.kind in ("request", "notification"))
        assert (each.why is not None) == (each.kind == "not-json-rpc")
    assert bool(message.parts) == (message.kind == "batch")


@given(LIKE_A_MESSAGE)
@examples(2)
def test_a_value_means_the_same_as_its_line(value: dict[str, Any]) -> None:
    try:
        line = orjson.dumps(value)
    except orjson.JSONEncodeError:
        assume(False)
    assert read_line(line) == with_exact_id(read_message(orjson.loads(line)), line)
