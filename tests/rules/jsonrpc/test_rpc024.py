"""RPC024: params do not match the schema."""

from __future__ import annotations

import pytest

from tests.diagnosis.checking import begun, check, closed
from tests.record_cases import error, request, result, told
from tests.rules.jsonrpc.shapes_cases import RULES, found


def test_a_member_that_is_missing_and_one_of_another_type_are_told_together() -> None:
    tape = begun(client={"sampling": {}}).server(request(5, "sampling/createMessage", messages="hello"), 1)
    assert found(tape) == [
        (
            "RPC024",
            "error",
            "server",
            (5,),
            "sampling/createMessage: `messages` is a string, not an array, `maxTokens` is missing",
        )
    ]


def test_a_request_without_params_lacks_what_is_required() -> None:
    assert found(begun().client(request(5, "tools/call"), 1)) == [
        ("RPC024", "error", "client", (5,), "tools/call: `name` is missing")
    ]


def test_params_that_are_no_object_are_another_fault() -> None:
    assert found(begun().client(request(5, "tools/call") | {"params": ["x"]}, 1)) == []
    assert found(begun().client(request(5, "tools/call") | {"params": None}, 1)) == []


def test_a_notification_has_params_too() -> None:
    tape = begun().server(told("notifications/message", level=3), 1)
    assert found(tape) == [
        (
            "RPC024",
            "error",
            "server",
            (5,),
            "notifications/message: `level` is a number, not a string, `data` is missing",
        )
    ]


def test_any_type_will_do_where_the_schema_has_none() -> None:
    assert found(begun().server(told("notifications/message", level="info", data=None), 1)) == []


def test_several_types_may_be_allowed() -> None:
    tape = begun().client(request(1, "tools/list"), 1).client(told("notifications/cancelled", requestId=1), 1)
    assert found(tape) == []
    tape = begun().client(told("notifications/cancelled", requestId=None), 1)
    assert [each[:2] for each in found(tape)] == [("RPC024", "error")]


@pytest.mark.parametrize(("version", "faulty"), [("2025-06-18", True), ("2025-11-25", False)])
def test_a_member_may_be_required_in_some_versions_only(version: str, faulty: bool) -> None:
    assert bool(found(begun(version).client(told("notifications/cancelled"), 1))) is faulty
    asks = request(1, "elicitation/create", message="Sure?", mode="url", url="https://a.example")
    asks["params"]["elicitationId"] = "e"
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


def test_a_request_that_the_peer_lets_pass_is_a_warning() -> None:
    tape = begun().client(request(5, "tools/list", cursor=None), 1).server(result(5, tools=[]), 1.1)
    assert found(tape) == [
        ("RPC024", "warning", "client", (5,), "tools/list: `cursor` is null, not a string")
    ]
    tape.client(request(6, "tools/list", cursor=None), 2).server(error(6, -32602), 2.1)
    assert [each[:2] for each in found(tape)] == [("RPC024", "error")]


def test_members_that_the_version_does_not_know_are_no_fault() -> None:
    tape = begun("2024-11-05").client(request(1, "tools/list", more=None), 1)
    tape.server(result(1, tools=[{"name": "a", "inputSchema": {"type": "object"}, "annotations": None}]), 1.1)
    assert found(tape) == []
