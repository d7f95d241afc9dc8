"""LIF022: stdout looks block-buffered."""

from __future__ import annotations

from typing import Any

import pytest

from tests.diagnosis.checking import begun, check, closed, facts
from tests.record_cases import Tape, request, result
from tests.recordings.cases import CASES
from tests.rules.lifecycle.cases import INITIALIZED, LIF, agreed, call, found, offer, said


def test_answers_in_two_bursts_look_block_buffered() -> None:
    (finding,) = check(CASES["A09"](), rules=LIF)
    assert facts([finding]) == [("LIF022", "warning", "server", (2, 4, 3, 5, 7, 10, 8, 11, 9, 12), "")]
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
    assert found(given_up(30.15, 30.16)) == [("LIF022", "error", "server", (2, 4), "")]


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
