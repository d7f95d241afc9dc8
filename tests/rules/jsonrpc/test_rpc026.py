"""RPC026: request answered with an error."""

from __future__ import annotations

from typing import Any

import pytest

from mcp_tap.rules.jsonrpc.rpc026_request_failed import BAD_CURSOR, CODES, OF_A_METHOD, UNKNOWN_CODE
from tests.diagnosis.checking import begun, check, closed
from tests.record_cases import error, request, told
from tests.rules.jsonrpc.errors_cases import RULES, found, only, refused


def test_an_error_is_told_with_its_request_its_words_and_the_name_of_its_code() -> None:
    assert found(refused(-32602, "Unknown tool")) == [
        ("RPC026", "info", "undecided", (5, 6), "server tools/call export -32602")
    ]


def test_an_error_without_words_is_told_without() -> None:
    assert [each[4] for each in found(refused(-32603, ""))] == ["server tools/call export -32603"]
    assert [each[4] for each in found(refused(-32603, 7))] == ["server tools/call export -32603"]


def test_what_to_do_depends_on_the_code_and_the_method() -> None:
    assert only(refused(-32602)).next == OF_A_METHOD[-32602, "tools/call"]
    assert only(refused(-32602, method="completion/complete")).next == CODES[-32602][1]
    assert only(refused(-32602, method="tools/list", cursor="x")).next == BAD_CURSOR
    assert only(refused(-32002, method="resources/read", uri="x:y")).next == CODES[-32002][1]
    assert only(refused(-31000)).next == UNKNOWN_CODE[1]


def test_equal_errors_are_one_finding_and_another_tool_or_code_another() -> None:
    tape = begun()
    for id, name, code in ((5, "a", -32602), (6, "a", -32602), (7, "b", -32602), (8, "a", -32603)):
        tape.client(request(id, "tools/call", name=name), 1).server(error(id, code), 1)
    assert [(each.key, each.count) for each in check(closed(tape, 60), rules=RULES)] == [
        ("server tools/call a -32602", 2),
        ("server tools/call b -32602", 1),
        ("server tools/call a -32603", 1),
    ]


def test_the_client_refuses_too() -> None:
    tape = begun().server(request(1, "sampling/createMessage"), 1).client(error(1, -1, "User said no"), 2)
    assert found(tape) == [("RPC026", "info", "undecided", (5, 6), "client sampling/createMessage -1")]


def test_a_secret_in_an_error_or_a_uri_is_not_told() -> None:
    tape = refused(-32002, "no token=abc123secret", "resources/read", uri="https://me:hunter2@example.com/x")
    finding = only(tape)
    assert "hunter2" not in finding.message + finding.key


def test_an_error_that_nobody_waits_for_is_not_told() -> None:
    tape = begun().client(request(5, "tools/call", name="a"), 1)
    tape.client(told("notifications/cancelled", requestId=5), 2).server(error(5, 0, "Request cancelled"), 3)
    assert found(tape) == []
    tape = begun().client(request(5, "tools/call", name="a"), 1).event("eof", 2, stream="c2s")
    assert check(tape.server(error(5, -32000, "Connection closed"), 2.1), rules=RULES) == []


@pytest.mark.parametrize("code", ["-32602", None, True, -32602.5])
def test_a_code_that_is_no_integer_is_told_elsewhere(code: Any) -> None:
    assert found(refused(code)) == []


def test_an_error_that_is_no_object_is_told_elsewhere() -> None:
    tape = begun().client(request(5, "tools/list"), 1).server({"jsonrpc": "2.0", "id": 5, "error": "no"}, 1)
    assert found(tape) == []
