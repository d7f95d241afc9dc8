"""TOL008: structuredContent missing although outputSchema is declared."""

from __future__ import annotations

from typing import Any

import pytest

from tests.diagnosis.checking import facts, findings_of
from tests.record_cases import RECORDINGS
from tests.rules.tools.schemas_cases import EUR, RULES, found, returned, tool


def test_a32_an_output_schema_and_no_structured_content() -> None:
    assert facts(findings_of(RECORDINGS / "cases" / "A32.jsonl", RULES)) == [
        ("TOL008", "error", "server", (8,), "price")
    ]


@pytest.mark.parametrize(
    "members",
    [
        {"isError": True},
        {"structuredContent": {"eur": 1}},
        {"task": {"taskId": "1"}},
        {"resultType": "input_required"},
    ],
    ids=["failed", "there", "task", "asks"],
)
def test_a_failure_a_task_and_a_question_need_no_structured_content(members: dict[str, Any]) -> None:
    assert found(returned(tool("find", None, EUR), **members)) == []


def test_structured_content_came_with_2025_06_18() -> None:
    assert found(returned(tool("find", None, EUR), version="2025-03-26")) == []
    assert [each[0] for each in found(returned(tool("find", None, EUR), version="2025-06-18"))] == ["TOL008"]
