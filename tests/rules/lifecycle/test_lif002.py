"""LIF002: request before the result of initialize."""

from __future__ import annotations

from tests.diagnosis.checking import check, closed, facts
from tests.record_cases import Tape, error, request, result
from tests.rules.lifecycle.cases import INITIALIZED, LIF, agreed, call, found, offer, said


def test_a_request_before_the_result_is_a_warning_where_it_is_answered() -> None:
    tape = Tape().start().client(offer(), 0.1).client(call(1), 0.2).server(agreed(), 0.3)
    tape.client(INITIALIZED, 0.3).server(said(1), 0.4)
    assert found(closed(tape, 1)) == [("LIF002", "warning", "client", (3,), "")]


def test_a_request_before_the_result_is_an_error_where_it_is_refused() -> None:
    tape = Tape().start().client(offer(), 0.1).client(call(1), 0.2).server(agreed(), 0.3)
    tape.client(INITIALIZED, 0.3).server(error(1, -32600), 0.4)
    (finding,) = check(closed(tape, 1), rules=LIF)
    assert facts([finding]) == [("LIF002", "error", "client", (3,), "")]


def test_a_ping_may_come_before_the_result() -> None:
    tape = Tape().start().client(offer(), 0.1).client(request(1, "ping"), 0.2).server(agreed(), 0.3)
    tape.server(result(1), 0.3).client(INITIALIZED, 0.3)
    assert found(closed(tape, 1)) == []


def test_where_initialize_is_never_answered_the_client_is_not_blamed_for_the_silence() -> None:
    tape = Tape().start().client(offer(), 0.1).client(call(1), 0.2)
    findings = check(closed(tape, 31), rules=LIF)
    assert [(each.rule, each.severity) for each in findings] == [("LIF010", "error"), ("LIF002", "warning")]
    assert [each.rule for each in findings[0].consequences] == ["LIF017"]
