"""MOD017: subscription that does not go by its rules."""

from __future__ import annotations

from typing import Any

import pytest

from mcp_tap.record.argv_masking import MASK
from tests.diagnosis.checking import begun, closed
from tests.record_cases import Tape, error, modern, told
from tests.rules.modern.cases import HINTS, complete, found, on_stream, rules, spoken, unshown

ACKNOWLEDGED = "notifications/subscriptions/acknowledged"
TOOLS = "notifications/tools/list_changed"
PROMPTS = "notifications/prompts/list_changed"
UPDATED = "notifications/resources/updated"


def listening(id: Any = 5, tape: Tape | None = None, **asked: Any) -> Tape:
    """An acknowledged subscription (records 4 and 5)."""
    tape = (spoken() if tape is None else tape).client(
        modern(id, "subscriptions/listen", notifications=asked), 1
    )
    return tape.server(on_stream(ACKNOWLEDGED, id, notifications=asked), 1)


def test_a_subscription_as_it_should_be_is_in_order_however_it_ends() -> None:
    asked: dict[str, Any] = {"toolsListChanged": True, "resourceSubscriptions": ["file:///a%20b/"]}
    tape = listening(**asked).server(on_stream(TOOLS, 5), 2)
    tape.server(on_stream(UPDATED, 5, uri="file:///A b"), 2).server(on_stream(UPDATED, 5, uri=MASK), 2)
    assert rules(tape) == []
    tape = listening(**asked).server(complete(5, _meta={"io.modelcontextprotocol/subscriptionId": 5}), 2)
    assert rules(tape) == []
    tape = listening(**asked).server(told("notifications/cancelled", requestId=5), 2)
    assert rules(tape) == []
    tape = listening(**asked).client(told("notifications/cancelled", requestId=5), 2)
    assert rules(tape.server(on_stream(TOOLS, 5), 2)) == []
    assert rules(spoken().client(modern(5, "subscriptions/listen"), 1).server(error(5, -32601), 1)) == []


def test_a_change_without_a_subscription_is_the_servers_fault() -> None:
    assert found(listening(toolsListChanged=True).server(told(TOOLS), 2)) == [
        ("MOD017", "error", "server", (6,), f"{TOOLS} missing")
    ]
    assert rules(spoken().server(told(TOOLS), 2)) == ["MOD017"]


def test_an_acknowledgement_without_it_is_told_once_and_taken_for_one() -> None:
    tape = spoken().client(modern(5, "subscriptions/listen", notifications={"toolsListChanged": True}), 1)
    tape.server(told(ACKNOWLEDGED, notifications={}), 1).server(on_stream(TOOLS, 5), 2)
    assert found(tape) == [("MOD017", "error", "server", (5,), f"{ACKNOWLEDGED} missing")]


@pytest.mark.parametrize(
    ("id", "why"),
    [
        ("nobody", "which no request has opened"),
        ("5", "whose id has another JSON type"),
        (6, "which is the id of another request"),
        ({"a": 1}, "which no request has opened"),
    ],
)
def test_a_change_on_no_subscription_is_the_servers_fault(id: Any, why: str) -> None:
    tape = listening(toolsListChanged=True).client(modern(6, "tools/call", name="x"), 1)
    assert found(tape.server(on_stream(TOOLS, id), 2)) == [("MOD017", "error", "server", (7,), why)]


def test_a_change_after_the_server_has_ended_the_subscription_is_its_fault() -> None:
    tape = listening(toolsListChanged=True).server(complete(5), 2).server(on_stream(TOOLS, 5), 3)
    assert found(tape)[0][4] == "which it had ended before"
    tape = listening(toolsListChanged=True).client(told("notifications/cancelled", requestId=5), 2)
    assert rules(tape.server(complete(5), 2).server(on_stream(TOOLS, 5), 3)) == []


def test_a_change_before_the_acknowledgement_is_the_servers_fault() -> None:
    tape = spoken().client(modern(5, "subscriptions/listen", notifications={"toolsListChanged": True}), 1)
    tape.server(on_stream(TOOLS, 5), 1).server(on_stream(TOOLS, 5), 1)
    tape.server(on_stream(ACKNOWLEDGED, 5, notifications={}), 1)
    assert found(tape) == [("MOD017", "error", "server", (5,), "before")]


