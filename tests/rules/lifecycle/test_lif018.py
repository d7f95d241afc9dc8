"""LIF018: ping not answered promptly."""

from __future__ import annotations

import pytest

from tests.diagnosis.checking import begun, closed
from tests.record_cases import Tape, request, result, told
from tests.rules.lifecycle.cases import found

CANCELLED = told("notifications/cancelled", requestId=5)
"""The client does not wait for the answer to 5 any more."""


def test_a_ping_that_is_answered_late_is_a_warning() -> None:
    tape = begun().client(request(5, "ping"), 1).server(result(5), 7)
    tape.client(request(6, "ping"), 10).server(result(6), 19).client(request(7, "ping"), 20)
    assert found(closed(tape.server(result(7), 28), 30)) == [
        ("LIF018", "warning", "server", (5, 6, 7, 8, 9, 10), "server")
    ]


def test_a_client_that_answers_a_ping_late_is_at_fault() -> None:
    tape = begun().server(request(5, "ping"), 1).client(result(5), 7)
    assert found(closed(tape, 8)) == [("LIF018", "warning", "client", (5, 6), "client")]


def test_a_ping_without_an_answer_is_a_warning() -> None:
    tape = begun().server(request(5, "ping"), 1)
    assert found(closed(tape, 9)) == [("LIF018", "warning", "client", (5,), "client")]


@pytest.mark.parametrize(
    "tape",
    [
        closed(begun().client(request(5, "ping"), 1).server(result(5), 5.9), 7),
        closed(begun().client(request(5, "ping"), 1), 5.9),
        closed(begun().client(request(5, "ping"), 1).client(CANCELLED, 5), 9),
        closed(begun().client(request(5, "ping"), 1).client(CANCELLED, 2).server(result(5), 9), 9.5),
    ],
    ids=["in time", "the client leaves", "cancelled", "cancelled and answered"],
)
def test_a_ping_in_time_or_not_waited_for_is_no_finding(tape: Tape) -> None:
    assert found(tape) == []


def test_a_ping_while_the_server_starts_is_not_late() -> None:
    tape = Tape().start().client(request(9, "ping"), 0.1).server(result(9), 8)
    assert found(closed(tape, 8.1)) == []
