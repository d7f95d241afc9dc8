"""MOD012: cacheable result without caching hints."""

from __future__ import annotations

from typing import Any

import pytest

from mcp_tap.record.argv_masking import MASK
from tests.diagnosis.checking import closed
from tests.record_cases import modern
from tests.rules.modern.cases import asks_back, complete, found, rules, spoken


@pytest.mark.parametrize(
    ("hints", "faults"),
    [
        ({}, "ttlMs cacheScope"),
        ({"ttlMs": 0}, "cacheScope"),
        ({"ttlMs": -1, "cacheScope": "private"}, "ttlMs"),
        ({"ttlMs": "60", "cacheScope": "public"}, "ttlMs"),
        ({"ttlMs": True, "cacheScope": "public"}, "ttlMs"),
        ({"ttlMs": 5, "cacheScope": "shared"}, "cacheScope"),
        ({"ttlMs": {}, "cacheScope": []}, "ttlMs cacheScope"),
    ],
)
def test_a_list_without_caching_hints_is_the_servers_fault(hints: dict[str, Any], faults: str) -> None:
    tape = spoken().client(modern(2, "prompts/list"), 1).server(complete(2, prompts=[], **hints), 1)
    assert found(tape) == [("MOD012", "error", "server", (4, 5), f"prompts/list {faults}")]


@pytest.mark.parametrize(
    ("method", "members"),
    [
        ("prompts/list", {"ttlMs": 60_000.0, "cacheScope": "public"}),
        ("prompts/list", {"ttlMs": 1, "cacheScope": MASK}),
        ("prompts/get", {"messages": []}),
        ("completion/complete", {"completion": {"values": []}}),
    ],
)
def test_hints_that_hold_and_results_that_need_none_are_let_pass(
    method: str, members: dict[str, Any]
) -> None:
    assert rules(spoken().client(modern(2, method), 1).server(complete(2, **members), 1)) == []


def test_a_question_needs_no_caching_hints() -> None:
    tape = (
        spoken().client(modern(2, "resources/read", uri="x:y"), 1).server(asks_back(2, requestState="s"), 1)
    )
    assert rules(closed(tape, 1.1)) == []