def test_a_subscription_that_is_answered_like_any_request_is_the_servers_fault() -> None:
    tape = spoken().client(modern(5, "subscriptions/listen", notifications={}), 1).server(complete(5), 1)
    assert found(tape) == [("MOD017", "error", "server", (5,), "never acknowledged")]
    tape = spoken().client(modern(5, "subscriptions/listen", notifications={}), 1)
    tape.event("eof", 1, stream="c2s").server(complete(5), 1.1)
    assert rules(tape.exit(1.2, "client-eof")) == []


@pytest.mark.parametrize(
    ("asked", "sent"),
    [
        ({"toolsListChanged": True}, on_stream(PROMPTS, 5)),
        ({"toolsListChanged": True, "promptsListChanged": False}, on_stream(PROMPTS, 5)),
        ({"toolsListChanged": True}, on_stream(UPDATED, 5, uri="file:///a")),
        ({"resourceSubscriptions": ["file:///b"]}, on_stream(UPDATED, 5, uri="file:///a")),
        ({"resourceSubscriptions": True}, on_stream(UPDATED, 5, uri="file:///a")),
    ],
)
def test_a_change_that_was_not_asked_for_is_the_servers_fault(asked: Any, sent: dict[str, Any]) -> None:
    assert found(listening(**asked).server(sent, 2)) == [
        ("MOD017", "error", "server", (6,), f"{sent['method']} not asked for")
    ]


@pytest.mark.parametrize("asked", [{"resourceSubscriptions": [7]}, {"resourceSubscriptions": [MASK]}])
def test_what_was_asked_for_is_not_guessed(asked: Any) -> None:
    assert rules(listening(**asked).server(on_stream(UPDATED, 5, uri="file:///a"), 2)) == []
    tape = spoken().client(modern(5, "subscriptions/listen", notifications="all"), 1)
    tape.server(on_stream(ACKNOWLEDGED, 5, notifications={}), 1)
    assert rules(tape.server(on_stream(TOOLS, 5), 2)) == []


def test_an_acknowledgement_shows_the_era() -> None:
    assert rules(listening(tape=unshown()).server(told(TOOLS), 2)) == ["MOD018", "MOD017"]
    assert rules(unshown().client(modern(2, "tools/call", name="x"), 1).server(told(TOOLS), 2)) == []


def test_nothing_is_said_of_subscriptions_where_not_all_requests_are_known(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    stray = on_stream(TOOLS, 9)
    assert rules(spoken().event("gap", 0.5, reason="disk full").server(stray, 1)) == []
    assert rules(spoken().client(b"{no json", 0.5).server(stray, 1)) == []
    assert rules(spoken().server(on_stream(TOOLS, MASK), 1)) == []
    assert rules(begun().client(modern(1, "prompts/list"), 1).server(told(TOOLS), 1)) == []
    unknown = told(TOOLS)
    sent = modern(2, "prompts/list")
    sent["params"]["_meta"] = {
        **sent["params"]["_meta"],
        "io.modelcontextprotocol/protocolVersion": "2027-01-01",
    }
    tape = Tape().start().client(sent, 0.1).server(complete(2, prompts=[], **HINTS), 0.2)
    assert rules(tape.server(unknown, 1)) == []
    monkeypatch.setattr("mcp_tap.rules.modern.mod017_broken_subscription.KEPT", 1)
    tape = listening(5, toolsListChanged=True)
    listening(6, tape, toolsListChanged=True)
    assert rules(tape.server(on_stream(TOOLS, 9), 2)) == []
    tape = listening(5)
    tape.server(complete(5), 1)
    listening(6, tape).server(complete(6), 1)
    assert rules(tape.server(on_stream(TOOLS, 9), 2)) == []


def test_what_the_client_says_is_none_of_this() -> None:
    assert rules(closed(spoken().client(told(TOOLS), 1), 3)) == []
