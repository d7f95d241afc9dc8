"""TOL009: structuredContent does not match outputSchema."""

from __future__ import annotations

from typing import Any

import pytest

from tests.record_cases import Tape, modern, result
from tests.rules.tools.schemas_cases import EUR, found, returned, tool


def test_structured_content_that_breaks_the_promise_is_an_error() -> None:
    assert found(returned(tool("find", None, EUR), structuredContent={"eur": "12"})) == [
        ("TOL009", "error", "server", (8,), "find eur type")
    ]


@pytest.mark.parametrize(
    "members",
    [
        {"structuredContent": {"eur": 12, "more": 1}},
        {"structuredContent": {"eur": "12"}, "isError": True},
        {"structuredContent": {"eur": "[masked]"}},
    ],
    ids=["fits", "failed", "masked"],
)
def test_structured_content_that_fits_or_is_not_to_be_judged_is_silent(members: dict[str, Any]) -> None:
    assert found(returned(tool("find", None, EUR), **members)) == []


def test_structured_content_of_any_kind_is_held_against_the_schema_in_the_modern_era() -> None:
    tape = Tape().start().client(modern(1, "tools/list"), 0.3)
    tape.server(result(1, tools=[tool("find", None, {"type": "array"})], resultType="complete"), 0.4)
    for id, content in ((2, [1]), (3, "x")):
        tape.client(modern(id, "tools/call", name="find", arguments={}), id)
        tape.server(result(id, content=[], structuredContent=content, resultType="complete"), id + 0.1)
    assert [(each[0], each[3]) for each in found(tape)] == [("TOL009", (7,))]
