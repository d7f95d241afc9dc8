"""TOL003: inputSchema is not of type object."""

from __future__ import annotations

from typing import Any

import pytest

from tests.diagnosis.checking import facts, findings_of
from tests.record_cases import RECORDINGS
from tests.rules.tools.tools_cases import RULES, found, listed


def test_a30_one_bad_schema_hides_all_tools() -> None:
    assert facts(findings_of(RECORDINGS / "cases" / "A30.jsonl", RULES)) == [
        ("TOL003", "error", "server", (6,), "a")
    ]


@pytest.mark.parametrize(
    "members",
    [
        {},
        {"inputSchema": None},
        {"inputSchema": True},
        {"inputSchema": {"type": "string"}},
        {"inputSchema": {"type": ["object"]}},
    ],
)
def test_an_input_schema_has_to_say_that_it_is_of_an_object(members: dict[str, Any]) -> None:
    assert found(listed({"name": "a", **members})) == [("TOL003", "error", "server", (6,), "a")]
    assert found(listed(members)) == [("TOL003", "error", "server", (6,), "")]
