"""CAN001-003: requests that were cancelled, and what came of it."""

from __future__ import annotations

from typing import Any

import pytest

from mcp_tap.diagnosis.finding import Finding
from mcp_tap.rules.utilities.can002_request_cancelled import AT_THE_LIMIT
from mcp_tap.rules.utilities.can003_late_answer import FASTER
from tests.diagnosis.checking import begun, check, closed, findings_of, rules_of
from tests.record_cases import RECORDINGS, Tape, error, modern, request, result, told
from tests.rules.telling import BETWEEN

RULES = rules_of("CAN")


def found(tape: Tape) -> list[tuple[str, str, str, tuple[int, ...], str]]:
    """What the rules of this family find."""
    return [
        (each.rule, each.severity, each.culprit, each.records, each.message)
        for each in check(tape, rules=RULES)
    ]


def only(tape: Tape) -> Finding:
    """The one finding."""
    (finding,) = check(tape, rules=RULES)
    return finding


def cancel(id: Any, **more: Any) -> dict[str, Any]:
    return told("notifications/cancelled", requestId=id, **more)


def called(tape: Tape | None = None, **more: Any) -> Tape:
    """The client calls a tool at 1 s (record 5)."""
    return (tape or begun()).client(request(5, "tools/call", name="export", **more), 1)


def test_a_cancellation_of_what_was_never_sent_is_a_warning() -> None:
    message = "client cancelled request 9, but had no request with this id open"
    assert found(begun().client(cancel(9), 1)) == [("CAN001", "warning", "client", (5,), message)]


def test_an_id_of_another_type_cancels_nothing() -> None:
    message = 'client cancelled request "5", but had no request with this id open'
    assert [each[4] for each in found(called().client(cancel("5"), 2))] == [message]


def test_a_cancellation_long_after_the_answer_is_a_warning_and_a_race_is_not() -> None:
    tape = called().server(result(5, content=[]), 2)
    assert found(tape.client(cancel(5), 2.9)) == []
    message = "client cancelled tools/call `export` 2.00 s after its answer"
    assert found(tape.client(cancel(5), 4)) == [("CAN001", "warning", "client", (5, 8), message)]


def test_only_who_has_sent_a_request_can_cancel_it() -> None:
    message = "server cancelled tools/call `export` of the client: only who has sent a request can cancel it"
    assert found(called().server(cancel(5), 2)) == [("CAN001", "warning", "server", (6,), message)]


def test_a_server_may_end_a_subscription_and_a_client_too() -> None:
    tape = Tape().start().client(modern(1, "subscriptions/listen", notifications={}), 0.1)
    assert found(tape.server(cancel(1), 1)) == []
    tape = Tape().start().client(modern(1, "subscriptions/listen", notifications={}), 0.1)
    assert found(tape.client(cancel(1), 1)) == []


@pytest.mark.parametrize("id", [None, True, {}, "[masked]"])
def test_what_can_name_no_request_is_told_elsewhere(id: Any) -> None:
    assert found(begun().client(cancel(id), 1)) == []


def test_a_cancellation_without_an_id_is_told_elsewhere() -> None:
    assert found(begun().client(told("notifications/cancelled"), 1)) == []


@pytest.mark.parametrize(
    "tape",
    [
        Tape().client(cancel(9), 1),
        Tape().start().event("gap", 0.5, reason="disk full").client(cancel(9), 1),
        Tape().start().event("limit", 0.5, bytes=1000).client(cancel(9), 1),
        Tape().start().client(b'{"id":9,"method":"tools/list","params":{"x":NaN}}', 0.5).client(cancel(9), 1),
    ],
)
def test_a_request_is_not_unknown_that_may_be_missing_or_could_not_be_read(tape: Tape) -> None:
    assert found(tape) == []


def test_a_missing_record_may_have_been_the_request() -> None:
    tape = begun()
    tape.seq += 1
    assert found(tape.client(cancel(9), 1)) == []


def test_a_cancelled_request_is_told_with_the_time_and_the_reason() -> None:
    message = "client cancelled tools/call `export` after 3.00 s: 'no need any more'"
    tape = called().client(cancel(5, reason="no need  any more"), 4)
    assert found(tape) == [("CAN002", "info", "undecided", (5, 6), message)]


def test_a_cancellation_that_is_repeated_counts_once_and_another_one_twice() -> None:
    tape = called().client(cancel(5), 4).client(cancel(5), 5)
    assert only(tape).count == 1
    tape.client(request(6, "tools/call", name="export"), 6).client(cancel(6), 7)
    assert only(tape).message == "client cancelled tools/call `export` after 3.00 s (2 times)"


