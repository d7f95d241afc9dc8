"""MOD003: result without resultType."""

from __future__ import annotations

from typing import Any

import pytest

from mcp_tap.model.methods import VERSION_KEY
from mcp_tap.record.argv_masking import MASK
from tests.diagnosis.checking import closed
from tests.record_cases import Tape, error, modern, request, result
from tests.rules.modern.cases import ENVELOPE, asks_back, complete, found, rules, spoken


def test_a_result_without_result_type_is_the_servers_fault() -> None:
    tape = spoken().client(modern(2, "prompts/get", name="greet"), 1).server(result(2, messages=[]), 1)
    tape.client(modern(3, "prompts/get", name="greet"), 2).server(result(3, messages=[]), 2)
    assert found(tape) == [("MOD003", "error", "server", (4, 5, 6, 7), "prompts/get")]


def test_a_discovery_without_result_type_shows_the_era_and_lacks_it() -> None:
    tape = Tape().start().client(modern(1, "server/discover"), 0.1)
    tape.server(result(1, supportedVersions=["2026-07-28"], capabilities={}), 0.2)
    assert rules(tape) == ["MOD003"]


@pytest.mark.parametrize(
    "answer",
    [
        error(2, -32603),
        {"jsonrpc": "2.0", "id": 2, "result": None},  # RPC012
        complete(2, messages=[]),
        asks_back(2, requestState="s"),
        result(2, resultType=MASK, messages=[]),
    ],
)
def test_other_answers_lack_no_result_type(answer: dict[str, Any]) -> None:
    tape = spoken().client(modern(2, "prompts/get", name="greet"), 1).server(answer, 1)
    assert rules(closed(tape, 1.1)) == []


def test_the_answer_to_a_request_without_an_envelope_needs_none() -> None:
    tape = spoken().client(request(2, "prompts/get", name="greet"), 1).server(result(2, messages=[]), 1)
    assert rules(tape) == ["MOD001"]


def test_the_answer_to_a_request_of_an_unknown_version_needs_none() -> None:
    sent = request(2, "prompts/get", name="x", _meta={**ENVELOPE, VERSION_KEY: "2027-01-01"})
    assert rules(spoken().client(sent, 1).server(result(2, messages=[]), 1)) == []
