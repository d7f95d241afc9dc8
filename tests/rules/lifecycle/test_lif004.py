"""LIF004: requests before notifications/initialized."""

from __future__ import annotations

from tests.diagnosis.checking import closed
from tests.record_cases import error, request, result
from tests.rules.lifecycle.cases import INITIALIZED, call, found, said
from tests.rules.lifecycle.early_cases import handshake_without_the_end


def test_requests_before_initialized_are_a_warning_where_they_are_answered() -> None:
    tape = handshake_without_the_end().client(call(1), 0.3).client(INITIALIZED, 0.4).server(said(1), 0.5)
    assert found(closed(tape, 1)) == [("LIF004", "warning", "client", (4,), "")]


def test_requests_before_initialized_are_an_error_where_they_are_refused() -> None:
    tape = handshake_without_the_end().client(call(1), 0.3).client(INITIALIZED, 0.4)
    tape.server(error(1, -32602, "Invalid request parameters"), 0.5)
    assert found(closed(tape, 1)) == [("LIF004", "error", "client", (4,), "")]


def test_an_error_without_a_code_is_an_error_too() -> None:
    tape = handshake_without_the_end().client(call(1), 0.3).client(INITIALIZED, 0.4)
    tape.server({"jsonrpc": "2.0", "id": 1, "error": "no"}, 0.5)
    assert [each[:2] for each in found(closed(tape, 1))] == [("LIF004", "error")]


def test_pings_need_no_initialized() -> None:
    tape = handshake_without_the_end().client(request(1, "ping"), 0.3).server(result(1), 0.3)
    assert found(closed(tape, 1)) == []