@pytest.mark.parametrize(("t", "near"), [(61, True), (59.5, True), (58, False), (64, False)])
def test_sixty_seconds_are_named_as_what_they_most_likely_are(t: float, near: bool) -> None:
    assert (only(called().client(cancel(5), t)).next == AT_THE_LIMIT) is near


def test_what_a_server_drops_while_its_client_leaves_is_not_told() -> None:
    tape = begun(client={"roots": {}}).server(request(1, "roots/list"), 1).event("eof", 2, stream="c2s")
    assert found(tape.server(cancel(1), 2.1)) == []


def test_a_reason_that_is_no_text_or_masked_is_left_out() -> None:
    for reason in (7, "[masked]", ""):
        message = "client cancelled tools/call `export` after 3.00 s"
        assert only(called().client(cancel(5, reason=reason), 4)).message == message


def test_a_cancelled_initialize_or_probe_is_told_elsewhere() -> None:
    probe = Tape().start().client(modern(1, "server/discover"), 0.1).client(cancel(1), 3)
    assert found(probe) == []
    tape = Tape().start().client(request(0, "initialize", protocolVersion="2025-11-25"), 0.1)
    assert found(tape.client(cancel(0), 1)) == []


A20 = (
    "client gave up on `export` after 60.0 s; the answer came 1.40 s later. "
    "No progressToken was sent, so progress cannot extend the limit"
)


def test_case_a20_is_a_late_answer_and_the_cancellation_its_consequence() -> None:
    (finding,) = findings_of(RECORDINGS / "cases" / "A20.jsonl", BETWEEN)
    assert (finding.rule, finding.severity, finding.culprit) == ("CAN003", "warning", "undecided")
    assert (finding.records, finding.message, finding.next) == ((5, 6, 7), A20, FASTER)
    assert [(each.rule, each.records) for each in finding.consequences] == [("CAN002", (5, 6))]


def test_a_timeout_is_known_by_its_reason_or_by_its_length() -> None:
    tape = called().client(cancel(5, reason="MCP error -32001: Request timed out"), 11)
    finding = only(tape.server(result(5, content=[]), 11.2))
    assert finding.severity == "warning"
    assert finding.message.startswith("client gave up on `export` after 10.0 s; the answer came 0.20 s later")
    assert only(called().client(cancel(5), 51).server(result(5, content=[]), 52)).severity == "warning"


def test_it_is_said_what_progress_could_have_done() -> None:
    tape = called(_meta={"progressToken": 1}).client(cancel(5), 61).server(result(5, content=[]), 62)
    assert only(tape).message.endswith("later. A progressToken was sent, but no progress was reported")
    tape = called(_meta={"progressToken": 1})
    tape.server(told("notifications/progress", progressToken=1, progress=1), 2)
    tape.client(cancel(5), 61).server(result(5, content=[]), 62)
    assert only(tape).message.endswith("came 1.00 s later, in spite of 1 progress notification")


def test_an_answer_long_after_any_other_cancellation_is_told_for_information() -> None:
    message = "client cancelled `export` after 2.00 s, the answer came 5.00 s later"
    tape = called().client(cancel(5, reason="user"), 3).server(result(5, content=[]), 8)
    assert found(tape) == [("CAN003", "info", "undecided", (5, 6, 7), message)]


def test_a_race_and_a_confirmation_are_no_late_answers() -> None:
    tape = called().client(cancel(5), 3).server(result(5, content=[]), 3.5)
    assert [each[0] for each in found(tape)] == ["CAN002"]
    tape = called().client(cancel(5, reason="timeout"), 3).server(error(5, 0, "Request cancelled"), 9)
    assert [each[0] for each in found(tape)] == ["CAN002"]


def test_a_request_without_a_target_is_told_by_its_method() -> None:
    tape = (
        begun().client(request(5, "prompts/list"), 1).client(cancel(5), 61).server(result(5, prompts=[]), 62)
    )
    assert only(tape).message.startswith("client gave up on prompts/list after 60.0 s")


def test_an_answer_after_the_end_of_the_requests_that_are_remembered_is_not_told() -> None:
    tape = begun()
    for id in range(1, 1003):
        tape.client(request(id, "tools/call", name="export"), 1).client(cancel(id, reason="timeout"), 2)
    tape.server(result(1, content=[]), 9).server(result(1002, content=[]), 9)
    late = [each for each in check(closed(tape, 10), rules=RULES) if each.rule == "CAN003"]
    assert [each.count for each in late] == [1]
