"""LIF024: server blocked."""

from __future__ import annotations

import pytest

from tests.diagnosis.checking import begun, check, closed, facts
from tests.record_cases import Tape, request, result, told
from tests.recordings.cases import CASES
from tests.rules.lifecycle.cases import LIF, call, found, loud, offer


def test_a_server_that_says_nothing_since_one_request_is_blocked() -> None:
    (finding,) = check(CASES["A29"](), rules=LIF)
    assert facts([finding]) == [("LIF024", "error", "undecided", (5, 6), "tools/call")]
    assert sorted(each.rule for each in finding.consequences) == ["LIF017", "LIF018"]


def test_a_silence_of_seconds_is_a_warning() -> None:
    tape = begun().client(call(3), 1).client(request(4, "ping"), 3)
    assert [each[:3] for each in found(closed(tape, 21))] == [("LIF024", "warning", "undecided")]


def test_requests_that_the_client_has_given_up_count_too() -> None:
    tape = begun().client(call(3), 1).client(told("notifications/cancelled", requestId=3), 61)
    tape.client(call(4), 62).client(told("notifications/cancelled", requestId=4), 122).client(call(5), 123)
    (blocked,) = [each for each in found(closed(tape, 130)) if each[0] == "LIF024"]
    assert blocked == ("LIF024", "error", "undecided", (5, 7, 9), "tools/call")


def test_a_recording_without_its_end_shows_it_once_the_client_has_left() -> None:
    tape = begun().client(call(3), 1).client(request(4, "ping"), 3).event("eof", 60, stream="c2s")
    assert [each[:2] for each in found(tape)] == [("LIF024", "error")]


@pytest.mark.parametrize(
    "tape",
    [
        closed(begun().client(call(3), 1).client(request(4, "ping"), 30).server(result(4), 30.1), 90),
        closed(begun().client(call(3), 1).client(call(4), 1.5), 90),
        closed(begun().client(call(3), 1).client(request(4, "ping"), 85.5), 90),
        closed(begun().client(call(3), 1).client(request(4, "ping"), 3), 10.5),
        closed(begun().client(request(None, "tools/list"), 1).client(request(None, "prompts/list"), 30), 90),
        closed(begun(server={}).client(request(3, "x/y"), 1).client(request(4, "prompts/list"), 30), 90),
        closed(begun().client(call(3), 1).server(request(0, "roots/list"), 2).client(call(4), 9), 90),
        begun().client(call(3), 1).client(request(4, "ping"), 30),
        closed(begun().client(call(3), 1).client(request(4, "ping"), 30).event("limit", 31, bytes=1), 90),
        begun()
        .client(call(3), 1)
        .client(request(4, "ping"), 30)
        .event("eof", 90, stream="s2c")
        .event("eof", 90.1, stream="c2s")
        .exit(90.2, "server-exit", 1),
        closed(Tape().start().client(offer(), 1).client(request(4, "ping"), 30), 90),
    ],
    ids=[
        "the ping is answered",
        "two requests of one time",
        "the later one had no time",
        "a short silence",
        "requests that servers ignore",
        "a method that the server does not offer",
        "the server waits for the client",
        "no end",
        "the limit",
        "the server left",
        "the server never spoke",
    ],
)
def test_a_silent_server_is_not_called_blocked_where_it_need_not_be(tape: Tape) -> None:
    assert "LIF024" not in [each[0] for each in found(tape)]


@pytest.mark.parametrize("name", ["A12", "A16"])
def test_requests_that_servers_ignore_are_not_taken_for_a_block(name: str) -> None:
    assert {each[0] for each in loud(CASES[name]())} == {"LIF017"}
