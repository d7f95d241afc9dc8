"""LIF022 to LIF024: servers that fall silent, or speak in bursts."""

from __future__ import annotations

from typing import Any

import pytest

from tests.diagnosis.checking import begun, check, closed
from tests.diagnosis.checking import told as told_of
from tests.record_cases import Tape, request, result, told
from tests.recordings.cases import CASES
from tests.rules.lif import INITIALIZED, LIF, agreed, call, found, loud, offer, said


def test_answers_in_two_bursts_look_block_buffered() -> None:
    (finding,) = check(CASES["A09"](), rules=LIF)
    assert told_of([finding]) == [
        (
            "LIF022",
            "warning",
            "server",
            (2, 4, 3, 5, 7, 10, 8, 11, 9, 12),
            "answers came in 2 bursts, 3 of them together, 4.90 s after the first request: "
            "stdout looks block-buffered",
        )
    ]
    assert finding.certainty == "heuristic"


def starts_in_a_burst() -> Tape:
    """initialize is answered together with a later ping."""
    tape = Tape().start().client(offer(), 0.1).client(request(1, "ping"), 5)
    return tape.server(agreed(), 5.01).server(result(1), 5.01).client(INITIALIZED, 5.1)


def test_one_burst_is_no_proof() -> None:
    assert found(closed(starts_in_a_burst(), 6)) == []


def test_a_prompt_answer_shows_that_nothing_is_held_back() -> None:
    tape = starts_in_a_burst().client(call(2), 6).server(said(2), 6.01)
    tape.client(call(3), 7).client(call(4), 9).server(said(3), 9.01).server(said(4), 9.01)
    assert found(closed(tape, 10)) == []


def test_calls_that_queue_up_behind_a_slow_one_are_no_bursts() -> None:
    tape = Tape().start().client(offer(), 0.1).server(agreed(), 2).client(INITIALIZED, 2)
    for start in (3, 13):
        tape.client(call(start), start).client(call(start + 1), start + 1).client(call(start + 2), start + 2)
        for number in range(3):
            tape.server(said(start + number), start + 6)
    assert found(closed(tape, 20)) == []


def test_calls_of_one_time_that_end_together_are_no_burst() -> None:
    tape = starts_in_a_burst().client(call(2), 6).client(call(3), 6).server(said(2), 9).server(said(3), 9)
    assert found(closed(tape, 10)) == []


def test_a_call_that_waits_for_what_another_one_brings_is_no_burst() -> None:
    tape = begun()
    for start in (1, 11):
        tape.client(call(start, "receive"), start).client(call(start + 1, "send"), start + 5)
        tape.server(said(start), start + 5.01).server(said(start + 1), start + 5.01)
    assert found(closed(tape, 20)) == []


def test_what_waited_for_the_client_was_not_held_back() -> None:
    tape = starts_in_a_burst().client(call(2), 6).server(request(0, "elicitation/create"), 6.1)
    tape.client(result(0, action="accept"), 9).client(call(3), 9).server(said(2), 9.01).server(said(3), 9.01)
    assert found(closed(tape, 10)) == []


def test_bursts_prove_nothing_where_records_are_missing() -> None:
    tape = starts_in_a_burst().event("gap", 5.5, records=3, bytes=900, reason="full")
    tape.client(call(3), 7).client(call(4), 9).server(said(3), 9.01).server(said(4), 9.01)
    assert found(closed(tape, 10)) == []


def given_up(answers: float, ends: float, *lines: Any) -> Tape:
    """The client gives up after 30 s, and the server's answers come then."""
    tape = Tape().start().client(offer(), 0.1).event("eof", 30.1, stream="c2s")
    for line in lines or (agreed(),):
        tape.server(line, answers)
    tape.event("eof", ends, stream="s2c")
    return tape.exit(ends, "client-eof")


def test_an_answer_that_comes_as_the_server_leaves_looks_like_a_buffer_being_flushed() -> None:
    assert found(given_up(30.15, 30.16)) == [
        (
            "LIF022",
            "error",
            "server",
            (2, 4),
            "nothing on stdout for 30.0 s until the client closed stdin, then 1 answer as the server left: "
            "stdout looks block-buffered",
        )
    ]


@pytest.mark.parametrize(
    "tape",
    [
        given_up(33, 33.01),
        given_up(30.2, 30.9),
        Tape()
        .start()
        .client(offer(), 0.1)
        .event("eof", 1, stream="c2s")
        .server(agreed(), 1.1)
        .event("eof", 1.1, stream="s2c")
        .exit(1.1, "client-eof"),
        Tape()
        .start()
        .client(offer(), 0.1)
        .event("signal", 30, name="SIGTERM", forwarded=True)
        .server(agreed(), 30.1)
        .event("eof", 30.1, stream="s2c")
        .exit(30.1, "client-signal"),
        begun()
        .client(call(1), 1)
        .event("eof", 31, stream="c2s")
        .server(said(1), 31.1)
        .event("eof", 31.1, stream="s2c")
        .exit(31.1, "client-eof"),
        Tape().start().client(offer(), 0.1).event("eof", 30.1, stream="c2s").server(agreed(), 30.2),
        Tape()
        .start()
        .client(offer(), 0.1)
        .event("eof", 30.1, stream="c2s")
        .server(agreed(), 30.2)
        .event("eof", 30.2, stream="s2c"),
    ],
    ids=[
        "a slow start that goes on",
        "the server lives on",
        "a client that hardly waits",
        "a signal, which flushes nothing",
        "a call that is finished before the server leaves",
        "no end of stdout",
        "no end",
    ],
)
def test_an_answer_after_the_client_has_left_may_have_other_reasons(tape: Tape) -> None:
    assert "LIF022" not in [each[0] for each in found(tape)]


