"""RPC023: method sent in the wrong direction."""

from __future__ import annotations

from tests.diagnosis.checking import begun, check, closed, names
from tests.record_cases import request, result, told
from tests.rules.jsonrpc.methods_cases import RULES, found


def test_a_request_of_the_wrong_side_is_an_error_at_once() -> None:
    tape = begun().server(request(5, "tools/list"), 1)
    assert found(tape) == [("RPC023", "error", "server", (5,), "server tools/list")]
    assert names(check(closed(tape.client(result(5, tools=[]), 2), 3), rules=RULES)) == ["RPC023"]


def test_a_notification_of_the_wrong_side_is_an_error() -> None:
    tape = begun().client(told("notifications/tools/list_changed"), 1)
    assert found(closed(tape, 2)) == [
        ("RPC023", "error", "client", (5,), "client notifications/tools/list_changed")
    ]


def test_what_either_side_may_send_is_no_fault_and_initialized_is_told_elsewhere() -> None:
    tape = begun().server(request(1, "ping"), 1).client(result(1), 1)
    tape.server(told("notifications/initialized"), 2)
    assert found(closed(tape, 3)) == []
