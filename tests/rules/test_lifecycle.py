"""LIF005, LIF006, LIF008, LIF014: who may say what when a session begins."""

from __future__ import annotations

import pytest

from tests.diagnosis.checking import begun, check, closed
from tests.record_cases import Tape, error, modern, request, result, told
from tests.rules.lif import INITIALIZED, LIF, agreed, call, found, offer, said


def half_begun() -> Tape:
    """initialize is answered, and no more."""
    return Tape().start().client(offer(), 0.1).server(agreed(), 0.2)


def test_initialized_from_the_server_is_the_servers_error() -> None:
    tape = half_begun().server(INITIALIZED, 0.3).client(INITIALIZED, 0.4)
    assert found(closed(tape, 1)) == [
        (
            "LIF005",
            "error",
            "server",
            (4,),
            "server sent notifications/initialized, which only the client sends",
        )
    ]


def test_a_server_that_asks_before_the_client_is_ready_is_warned_of() -> None:
    tape = half_begun().server(request(0, "roots/list"), 0.3).client(INITIALIZED, 0.4)
    assert found(closed(tape.client(result(0, roots=[]), 0.4), 1)) == [
        (
            "LIF006",
            "warning",
            "server",
            (4,),
            "server sent roots/list before the client had sent notifications/initialized",
        )
    ]


@pytest.mark.parametrize(
    "tape",
    [
        half_begun().server(request(0, "ping"), 0.3).client(result(0), 0.3).client(INITIALIZED, 0.4),
        half_begun().client(INITIALIZED, 0.3).server(request(0, "roots/list"), 0.3),
        half_begun().client(b"{torn", 0.3).server(request(0, "roots/list"), 0.3),
        half_begun().server(told("notifications/message", level="info", data="up"), 0.3),
    ],
    ids=["ping", "after initialized", "a line that may have been initialized", "a log message"],
)
def test_what_a_server_may_say_at_the_beginning_is_no_finding(tape: Tape) -> None:
    if b"roots/list" in tape.lines[-1]:
        tape.client(result(0, roots=[]), 0.4)
    assert "LIF006" not in [each[0] for each in found(closed(tape, 1))]


def test_a_server_is_not_blamed_where_the_client_works_without_initialized() -> None:
    tape = half_begun().client(call(1), 0.3).server(request(0, "roots/list"), 0.3)
    tape.client(result(0, roots=[]), 0.4).server(said(1), 0.5)
    assert [each[0] for each in found(closed(tape, 1))] == ["LIF003"]


def test_a_server_that_asks_early_is_not_blamed_where_something_is_missing() -> None:
    tape = half_begun().event("gap", 0.25, records=1, bytes=9, reason="full")
    tape.server(request(0, "roots/list"), 0.3).client(result(0, roots=[]), 0.4)
    assert found(closed(tape, 1)) == []


def test_a_request_that_came_too_early_explains_why_it_was_never_answered() -> None:
    tape = half_begun().server(request(0, "roots/list"), 0.3).client(INITIALIZED, 0.4)
    (finding,) = check(closed(tape, 30), rules=LIF)
    assert finding.rule == "LIF006"
    assert sorted(each.rule for each in finding.consequences) == ["LIF017", "LIF021"]


def test_a_second_initialize_is_the_clients_error_and_explains_the_refusal() -> None:
    tape = begun().client(offer(7), 5).server(error(7, -32600, "already initialized"), 5.1)
    (finding,) = check(closed(tape, 6), rules=LIF)
    assert (finding.rule, finding.severity, finding.culprit, finding.records, finding.message) == (
        "LIF008",
        "error",
        "client",
        (5,),
        "client sent initialize again, 4.90 s after the first",
    )
    assert [each.rule for each in finding.consequences] == ["LIF009"]


def test_another_try_after_a_refusal_is_no_second_initialize() -> None:
    tape = Tape().start().client(offer(), 0.1).server(error(0, -32602, "version"), 0.2)
    tape.client(offer(1, "2024-11-05"), 0.3).server(agreed(1, "2024-11-05"), 0.4).client(INITIALIZED, 0.4)
    assert [each[:2] for each in found(closed(tape, 1))] == [("LIF009", "warning")]


def test_an_initialize_of_the_server_is_not_the_clients_second() -> None:
    tape = begun().server(offer(0), 1).client(error(0, -32601), 1.1)
    assert "LIF008" not in [each[0] for each in found(closed(tape, 2))]


def test_a_cancelled_initialize_is_the_clients_error() -> None:
    tape = Tape().start().client(offer(), 0.1).client(told("notifications/cancelled", requestId=0), 20.1)
    tape.server(agreed(), 20.2).client(INITIALIZED, 20.3)
    assert found(closed(tape, 21)) == [
        ("LIF014", "error", "client", (3,), "client cancelled initialize after 20.0 s")
    ]


def test_a_client_that_cancels_where_no_answer_came_has_a_cause() -> None:
    tape = Tape().start().client(offer(), 0.1).client(told("notifications/cancelled", requestId=0), 60.1)
    (finding,) = check(closed(tape, 60.2), rules=LIF)
    assert (finding.rule, finding.message) == (
        "LIF010",
        "initialize was not answered: nothing on stdout for 60.0 s, then the client cancelled it",
    )
    assert [each.rule for each in finding.consequences] == ["LIF014"]


def test_cancelling_something_else_or_what_is_answered_is_no_cancelled_initialize() -> None:
    tape = begun().client(told("notifications/cancelled", requestId=0), 0.3).client(call(5), 1)
    tape.client(told("notifications/cancelled", requestId=5), 2)
    tape.client(told("notifications/cancelled", requestId={"a": []}), 2)
    assert found(closed(tape, 3)) == []


def test_the_modern_era_knows_neither_handshake_nor_its_rules() -> None:
    tape = Tape().start().client(modern(1, "tools/list"), 0.1)
    tape.server(result(1, tools=[], resultType="complete"), 0.2).server(INITIALIZED, 0.3)
    assert found(closed(tape, 1)) == []
