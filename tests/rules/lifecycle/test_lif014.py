"""LIF014: initialize was cancelled."""

from __future__ import annotations

from tests.diagnosis.checking import begun, check, closed, facts
from tests.record_cases import Tape, told
from tests.rules.lifecycle.cases import INITIALIZED, LIF, agreed, call, found, offer


def test_a_cancelled_initialize_is_the_clients_error() -> None:
    tape = Tape().start().client(offer(), 0.1).client(told("notifications/cancelled", requestId=0), 20.1)
    tape.server(agreed(), 20.2).client(INITIALIZED, 20.3)
    assert found(closed(tape, 21)) == [("LIF014", "error", "client", (3,), "")]


def test_a_client_that_cancels_where_no_answer_came_has_a_cause() -> None:
    tape = Tape().start().client(offer(), 0.1).client(told("notifications/cancelled", requestId=0), 60.1)
    (finding,) = check(closed(tape, 60.2), rules=LIF)
    assert facts([finding]) == [("LIF010", "error", "undecided", (2,), "")]
    assert [each.rule for each in finding.consequences] == ["LIF014"]


def test_cancelling_something_else_or_what_is_answered_is_no_cancelled_initialize() -> None:
    tape = begun().client(told("notifications/cancelled", requestId=0), 0.3).client(call(5), 1)
    tape.client(told("notifications/cancelled", requestId=5), 2)
    tape.client(told("notifications/cancelled", requestId={"a": []}), 2)
    assert found(closed(tape, 3)) == []
