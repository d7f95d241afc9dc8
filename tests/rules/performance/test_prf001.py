"""PRF001: slow request."""

from __future__ import annotations

import pytest

from tests.diagnosis.checking import begun, check, findings_of
from tests.record_cases import RECORDINGS, Tape, error, modern, request, result, told
from tests.rules.performance.cases import RULES, call, found


def test_a_slow_call_is_told_with_its_time() -> None:
    assert found(call(begun(), 5, 1, 8)) == [("PRF001", "warning", "server", (5, 6), "tools/call export")]


def test_slow_calls_of_one_tool_are_one_finding_with_the_slowest() -> None:
    tape = begun()
    for number, took in enumerate((1.0, 8.0, 12.0, 6.0, 0.1)):
        call(tape, 5 + number, 1 + 20 * number, took)
    call(tape, 90, 200, 7, "import")
    assert [(each[3], each[4]) for each in found(tape)] == [
        (
            (7, 8, 9, 10, 11, 12),
            "tools/call export",
        ),
        ((15, 16), "tools/call import"),
    ]
    assert found(call(call(begun(), 5, 1, 8), 6, 20, 1))[0][4] == ("tools/call export")


def test_other_requests_are_told_by_their_method() -> None:
    tape = begun().client(request(5, "resources/read", uri="note://1"), 1).server(result(5, contents=[]), 9)
    assert [each.key for each in check(tape, rules=RULES)] == ["resources/read"]


def test_what_the_server_waited_for_the_client_is_not_its_own() -> None:
    tape = begun(client={"roots": {}}).client(request(5, "tools/call", name="index", arguments={}), 1)
    tape.server(request(0, "roots/list"), 2).client(result(0, roots=[]), 62).server(result(5, content=[]), 63)
    assert found(tape) == []
    assert findings_of(RECORDINGS / "cases" / "A17.jsonl", RULES) == []


def test_the_legs_of_a_call_of_the_modern_era_are_one_call() -> None:
    tape = Tape().start().client(modern(1, "tools/list"), 0.1).server(result(1, tools=[]), 0.2)
    tape.client(modern(2, "tools/call", name="a", arguments={}), 1)
    tape.server(result(2, resultType="input_required", requestState="s", inputRequests={}), 4)
    tape.client(modern(3, "tools/call", name="a", arguments={}, requestState="s", inputResponses={}), 300)
    tape.server(result(3, resultType="complete", content=[]), 303)
    assert [(each[0], each[4]) for each in found(tape)] == [("PRF001", "tools/call a")]


@pytest.mark.parametrize("method", ["tasks/result", "subscriptions/listen"])
def test_what_waits_by_design_is_not_slow(method: str) -> None:
    tape = begun().client(request(5, method, taskId="1"), 1)
    assert found(tape.server(result(5), 100)) == []


def test_a_call_that_was_given_up_is_not_slow() -> None:
    tape = begun().client(request(5, "tools/call", name="export"), 1)
    tape.client(told("notifications/cancelled", requestId=5), 61)
    assert found(tape.server(result(5, content=[]), 62)) == []
    assert findings_of(RECORDINGS / "cases" / "A20.jsonl", RULES) == []


def test_an_answer_to_a_client_that_has_left_is_not_slow() -> None:
    tape = begun().client(request(5, "tools/call", name="export"), 1).event("eof", 30, stream="c2s")
    assert found(tape.server(result(5, content=[]), 31)) == []


def test_where_records_are_missing_the_server_may_have_asked_the_client() -> None:
    tape = begun().client(request(5, "tools/call", name="export"), 1)
    tape.event("gap", 2, records=2, bytes=100, reason="ENOSPC")
    assert found(tape.server(result(5, content=[]), 31)) == []
    tape = begun().client(request(5, "tools/call", name="export"), 1)
    tape.seq += 3
    assert found(tape.server(result(5, content=[]), 31)) == []


def test_a_slow_error_is_slow_and_a_slow_client_is_not_the_server() -> None:
    tape = begun().client(request(5, "tools/call", name="export"), 1).server(error(5, -32603), 9)
    assert [each[0] for each in found(tape)] == ["PRF001"]
    assert found(begun().server(request(0, "roots/list"), 1).client(result(0, roots=[]), 30)) == []


def test_what_was_asked_while_the_server_started_is_timed_from_its_first_answer() -> None:
    tape = Tape().start().client(modern(1, "tools/list"), 0.1).client(modern(2, "prompts/list"), 0.1)
    tape.server(result(1, tools=[]), 9).server(result(2, prompts=[]), 12)
    assert found(tape) == []
    tape.client(modern(3, "prompts/list"), 13).server(result(3, prompts=[]), 19)
    assert [each[0] for each in found(tape)] == ["PRF001"]
