"""RPC024-025: params and results that lack a member, or have one of another type."""

from __future__ import annotations

from typing import Any

import pytest

from mcp_tap.model.methods import METHODS
from mcp_tap.rules.jsonrpc._shape_table import OPTIONAL_SINCE, PARAMS, RESULTS
from tests.diagnosis.checking import begun, check, closed, names, rules_of
from tests.record_cases import RECORDINGS, Read, Tape, error, modern, request, result, told

RULES = rules_of("RPC024", "RPC025")


def found(tape: Tape) -> list[tuple[str, str, str, tuple[int, ...], str]]:
    """What the rules of this family find."""
    return [
        (each.rule, each.severity, each.culprit, each.records, each.message)
        for each in check(closed(tape, 60), rules=RULES)
    ]


def test_a_member_that_is_missing_and_one_of_another_type_are_told_together() -> None:
    tape = begun(client={"sampling": {}}).server(request(5, "sampling/createMessage", messages="hello"), 1)
    message = (
        "server sent `sampling/createMessage` with params that do not fit: "
        "`messages` is a string, not an array, `maxTokens` is missing"
    )
    assert found(tape) == [("RPC024", "error", "server", (5,), message)]


def test_a_request_without_params_lacks_what_is_required() -> None:
    message = "client sent `tools/call` with params that do not fit: `name` is missing"
    assert found(begun().client(request(5, "tools/call"), 1)) == [
        ("RPC024", "error", "client", (5,), message)
    ]


def test_params_that_are_no_object_are_another_fault() -> None:
    assert found(begun().client(request(5, "tools/call") | {"params": ["x"]}, 1)) == []
    assert found(begun().client(request(5, "tools/call") | {"params": None}, 1)) == []


def test_a_notification_has_params_too() -> None:
    tape = begun().server(told("notifications/message", level=3), 1)
    message = (
        "server sent `notifications/message` with params that do not fit: "
        "`level` is a number, not a string, `data` is missing"
    )
    assert found(tape) == [("RPC024", "error", "server", (5,), message)]


def test_any_type_will_do_where_the_schema_has_none() -> None:
    assert found(begun().server(told("notifications/message", level="info", data=None), 1)) == []


def test_several_types_may_be_allowed() -> None:
    tape = begun().client(request(1, "tools/list"), 1).client(told("notifications/cancelled", requestId=1), 1)
    assert found(tape) == []
    tape = begun().client(told("notifications/cancelled", requestId=None), 1)
    assert found(tape)[0][4].endswith("`requestId` is null, not a string or a number")


@pytest.mark.parametrize(("version", "faulty"), [("2025-06-18", True), ("2025-11-25", False)])
def test_a_member_may_be_required_in_some_versions_only(version: str, faulty: bool) -> None:
    assert bool(found(begun(version).client(told("notifications/cancelled"), 1))) is faulty
    asks = request(1, "elicitation/create", message="Sure?", mode="url")
    assert bool(found(begun(version, {"elicitation": {}}).server(asks, 1))) is faulty


def test_nothing_is_told_of_a_version_or_a_direction_that_has_no_such_method() -> None:
    assert found(begun("2027-01-01").client(request(5, "tools/call"), 1)) == []
    assert found(begun("2025-06-18").client(request(5, "tasks/get"), 1)) == []
    assert found(begun().server(request(5, "tools/call"), 1).client(result(5), 1)) == []


def test_a_masked_value_has_no_type() -> None:
    asks = request(1, "sampling/createMessage", messages=[], maxTokens="[masked]")
    assert found(begun(client={"sampling": {}}).server(asks, 1)) == []


def test_equal_faults_are_one_finding_and_other_ones_another() -> None:
    tape = begun().client(request(5, "tools/call"), 1).client(request(6, "tools/call"), 1)
    tape.client(request(7, "tools/call", name=1), 1)
    assert [(each.records, each.count) for each in check(tape, rules=RULES)] == [((5, 6), 2), ((7,), 1)]


