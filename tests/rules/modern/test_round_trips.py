"""MOD005-009, MOD011: a server that asks by its result, and a client that tries again."""

from __future__ import annotations

from tests.record_cases import request
from tests.rules.modern.cases import asks_back, rules, spoken, unshown
from tests.rules.modern.round_trips_cases import again, asked


def test_a_call_that_comes_back_as_it_should_is_in_order() -> None:
    assert rules(again(asked(), requestState="s1")) == []
    assert rules(again(asked(None, inputRequests={}), inputResponses={})) == []
    twice = again(asked(tape=asked("s2", id=4)), requestState="s1")
    assert rules(again(twice, id=7, requestState="s2")) == []


def test_a_result_of_a_request_without_an_envelope_is_no_question() -> None:
    tape = spoken().client(request(2, "tools/call", name="x"), 1).server(asks_back(2, requestState="s"), 1)
    assert rules(tape) == ["MOD001"]


def test_asking_back_shows_the_era() -> None:
    assert rules(asked(tape=unshown())) == ["MOD018", "MOD011"]
