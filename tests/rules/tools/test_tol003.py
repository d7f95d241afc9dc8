"""TOL003: inputSchema is not of type object."""

from __future__ import annotations

from typing import Any

import pytest

from tests.diagnosis.checking import findings_of
from tests.record_cases import RECORDINGS
from tests.rules.tools.tools_cases import RULES, found, listed


def test_a30_one_bad_schema_hides_all_tools() -> None:
    (finding,) = findings_of(RECORDINGS / "cases" / "A30.jsonl", RULES)
    assert (finding.rule, finding.severity, finding.culprit, finding.records, finding.key) == (
        "TOL003", "error", "server", (6,), "a",
    )  # fmt: skip
    assert finding.message == (
        'tool `a`: inputSchema has no "type":"object" at top level; clients drop the whole list of 2'
    )


@pytest.mark.parametrize(
    ("members", "problem"),
    [
        ({}, "it has no inputSchema"),
        ({"inputSchema": None}, "inputSchema is null"),
        ({"inputSchema": True}, "inputSchema is not an object"),
        ({"inputSchema": {"type": "string"}}, 'the "type" of inputSchema is not "object"'),
        ({"inputSchema": {"type": ["object"]}}, 'the "type" of inputSchema is not "object"'),
    ],
)
def test_an_input_schema_has_to_say_that_it_is_of_an_object(members: dict[str, Any], problem: str) -> None:
    assert found(listed({"name": "a", **members})) == [
        ("TOL003", "error", "server", (6,), f"tool `a`: {problem}; clients drop the whole list of 1")
    ]
    (nameless,) = found(listed(members))
    assert nameless[4].startswith("tool without a name: ")
