"""LIF021: client never answered the server's request."""

from __future__ import annotations

from typing import Any

import pytest

from tests.diagnosis.checking import begun, check, closed, facts
from tests.record_cases import Tape, error, modern, request, result, told
from tests.recordings.cases import CASES
from tests.rules.lifecycle.cases import LIF, call, found


def test_a_client_that_does_not_answer_keeps_the_call_waiting() -> None:
    (finding,) = check(CASES["A17"](), rules=LIF)
    assert facts([finding]) == [("LIF021", "error", "client", (5, 6), "roots/list")]


def asked(method: str = "roots/list", until: float = 61.5, **params: Any) -> Tape:
    """The server asks within a call, and is not answered."""
    tape = begun(client={"roots": {}}).client(call(5), 1).server(request(0, method, **params), 1.5)
    return closed(tape, until)


def test_a_call_that_waits_for_the_client_to_the_end_is_a_consequence() -> None:
    (finding,) = check(asked(), rules=LIF)
    assert [each[4] for each in facts([finding])] == ["roots/list"]
    assert {each.rule for each in finding.consequences} == {"LIF017"}


def test_a_client_that_cancels_the_call_has_kept_it_waiting_till_then() -> None:
    tape = begun().client(call(5), 1).server(request(0, "roots/list"), 1.5)
    tape.client(told("notifications/cancelled", requestId=5), 31.5)
    (finding,) = check(closed(tape, 62), rules=LIF)
    assert [each[4] for each in facts([finding])] == ["roots/list"]


def test_a_question_outside_a_call_is_a_warning() -> None:
    tape = closed(begun().server(request(0, "roots/list"), 1), 31)
    assert found(tape) == [("LIF021", "warning", "client", (5,), "roots/list")]


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
