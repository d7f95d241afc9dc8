"""PRG003: progress after the result."""

from __future__ import annotations

from typing import Any

import pytest

from tests.diagnosis.checking import begun, facts, findings_of
from tests.record_cases import RECORDINGS, request, result
from tests.rules.telling import BETWEEN
from tests.rules.utilities.progress_cases import call, called, found, progress


def test_case_a19_is_progress_after_the_result() -> None:
    (finding,) = findings_of(RECORDINGS / "cases" / "A19.jsonl", BETWEEN)
    assert facts([finding]) == [("PRG003", "warning", "server", (7, 8), "tools/call export")]
    assert finding.consequences == ()


def test_progress_after_an_error_is_told_as_such() -> None:
    failed = {"jsonrpc": "2.0", "id": 5, "error": {"code": -32603, "message": "no"}}
    tape = called("p").server(failed, 2).server(progress("p"), 4)
    assert found(tape) == [("PRG003", "warning", "server", (6, 7), "tools/call export")]


@pytest.mark.parametrize(
    "answer",
    [
        result(5, task={"taskId": "t1", "status": "working"}),
        result(5, resultType="task", taskId="t1", status="working"),
    ],
)
def test_the_token_of_a_task_outlives_its_request(answer: dict[str, Any]) -> None:
    tape = called().server(answer, 2).server(progress(7), 3)
    assert found(tape) == []
    for id in range(10, 4200):
        tape.client(request(id, "ping"), 4).server(result(id), 4)
    assert found(tape.server(progress(7, 2), 5)) == []


def test_only_so_many_tasks_are_remembered() -> None:
    tape = begun()
    for id in range(1, 1003):
        tape.client(call(id, id), 1).server(result(id, task={"taskId": str(id)}), 1)
    assert found(tape.server(progress(1002), 2)) == []
    assert [each[0] for each in found(tape.server(progress(1), 3))] == ["PRG003"]
