"""RES001: tool result without content."""

from __future__ import annotations

from typing import Any

import pytest

from tests.diagnosis.checking import begun
from tests.record_cases import Tape, error, modern, request, result
from tests.rules.results.cases import found, returned


@pytest.mark.parametrize(
    "members",
    [
        {},
        {"structuredContent": {}},
        {"isError": True},
        {"content": None},
        {"content": "text"},
        {"content": {"type": "text"}},
    ],
)
def test_a_tool_result_needs_content(members: dict[str, Any]) -> None:
    assert [each for each in found(returned(**members)) if each[0] == "RES001"] == [
        ("RES001", "error", "server", (6,), "find")
    ]


def test_a_task_a_question_and_an_error_need_no_content() -> None:
    asks = Tape().start().client(modern(5, "tools/call", name="find", arguments={}), 1)
    asks.server(result(5, resultType="input_required", inputRequests={}), 1.1)
    assert found(asks) == []
    assert found(returned(task={"taskId": "1"})) == []
    assert found(begun().client(request(5, "tools/call", name="find"), 1).server(error(5, -32603), 1.1)) == []
    odd = begun().client(request(5, "tools/call", name="find"), 1)
    assert found(odd.server({"jsonrpc": "2.0", "id": 5, "result": None}, 1.1)) == [], "another finding"


def test_a_call_without_a_name_is_told_by_its_method() -> None:
    tape = begun().client(request(5, "tools/call"), 1).server(result(5), 1.1)
    assert [each[4] for each in found(tape)] == ["tools/call"]


def test_what_a_client_answers_is_no_tools_result() -> None:
    tape = begun().server(request(1, "tools/call", name="find"), 1)
    tape.client(
        result(
            1, isError=True, content=[{"type": "x"}, {"type": "image"}, {"type": "resource", "resource": {}}]
        ),
        2,
    )
    assert found(tape) == []