def test_after_64_kib_of_stderr_that_is_not_read_everything_is_silent() -> None:
    assert found(CASES["A22"]()) == [
        (
            "LIF023",
            "warning",
            "client",
            (20, 21, 22),
            "all streams silent for 63.0 s after 65,536 bytes of stderr, which the client had stopped "
            "reading; 1 request unanswered",
        )
    ]


def noisy(size: int = 5000, stall: bool = True, **start: Any) -> Tape:
    """A session with so many bytes of stderr, the handshake before it."""
    tape = Tape().start(**start).client(offer(), 0.1).server(agreed(), 0.2).client(INITIALIZED, 0.2)
    tape.stderr("x" * (size - 1), 1)
    return tape.event("stall", 2.5, stream="stderr") if stall else tape


def test_the_silence_explains_what_was_not_answered() -> None:
    tape = noisy().client(call(5), 3).client(request(6, "ping"), 20)
    (finding,) = check(closed(tape, 80), rules=LIF)
    assert finding.rule == "LIF023"
    assert sorted(each.rule for each in finding.consequences) == ["LIF017", "LIF018", "LIF024"]


def test_on_windows_4_kib_look_like_it_and_nobody_is_blamed() -> None:
    tape = noisy(4096, stall=False, platform="win32").client(call(5), 3)
    assert found(closed(tape, 63))[0] == (
        "LIF023",
        "warning",
        "undecided",
        (5, 6),
        "all streams silent for 62.0 s after 4,096 bytes of stderr, 1 request unanswered: "
        "the reader of stderr may have stopped",
    )


@pytest.mark.parametrize(
    "tape",
    [
        closed(noisy(4095, stall=False, platform="win32").client(call(5), 3), 63),
        closed(noisy(70_000, stall=False, platform="linux").client(call(5), 3), 63),
        closed(noisy(70_000, stall=False, platform=["win32"]).client(call(5), 3), 63),
        closed(noisy().event("flow", 3, stream="stderr", seconds=1.5).client(call(5), 4), 63),
        closed(noisy().client(call(5), 3).server(told("notifications/tools/list_changed"), 4), 63),
        closed(noisy().client(call(5), 3).stderr("more", 60), 63),
        closed(noisy().client(call(5), 60), 63),
        closed(noisy(), 63),
        noisy().client(call(5), 3),
        closed(noisy().event("gap", 2.7, records=1, bytes=9, reason="full").client(call(5), 3), 63),
        noisy()
        .client(call(5), 3)
        .event("eof", 60, stream="s2c")
        .event("eof", 60.1, stream="c2s")
        .exit(60.2, "server-exit", 1),
        closed(noisy(stall=False).client(call(5), 3).event("stall", 4, stream="s2c"), 63),
    ],
    ids=[
        "less than fits",
        "elsewhere the tap would have noted a stall",
        "a platform of the wrong type",
        "it is read again",
        "stdout goes on",
        "stderr goes on",
        "the client leaves soon",
        "nothing is open",
        "no end",
        "a gap",
        "the server left",
        "the client does not read stdout",
    ],
)
def test_silence_after_stderr_is_no_finding_where_it_has_other_reasons(tape: Tape) -> None:
    assert "LIF023" not in [each[0] for each in found(tape)]


def test_a_server_that_says_nothing_since_one_request_is_blocked() -> None:
    (finding,) = check(CASES["A29"](), rules=LIF)
    assert told_of([finding]) == [
        (
            "LIF024",
            "error",
            "undecided",
            (5, 6),
            "nothing on stdout for 89.0 s since tools/call git_status (id 3) until the client closed stdin, "
            "ping (id 4) unanswered too: server blocked; a child process sharing stdin is a common cause",
        )
    ]
    assert sorted(each.rule for each in finding.consequences) == ["LIF017", "LIF018"]


def test_a_silence_of_seconds_is_a_warning() -> None:
    tape = begun().client(call(3), 1).client(request(4, "ping"), 3)
    assert [each[:3] for each in found(closed(tape, 21))] == [("LIF024", "warning", "undecided")]


def test_requests_that_the_client_has_given_up_count_too() -> None:
    tape = begun().client(call(3), 1).client(told("notifications/cancelled", requestId=3), 61)
    tape.client(call(4), 62).client(told("notifications/cancelled", requestId=4), 122).client(call(5), 123)
    (message,) = [each[4] for each in found(closed(tape, 130)) if each[0] == "LIF024"]
    assert (
        "since tools/call export (id 3) until the client closed stdin, tools/call export (id 4) and 1 more"
        in (message)
    )


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
