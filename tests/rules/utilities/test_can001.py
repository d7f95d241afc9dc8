"""CAN001: cancellation of a request that is not open."""

from __future__ import annotations

from typing import Any

import pytest

from tests.diagnosis.checking import begun
from tests.record_cases import Tape, modern, result, told
from tests.rules.utilities.cancellation_cases import called, cancel, found


def test_a_cancellation_of_what_was_never_sent_is_a_warning() -> None:
    assert found(begun().client(cancel(9), 1)) == [("CAN001", "warning", "client", (5,), "unknown")]


def test_an_id_of_another_type_cancels_nothing() -> None:
    assert [each[4] for each in found(called().client(cancel("5"), 2))] == ["unknown"]


def test_a_cancellation_long_after_the_answer_is_a_warning_and_a_race_is_not() -> None:
    tape = called().server(result(5, content=[]), 2)
    assert found(tape.client(cancel(5), 2.9)) == []
    assert found(tape.client(cancel(5), 4)) == [("CAN001", "warning", "client", (5, 8), "answered")]


def test_only_who_has_sent_a_request_can_cancel_it() -> None:
    assert found(called().server(cancel(5), 2)) == [
        ("CAN001", "warning", "server", (6,), "of the other side")
    ]


def test_a_server_may_end_a_subscription_and_a_client_too() -> None:
    tape = Tape().start().client(modern(1, "subscriptions/listen", notifications={}), 0.1)
    assert found(tape.server(cancel(1), 1)) == []
    tape = Tape().start().client(modern(1, "subscriptions/listen", notifications={}), 0.1)
    assert found(tape.client(cancel(1), 1)) == []


@pytest.mark.parametrize("id", [None, True, {}, "[masked]"])
def test_what_can_name_no_request_is_told_elsewhere(id: Any) -> None:
    assert found(begun().client(cancel(id), 1)) == []


def test_a_cancellation_without_an_id_is_told_elsewhere() -> None:
    assert found(begun().client(told("notifications/cancelled"), 1)) == []


@pytest.mark.parametrize(
    "tape",
    [
        Tape().client(cancel(9), 1),
        Tape().start().event("gap", 0.5, reason="disk full").client(cancel(9), 1),
        Tape().start().event("limit", 0.5, bytes=1000).client(cancel(9), 1),
        Tape().start().client(b'{"id":9,"method":"tools/list","params":{"x":NaN}}', 0.5).client(cancel(9), 1),
    ],
)
def test_a_request_is_not_unknown_that_may_be_missing_or_could_not_be_read(tape: Tape) -> None:
    assert found(tape) == []


def test_a_missing_record_may_have_been_the_request() -> None:
    tape = begun()
    tape.seq += 1
    assert found(tape.client(cancel(9), 1)) == []
