"""MOD009: requestState not sent back as it came."""

from __future__ import annotations

from typing import Any

import pytest

from mcp_tap.record.argv_masking import MASK
from mcp_tap.rules.modern import _round_trips as questions
from mcp_tap.rules.registry import RULES as ALL
from tests.diagnosis.checking import check, closed
from tests.record_cases import error, modern
from tests.rules.modern.cases import found, rules, spoken
from tests.rules.modern.round_trips_cases import again, asked


@pytest.mark.parametrize(
    ("given", "sent", "fault"),
    [
        ("s1", {"inputResponses": {}}, "missing"),
        (
            "s1",
            {"requestState": "s2", "inputResponses": {}},
            "other",
        ),
        ("s1", {"requestState": ["s1"]}, "other"),
        (None, {"requestState": "s1"}, "invented"),
    ],
)
def test_coming_back_with_another_state_is_the_clients_fault(
    given: Any, sent: dict[str, Any], fault: str
) -> None:
    assert found(again(asked(given, inputRequests={}), **sent)) == [
        ("MOD009", "error", "client", (4, 5, 6), f"tools/call book {fault}")
    ]


def test_the_error_that_answers_it_is_told_under_it() -> None:
    tape = asked().client(modern(6, "tools/call", name="book", arguments={"n": 1}, inputResponses={}), 2)
    found = check(closed(tape.server(error(6, -32602), 2), 3), rules=ALL)
    assert [each.rule for each in found] == ["MOD009"]
    assert [each.rule for each in found[0].consequences] == ["RPC026"]


def test_what_asks_something_else_or_begins_anew_comes_back_to_nothing() -> None:
    tape = asked().client(modern(6, "tools/call", name="book", arguments={"n": 2}, inputResponses={}), 2)
    assert rules(closed(tape, 2.1)) == []
    assert rules(closed(again(asked()), 2.1)) == []
    assert rules(spoken().client(modern(6, "tools/call", name="book", requestState="s1"), 1)) == []


def test_a_state_that_was_sent_before_may_be_sent_again() -> None:
    tape = again(asked(), requestState="s1")
    asked("s2", id=7, t=3, tape=tape)
    assert rules(closed(again(tape, id=8, t=4, requestState="s1"), 4.1)) == []


def test_nothing_is_said_of_states_where_something_is_missing_or_masked() -> None:
    gap = again(asked().event("gap", 1.5, reason="disk full"), requestState="s2")
    assert rules(closed(gap, 3)) == []
    assert rules(closed(again(asked().server(b"{no json", 1.5), requestState="s2"), 3)) == []
    assert rules(closed(again(asked(MASK), requestState="s2"), 3)) == []
    assert rules(closed(again(asked(), requestState=MASK), 3)) == []
    assert rules(closed(again(asked(), inputResponses={"token": MASK}), 3)) == []


def test_more_questions_than_are_remembered_make_nothing_certain(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(questions, "KEPT", 1)
    tape = spoken()
    for id, state in ((2, "a"), (3, "b")):
        asked(state, id=id, tape=tape)
    assert rules(closed(again(tape, requestState="c"), 3)) == []
