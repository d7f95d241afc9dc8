"""LIF017: request never answered."""

from __future__ import annotations

import pytest

from mcp_tap.wire.lines import Segment
from tests.diagnosis.checking import begun, closed
from tests.record_cases import Tape, modern, request, result, told
from tests.recordings.cases import CASES
from tests.rules.lifecycle.cases import call, found, said


def test_a_call_open_for_long_when_the_client_leaves_blames_nobody() -> None:
    assert found(closed(begun().client(call(5), 1), 61)) == [
        ("LIF017", "warning", "undecided", (5,), "tools/call export")
    ]


def test_a_server_that_went_on_answering_is_at_fault() -> None:
    tape = begun().client(call(5), 1).client(request(6, "ping"), 2).server(result(6), 2.1)
    assert [each[:4] for each in found(closed(tape, 61))] == [("LIF017", "warning", "server", (5,))]


def test_an_answer_to_an_earlier_request_is_no_going_on() -> None:
    tape = begun().client(call(4), 1).client(call(5), 2).server(said(4), 3)
    assert [each[:4] for each in found(closed(tape, 61))] == [("LIF017", "warning", "undecided", (6,))]


def test_answers_after_the_client_has_left_are_no_going_on() -> None:
    tape = begun().client(call(5), 1).client(call(6, "other"), 2).event("eof", 61, stream="c2s")
    tape.server(said(6), 61.1).exit(61.2, "client-eof")
    assert [each[:3] for each in found(tape)] == [("LIF017", "warning", "undecided")]


@pytest.mark.parametrize("open_for", [0.5, 5])
def test_a_client_that_leaves_while_a_call_is_running_is_information(open_for: float) -> None:
    tape = begun().client(call(5), 1).client(request(6, "ping"), 1).server(result(6), 1.01)
    assert [each[:3] for each in found(closed(tape, 1 + open_for))] == [("LIF017", "info", "undecided")]


def test_what_is_sent_just_before_the_client_leaves_is_no_finding() -> None:
    assert found(closed(begun().client(call(5), 1), 1.04)) == []


def test_a_call_that_reports_progress_is_at_work() -> None:
    tape = begun().client(call(5, _meta={"progressToken": 5}), 1)
    tape.server(told("notifications/progress", progressToken=5, progress=1), 2)
    assert [each[:3] for each in found(closed(tape, 61))] == [("LIF017", "info", "undecided")]


def test_waiting_for_a_tasks_result_is_what_it_is_for() -> None:
    tape = begun().client(request(5, "tasks/result", taskId="t"), 1)
    assert [each[:2] for each in found(closed(tape, 61))] == [("LIF017", "info")]


def test_requests_of_one_kind_are_one_finding_that_names_the_longest() -> None:
    tape = begun()
    for number in range(3):
        tape.client(call(number, "a"), 1 + number)
    tape.client(call("x", "b"), 5).server(said("x"), 5.1)
    assert found(closed(tape, 61)) == [("LIF017", "warning", "server", (5, 6, 7), "tools/call a")]


def test_ids_are_shown_with_their_type() -> None:
    assert found(closed(begun().client(call("5"), 1), 61)) == [
        ("LIF017", "warning", "undecided", (5,), "tools/call export")
    ]


@pytest.mark.parametrize(
    "tape",
    [
        closed(begun().client(call(5), 1).client(told("notifications/cancelled", requestId=5), 31), 61),
        closed(begun().client(modern(5, "subscriptions/listen", notifications={}), 1), 61),
        begun().client(call(5), 1),
        closed(begun().client(call(5), 1).event("gap", 30, records=1, bytes=9, reason="full"), 61),
        closed(begun().client(call(5), 1).event("limit", 30, bytes=9), 61),
        closed(begun().client(call(5), 1).line("s2c", Segment((b'{"id":5',), more=True), 60), 61),
        begun().client(call(5), 1).event("eof", 30, stream="s2c").exit(30, "server-exit", 1),
        begun().client(call(5), 1).exit(30, "no such word"),
    ],
    ids=[
        "cancelled",
        "a subscription",
        "no end",
        "a gap",
        "the limit",
        "half an answer",
        "the server left",
        "an unknown end",
    ],
)
def test_no_answer_proves_nothing_where_it_is_not_expected_or_not_on_file(tape: Tape) -> None:
    assert found(tape) == []


def test_a_session_that_the_client_ended_in_a_way_not_on_file_is_told_of_as_ended() -> None:
    tape = begun().client(call(5), 1).exit(61, "client-eof")
    assert found(tape) == [("LIF017", "warning", "undecided", (5,), "tools/call export")]


def test_a_torn_record_may_have_been_the_answer() -> None:
    tape = begun().client(call(5), 1)
    tape.seq += 1
    assert found(closed(tape, 61)) == []


@pytest.mark.parametrize("name", ["A10", "A20", "A25"])
def test_what_was_cancelled_or_came_late_is_not_called_unanswered(name: str) -> None:
    assert found(CASES[name]()) == []
