"""MOD005-009, MOD011: a server that asks by its result, and a client that tries again."""

from __future__ import annotations

from typing import Any

import pytest

from mcp_tap.record.secrets import MASK
from mcp_tap.rules.modern import _questions as questions
from mcp_tap.rules.registry import RULES as ALL
from tests.diagnosis.checking import check, closed, rules_of
from tests.record_cases import Tape, error, modern, request
from tests.rules.modern_cases import asks_back, complete, found, rules, says, spoken, unshown

ROUND_TRIPS = rules_of("MOD005", "MOD006", "MOD007", "MOD008", "MOD009", "MOD011")

ELICITATION = {"method": "elicitation/create", "params": {"message": "Which seat?"}}
ROOTS = {"method": "roots/list"}


def asked(state: Any = "s1", id: Any = 5, t: float = 1.0, tape: Tape | None = None, **more: Any) -> Tape:
    """The server asks back in answer to a call (records 4 and 5)."""
    tape = spoken() if tape is None else tape
    tape.client(modern(id, "tools/call", name="book", arguments={"n": 1}), t)
    members = more if state is None else {"requestState": state, **more}
    return tape.server(asks_back(id, **members), t)


def again(tape: Tape, id: Any = 6, t: float = 2.0, **params: Any) -> Tape:
    """The client sends the call again, and it is done (records 6 and 7)."""
    tape.client(modern(id, "tools/call", name="book", arguments={"n": 1}, **params), t)
    return tape.server(complete(id, content=[]), t)


# MOD005, MOD006, MOD007


def test_asking_back_where_it_is_not_allowed_is_the_servers_fault() -> None:
    tape = spoken().client(modern(2, "tools/list"), 1).server(asks_back(2), 1)
    assert found(tape) == [
        (
            *("MOD005", "error", "server", (4, 5)),
            "server answered tools/list with input_required, which is not allowed there",
        )
    ]


def test_of_methods_that_are_not_known_nothing_is_said() -> None:
    assert rules(spoken().client(modern(2, "tasks/update"), 1).server(asks_back(2), 1)) == []


def test_a_question_without_anything_in_it_is_the_servers_fault_and_nobody_comes_back() -> None:
    assert found(asked(None)) == [
        (
            *("MOD006", "error", "server", (4, 5)),
            "server answered tools/call `book` with input_required, and gave neither inputRequests nor "
            "requestState",
        )
    ]
    assert [each[0] for each in found(asked(None, inputRequests=[], requestState=7))] == ["MOD006"]


@pytest.mark.parametrize("members", [{"inputRequests": {}}, {"requestState": ""}, {"requestState": MASK}])
def test_one_of_both_is_enough(members: dict[str, Any]) -> None:
    assert rules(closed(asked(None, **members), 1.1)) == []


def ask(capabilities: Any, *asked: Any) -> list[str]:
    """What is found where a server asks something of a client with these capabilities."""
    tape = spoken().client(says(2, "tools/call", capabilities, name="book"), 1)
    tape.server(asks_back(2, inputRequests={str(at): each for at, each in enumerate(asked)}), 1)
    return [each[4] for each in found(closed(tape, 1.1))]


def test_asking_for_what_the_request_does_not_declare_is_the_servers_fault() -> None:
    tape = spoken().client(modern(2, "tools/call", name="book"), 1)
    tape.server(asks_back(2, inputRequests={"a": ELICITATION, "b": ROOTS}), 1)
    assert found(tape) == [
        (
            *("MOD007", "error", "server", (4, 5)),
            f"server asked for {method} in its answer to tools/call `book`, although the request does not "
            f"declare {capability}",
        )
        for method, capability in (("elicitation/create", "elicitation"), ("roots/list", "roots"))
    ]


@pytest.mark.parametrize(
    ("capabilities", "question", "lacking"),
    [
        ({"elicitation": {}}, {**ELICITATION, "params": {"mode": "url"}}, "elicitation.url"),
        ({"sampling": {}}, {"method": "sampling/createMessage", "params": {"tools": []}}, "sampling.tools"),
        ({"sampling": None}, {"method": "sampling/createMessage", "params": {}}, "sampling"),
        ({"elicitation": {}}, ROOTS, "roots"),
    ],
)
def test_what_is_lacking_is_named(capabilities: Any, question: Any, lacking: str) -> None:
    (message,) = ask(capabilities, question)
    assert message.endswith(f"although the request does not declare {lacking}")


