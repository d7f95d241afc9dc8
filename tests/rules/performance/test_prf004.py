"""PRF004: large tool result."""

from __future__ import annotations

from typing import Any

from tests.diagnosis.checking import begun
from tests.record_cases import request, result
from tests.rules.performance.cases import found, said


def test_a_large_result_is_told_with_its_size() -> None:
    assert [each for each in found(said(begun(), 5, 132_000)) if each[0] == "PRF004"] == [
        ("PRF004", "warning", "server", (6,), "list_rows")
    ]


def test_large_results_of_one_tool_are_one_finding_with_the_largest() -> None:
    tape = said(said(said(begun(), 5, 110_000), 6, 1_200_000), 7, 120_000)
    assert [each[4] for each in found(tape) if each[0] == "PRF004"] == ["list_rows"]


def test_text_in_a_resource_counts_and_images_and_structure_do_not() -> None:
    def answered(**members: Any) -> list[str]:
        tape = begun().client(request(5, "tools/call", name="a"), 1).server(result(5, **members), 1.1)
        return [each[0] for each in found(tape) if each[0] == "PRF004"]

    resource = {"type": "resource", "resource": {"uri": "note://1", "text": "é" * 60_000}}
    assert answered(content=[resource]) == ["PRF004"]
    assert answered(content=[{"type": "image", "mimeType": "image/png", "data": "A" * 200_000}, 7]) == []
    assert answered(content=[], structuredContent={"text": "x" * 200_000}) == []
    assert answered(content="x" * 200_000) == []
