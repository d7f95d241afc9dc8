"""CAN003: answer after the request was cancelled."""

from __future__ import annotations

from mcp_tap.rules.utilities.can003_late_answer import FASTER
from tests.diagnosis.checking import begun, check, closed, facts, findings_of
from tests.record_cases import RECORDINGS, error, request, result, told
from tests.rules.telling import BETWEEN
from tests.rules.utilities.cancellation_cases import RULES, called, cancel, found, only


def test_case_a20_is_a_late_answer_and_the_cancellation_its_consequence() -> None:
    (finding,) = findings_of(RECORDINGS / "cases" / "A20.jsonl", BETWEEN)
    assert facts([finding]) == [("CAN003", "warning", "undecided", (5, 6, 7), "tools/call export timed out")]
    assert finding.next == FASTER
    assert [(each.rule, each.records) for each in finding.consequences] == [("CAN002", (5, 6))]


def test_a_timeout_is_known_by_its_reason_or_by_its_length() -> None:
    tape = called().client(cancel(5, reason="MCP error -32001: Request timed out"), 11)
    finding = only(tape.server(result(5, content=[]), 11.2))
    assert finding.severity == "warning"
    assert finding.key == "tools/call export timed out"
    assert only(called().client(cancel(5), 51).server(result(5, content=[]), 52)).severity == "warning"


def test_it_is_said_what_progress_could_have_done() -> None:
    tape = called(_meta={"progressToken": 1}).client(cancel(5), 61).server(result(5, content=[]), 62)
    assert only(tape).key == "tools/call export timed out"
    tape = called(_meta={"progressToken": 1})
    tape.server(told("notifications/progress", progressToken=1, progress=1), 2)
    tape.client(cancel(5), 61).server(result(5, content=[]), 62)
    assert only(tape).key == "tools/call export timed out"


def test_an_answer_long_after_any_other_cancellation_is_told_for_information() -> None:
    tape = called().client(cancel(5, reason="user"), 3).server(result(5, content=[]), 8)
    assert found(tape) == [("CAN003", "info", "undecided", (5, 6, 7), "tools/call export cancelled")]


def test_a_race_and_a_confirmation_are_no_late_answers() -> None:
    tape = called().client(cancel(5), 3).server(result(5, content=[]), 3.5)
    assert [each[0] for each in found(tape)] == ["CAN002"]
    tape = called().client(cancel(5, reason="timeout"), 3).server(error(5, 0, "Request cancelled"), 9)
    assert [each[0] for each in found(tape)] == ["CAN002"]


def test_a_request_without_a_target_is_told_by_its_method() -> None:
    tape = (
        begun().client(request(5, "prompts/list"), 1).client(cancel(5), 61).server(result(5, prompts=[]), 62)
    )
    assert only(tape).key == "prompts/list timed out"


def test_an_answer_after_the_end_of_the_requests_that_are_remembered_is_not_told() -> None:
    tape = begun()
    for id in range(1, 1003):
        tape.client(request(id, "tools/call", name="export"), 1).client(cancel(id, reason="timeout"), 2)
    tape.server(result(1, content=[]), 9).server(result(1002, content=[]), 9)
    late = [each for each in check(closed(tape, 10), rules=RULES) if each.rule == "CAN003"]
    assert [each.count for each in late] == [1]
