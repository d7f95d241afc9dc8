"""TOL: schemas of tools, and what is held against them."""

from __future__ import annotations

from typing import Any

import pytest

from tests.diagnosis.checking import begun, findings_of
from tests.record_cases import RECORDINGS, error, request, result, told
from tests.rules.tools.schemas_cases import EUR, RULES, called, found, listed, returned, tool


def test_a_result_is_not_judged_by_a_tool_that_is_not_known() -> None:
    assert found(returned(tool("find"))) == []
    assert found(returned(tool("other", None, EUR))) == []
    changed = called(listed(tool("find", None, EUR))).server(told("notifications/tools/list_changed"), 1.05)
    assert found(changed.server(result(5, content=[]), 1.1)) == []
    assert found(called(listed(tool("find", None, EUR))).server(error(5, -32603), 1.1)) == []


def test_a_client_that_answers_a_call_is_no_server() -> None:
    tape = (
        begun().server(request(1, "tools/call", name="find"), 1).client(result(1, structuredContent=[1]), 1.1)
    )
    assert found(tape) == []


@pytest.mark.parametrize("path", sorted((RECORDINGS / "v1").glob("*.jsonl")), ids=lambda path: path.stem)
def test_no_real_session_has_a_fault_of_this_family(path: Any) -> None:
    assert findings_of(path, RULES) == []
