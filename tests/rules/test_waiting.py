"""LIF017, LIF018, LIF021: requests that were not answered, or late."""

from __future__ import annotations

from typing import Any

import pytest

from mcp_tap.wire.lines import Segment
from tests.diagnosis.checking import begun, check, closed
from tests.diagnosis.checking import told as told_of
from tests.record_cases import Tape, error, modern, request, result, told
from tests.recordings.cases import CASES
from tests.rules.lif import LIF, call, found, said

CANCELLED = told("notifications/cancelled", requestId=5)
"""The client does not wait for the answer to 5 any more."""


def test_a_call_open_for_long_when_the_client_leaves_blames_nobody() -> None:
    assert found(closed(begun().client(call(5), 1), 61)) == [
        (
            "LIF017",
            "warning",
            "undecided",
            (5,),
            "server had not answered tools/call export (id 5) after 60.0 s, when the client closed stdin",
        )
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
    ((_, severity, culprit, records, message),) = found(closed(tape, 61))
    assert (severity, culprit, records) == ("warning", "server", (5, 6, 7))
    assert message == (
        "3 requests of tools/call a without an answer: server had not answered tools/call a (id 0) "
        "after 60.0 s, when the client closed stdin"
    )


def test_ids_are_shown_with_their_type() -> None:
    (message,) = [each[4] for each in found(closed(begun().client(call("5"), 1), 61))]
    assert '(id "5")' in message


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
    (message,) = [each[4] for each in found(begun().client(call(5), 1).exit(61, "client-eof"))]
    assert message == "server had not answered tools/call export (id 5) after 60.0 s, when the session ended"


def test_a_torn_record_may_have_been_the_answer() -> None:
    tape = begun().client(call(5), 1)
    tape.seq += 1
    assert found(closed(tape, 61)) == []


@pytest.mark.parametrize("name", ["A10", "A20", "A25"])
def test_what_was_cancelled_or_came_late_is_not_called_unanswered(name: str) -> None:
    assert found(CASES[name]()) == []


def test_a_ping_that_is_answered_late_is_a_warning() -> None:
    tape = begun().client(request(5, "ping"), 1).server(result(5), 7)
    tape.client(request(6, "ping"), 10).server(result(6), 19).client(request(7, "ping"), 20)
    assert found(closed(tape.server(result(7), 28), 30)) == [
        (
            "LIF018",
            "warning",
            "server",
            (5, 6, 7, 8, 9, 10),
            "3 pings answered late or not at all; the worst: server answered a ping after 9.00 s",
        )
    ]


def test_a_client_that_answers_a_ping_late_is_at_fault() -> None:
    tape = begun().server(request(5, "ping"), 1).client(result(5), 7)
    assert found(closed(tape, 8)) == [
        ("LIF018", "warning", "client", (5, 6), "client answered a ping after 6.00 s")
    ]


def test_a_ping_without_an_answer_is_a_warning() -> None:
    tape = begun().server(request(5, "ping"), 1)
    assert found(closed(tape, 9)) == [
        (
            "LIF018",
            "warning",
            "client",
            (5,),
            "client had not answered a ping after 8.00 s, when the client closed stdin",
        )
    ]


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


def test_a_client_that_does_not_answer_keeps_the_call_waiting() -> None:
    (finding,) = check(CASES["A17"](), rules=LIF)
    assert told_of([finding]) == [
        (
            "LIF021",
            "error",
            "client",
            (5, 6),
            "roots/list from the server got no reply for 60.0 s while tools/call index waited",
        )
    ]


def asked(method: str = "roots/list", until: float = 61.5, **params: Any) -> Tape:
    """The server asks within a call, and is not answered."""
    tape = begun(client={"roots": {}}).client(call(5), 1).server(request(0, method, **params), 1.5)
    return closed(tape, until)


def test_a_call_that_waits_for_the_client_to_the_end_is_a_consequence() -> None:
    (finding,) = check(asked(), rules=LIF)
    assert finding.message == (
        "roots/list from the server got no reply for 60.0 s while tools/call export waited"
    )
    assert {each.rule for each in finding.consequences} == {"LIF017"}


def test_a_client_that_cancels_the_call_has_kept_it_waiting_till_then() -> None:
    tape = begun().client(call(5), 1).server(request(0, "roots/list"), 1.5)
    tape.client(told("notifications/cancelled", requestId=5), 31.5)
    (finding,) = check(closed(tape, 62), rules=LIF)
    assert finding.message.startswith("roots/list from the server got no reply for 30.0 s while")


def test_a_question_outside_a_call_is_a_warning() -> None:
    tape = closed(begun().server(request(0, "roots/list"), 1), 31)
    assert found(tape) == [
        ("LIF021", "warning", "client", (5,), "roots/list from the server got no reply for 30.0 s")
    ]


@pytest.mark.parametrize("method", ["elicitation/create", "sampling/createMessage"])
def test_what_the_user_is_asked_for_may_take_its_time(method: str) -> None:
    assert [each[:3] for each in found(asked(method))] == [("LIF021", "info", "undecided")]


def test_a_client_that_leaves_soon_is_information() -> None:
    assert [each[:2] for each in found(asked(until=5))] == [("LIF017", "info"), ("LIF017", "info")]


@pytest.mark.parametrize(
    "tape",
    [
        closed(begun().client(call(5), 1).server(request(0, "roots/list"), 2).client(error(0, -32601), 2), 9),
        closed(
            begun()
            .server(request(0, "roots/list"), 1)
            .server(told("notifications/cancelled", requestId=0), 20),
            61,
        ),
        begun().server(request(0, "roots/list"), 1),
        closed(begun().server(request(0, "roots/list"), 1).event("limit", 2, bytes=1), 61),
        closed(
            Tape()
            .start()
            .client(modern(1, "tools/list"), 0.1)
            .server(result(1, tools=[], resultType="complete"), 0.2)
            .server(request(0, "roots/list"), 1),
            61,
        ),
    ],
    ids=["refused", "cancelled", "no end", "the limit", "the modern era, where it is forbidden"],
)
def test_no_answer_of_the_client_is_no_finding_where_none_is_due(tape: Tape) -> None:
    assert "LIF021" not in [each[0] for each in found(tape)]
    assert "warning" not in [each[1] for each in found(tape)]


def test_a_server_that_ends_the_session_has_been_kept_waiting_all_the_same() -> None:
    tape = begun().client(call(5), 1).server(request(0, "roots/list"), 1.5)
    tape.event("eof", 31.5, stream="s2c").exit(31.5, "server-exit", 1)
    assert [each[:2] for each in found(tape)] == [("LIF021", "error")]
