"""TOL011: structuredContent is not an object."""

from __future__ import annotations

from typing import Any

import pytest

from tests.rules.tools.schemas_cases import EUR, found, returned, tool


@pytest.mark.parametrize("content", [[1], "x", None, 7], ids=["array", "text", "null", "7"])
def test_structured_content_is_an_object(content: Any) -> None:
    for tape in (
        returned(tool("find"), structuredContent=content),
        returned(tool("find", None, EUR), structuredContent=content),
    ):
        assert found(tape) == [("TOL011", "error", "server", (8,), "find")]


def test_that_it_is_no_object_is_no_fault_where_it_does_not_exist_or_was_masked() -> None:
    assert found(returned(tool("find"), structuredContent="[masked]")) == []
    assert found(returned(tool("find"), structuredContent=[1], version="2025-03-26")) == []
