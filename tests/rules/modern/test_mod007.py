"""MOD007: input request that the client cannot serve."""

from __future__ import annotations

from typing import Any

import pytest

from mcp_tap.record.argv_masking import MASK
from tests.diagnosis.checking import closed
from tests.record_cases import modern
from tests.rules.modern.cases import asks_back, found, rules, says, spoken
from tests.rules.modern.round_trips_cases import ELICITATION

ROOTS = {"method": "roots/list"}


def ask(capabilities: Any, *asked: Any) -> list[str]:
    """The keys of what is found where a server asks something of a client with these capabilities."""
    tape = spoken().client(says(2, "tools/call", capabilities, name="book"), 1)
    tape.server(asks_back(2, inputRequests={str(at): each for at, each in enumerate(asked)}), 1)
    return [each[4] for each in found(closed(tape, 1.1))]


def test_asking_for_what_the_request_does_not_declare_is_the_servers_fault() -> None:
    tape = spoken().client(modern(2, "tools/call", name="book"), 1)
    tape.server(asks_back(2, inputRequests={"a": ELICITATION, "b": ROOTS}), 1)
    assert found(tape) == [
        ("MOD007", "error", "server", (4, 5), key)
        for key in ("elicitation/create elicitation", "roots/list roots")
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
    assert ask(capabilities, question) == [f"{question['method']} {lacking}"]


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
