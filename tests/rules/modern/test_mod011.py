"""MOD011: input_required never answered."""

from __future__ import annotations

from tests.diagnosis.checking import check, closed
from tests.rules.modern.cases import asks_back, found, rules, says, spoken
from tests.rules.modern.round_trips_cases import ELICITATION, ROUND_TRIPS, again, asked


def test_a_question_that_nobody_comes_back_to_is_told_without_blame() -> None:
    assert found(asked(inputRequests={"a": ELICITATION, "b": ELICITATION})) == [
        ("MOD007", "error", "server", (4, 5), "elicitation/create elicitation")
    ]
    tape = spoken().client(says(5, "tools/call", {"elicitation": {}}, name="book"), 1)
    tape.server(asks_back(5, inputRequests={"a": ELICITATION, "b": ELICITATION}), 1)
    assert found(closed(tape, 61)) == [("MOD011", "info", "undecided", (4, 5), "tools/call book")]
    assert [each[4] for each in found(closed(asked(), 61))] == ["tools/call book"]


def test_the_same_call_begun_anew_is_not_coming_back() -> None:
    assert rules(again(asked())) == ["MOD011"]


def test_a_client_that_leaves_at_once_is_expected_to_leave_it() -> None:
    assert rules(closed(asked(), 2.9)) == []


def test_whether_it_came_back_is_not_known_where_something_is_missing() -> None:
    assert check(asked(), rules=ROUND_TRIPS) == []  # the recording goes on
    assert rules(asked().event("gap", 1.5, reason="disk full")) == []
    assert rules(asked().client(b"{no json", 1.5)) == []