def test_the_error_that_answers_is_a_consequence_and_no_other() -> None:
    tape = begun().client(request(5, "resources/read"), 1).client(request(6, "resources/read", uri="x:y"), 1)
    tape.server(error(5, -32602), 2).server(error(6, -32002), 2)
    read, gone = check(closed(tape, 3))
    assert (read.rule, [each.records for each in read.consequences]) == ("RPC024", [(5, 7)])
    assert (gone.rule, gone.records) == ("RPC026", (6, 8))


def test_a_result_without_its_member_is_the_answerers_error() -> None:
    tape = begun().client(request(5, "tools/list"), 1).server(result(5, items=[]), 1.1)
    message = "server answered `tools/list` with a result that does not fit: `tools` is missing"
    assert found(tape) == [("RPC025", "error", "server", (5, 6), message)]


def test_the_client_answers_too() -> None:
    tape = begun(client={"roots": {}}).server(request(5, "roots/list"), 1).client(result(5, roots={}), 1.1)
    message = (
        "client answered `roots/list` with a result that does not fit: `roots` is an object, not an array"
    )
    assert found(tape) == [("RPC025", "error", "client", (5, 6), message)]


@pytest.mark.parametrize(
    "answer",
    [
        result(5, resultType="input_required", requestState="s"),
        result(5, task={"taskId": "t"}),
        error(5, -32602),
        {"jsonrpc": "2.0", "id": 5, "result": None},
        {"jsonrpc": "2.0", "id": 5, "result": []},
        result(5, contents=[]),
        result(5, contents="[masked]"),
    ],
)
def test_what_is_no_result_of_the_method_has_not_its_shape(answer: dict[str, Any]) -> None:
    assert found(begun().client(request(5, "resources/read", uri="x:y"), 1).server(answer, 1.1)) == []


def test_the_handshake_has_a_shape_and_its_version_is_told_elsewhere() -> None:
    offer = request(0, "initialize", protocolVersion="2025-11-25", capabilities={}, clientInfo={})
    tape = (
        Tape()
        .start()
        .client(offer, 0.1)
        .server(result(0, protocolVersion="2025-11-25", capabilities=[]), 0.2)
    )
    assert [each[4] for each in found(tape)] == [
        "server answered `initialize` with a result that does not fit: "
        "`capabilities` is an array, not an object, `serverInfo` is missing"
    ]
    assert found(Tape().start().client(offer, 0.1).server(result(0, protocolVersion="9"), 0.2)) == []
    assert names(check(Tape().start().client(offer, 0.1).server(result(0), 0.2), rules=RULES)) == ["RPC025"]


def test_a_result_of_the_new_era_is_read_by_its_own_version() -> None:
    tape = Tape().start().client(modern(1, "server/discover"), 0.1)
    tape.server(result(1, resultType="complete", supportedVersions=["2026-07-28"]), 0.2)
    assert [each[4] for each in found(tape)] == [
        "server answered `server/discover` with a result that does not fit: `capabilities` is missing"
    ]


def test_an_answer_to_what_may_not_be_asked_has_no_shape() -> None:
    assert found(begun().server(request(5, "tools/list"), 1).client(result(5), 1)) == []


def test_the_table_names_methods_that_exist_and_types_of_json() -> None:
    assert PARAMS.keys() | RESULTS.keys() | {method for method, _ in OPTIONAL_SINCE} <= METHODS.keys()
    assert all(METHODS[method].kind == "request" for method in RESULTS)
    kinds = {
        kind for shape in (*PARAMS.values(), *RESULTS.values()) for types in shape.values() for kind in types
    }
    assert kinds <= {"string", "number", "boolean", "object", "array", "null"}


def test_the_table_fits_what_real_servers_and_clients_say() -> None:
    told = {"params": 0, "results": 0}
    for path in sorted((RECORDINGS / "v1").glob("*.jsonl")):
        for item in Read(path).items:
            message, exchange = item.message, item.exchange
            for name in PARAMS.get(message.method or "", {}):
                told["params"] += 1
                assert name in message.params or (message.method, name) in OPTIONAL_SINCE, (path, message)
            if item.role == "answers" and message.kind == "response" and exchange is not None:
                for name in RESULTS.get(exchange.method, {}):
                    told["results"] += 1
                    assert name in message.value["result"], (path, message)
    assert min(told.values()) > 20