@pytest.mark.parametrize(
    ("capabilities", "question"),
    [
        ({"elicitation": {}}, ELICITATION),
        ({"elicitation": {"url": {}}}, {**ELICITATION, "params": {"mode": "url"}}),
        ({"sampling": {"tools": {}}}, {"method": "sampling/createMessage", "params": {"toolChoice": {}}}),
        ({"roots": {}}, ROOTS),
        ({}, {"method": "acme/ask"}),
        ({}, {"method": ["roots/list"]}),
        ({}, "roots/list"),
        (MASK, ROOTS),
    ],
)
def test_what_is_declared_may_be_asked_for(capabilities: Any, question: Any) -> None:
    assert ask(capabilities, question) == []


def test_what_another_request_has_declared_does_not_count() -> None:
    tape = spoken().client(says(2, "prompts/list", {"roots": {}}), 0.5)
    tape.client(says(3, "tools/call", {}, name="book"), 1)
    tape.server(asks_back(3, inputRequests={"a": ROOTS}), 1)
    assert rules(closed(tape, 1.1)) == ["MOD007"]


# MOD008, MOD009


def test_a_call_that_comes_back_as_it_should_is_in_order() -> None:
    assert rules(again(asked(), requestState="s1")) == []
    assert rules(again(asked(None, inputRequests={}), inputResponses={})) == []
    twice = again(asked(tape=asked("s2", id=4)), requestState="s1")
    assert rules(again(twice, id=7, requestState="s2")) == []


def test_coming_back_with_the_same_id_is_the_clients_fault() -> None:
    tape = asked().client(modern(5, "tools/call", name="book", arguments={"n": 1}, requestState="s1"), 2)
    tape.server(error(5, -32600), 2)
    (finding,) = check(closed(tape, 3), rules=[*ROUND_TRIPS, *rules_of("RPC026")])
    assert (finding.rule, finding.severity, finding.culprit) == ("MOD008", "error", "client")
    assert (finding.records, finding.message) == (
        (4, 6),
        "client sent tools/call `book` again, after input_required, with the same id 5",
    )
    assert [each.rule for each in finding.consequences] == ["RPC026"]


def test_the_same_digits_as_another_json_type_are_another_id() -> None:
    assert rules(again(asked(), id="5", requestState="s1")) == []


@pytest.mark.parametrize(
    ("given", "sent", "fault"),
    [
        ("s1", {"inputResponses": {}}, "without the requestState that the server had given"),
        (
            "s1",
            {"requestState": "s2", "inputResponses": {}},
            "with another requestState than the server had given",
        ),
        ("s1", {"requestState": ["s1"]}, "with another requestState than the server had given"),
        (None, {"requestState": "s1"}, "with a requestState, although the server had given none"),
    ],
)
def test_coming_back_with_another_state_is_the_clients_fault(
    given: Any, sent: dict[str, Any], fault: str
) -> None:
    assert found(again(asked(given, inputRequests={}), **sent)) == [
        ("MOD009", "error", "client", (4, 5, 6), f"client sent tools/call `book` again {fault}")
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


# MOD011


def test_a_question_that_nobody_comes_back_to_is_told_without_blame() -> None:
    assert found(asked(inputRequests={"a": ELICITATION, "b": ELICITATION})) == [
        (
            *("MOD007", "error", "server", (4, 5)),
            "server asked for elicitation/create in its answer to tools/call `book`, although the request "
            "does not declare elicitation",
        )
    ]
    tape = spoken().client(says(5, "tools/call", {"elicitation": {}}, name="book"), 1)
    tape.server(asks_back(5, inputRequests={"a": ELICITATION, "b": ELICITATION}), 1)
    assert found(closed(tape, 61)) == [
        (
            *("MOD011", "info", "undecided", (4, 5)),
            "client never came back to tools/call `book`, which the server had answered with "
            "input_required (`elicitation/create`); 60.0 s later the client closed stdin",
        )
    ]
    assert "input_required; 60.0 s" in found(closed(asked(), 61))[0][4]


def test_the_same_call_begun_anew_is_not_coming_back() -> None:
    assert rules(again(asked())) == ["MOD011"]


def test_a_client_that_leaves_at_once_is_expected_to_leave_it() -> None:
    assert rules(closed(asked(), 2.9)) == []


def test_whether_it_came_back_is_not_known_where_something_is_missing() -> None:
    assert check(asked(), rules=ROUND_TRIPS) == []  # the recording goes on
    assert rules(asked().event("gap", 1.5, reason="disk full")) == []
    assert rules(asked().client(b"{no json", 1.5)) == []


def test_a_result_of_a_request_without_an_envelope_is_no_question() -> None:
    tape = spoken().client(request(2, "tools/call", name="x"), 1).server(asks_back(2, requestState="s"), 1)
    assert rules(tape) == ["MOD001"]


def test_asking_back_shows_the_era() -> None:
    assert rules(asked(tape=unshown())) == ["MOD018", "MOD011"]
