"""LIF001 to LIF004: requests of the client before the handshake is complete."""

from __future__ import annotations

import pytest

from mcp_tap.wire.lines import Segment
from tests.diagnosis.checking import begun, check, closed
from tests.record_cases import Tape, error, modern, request, result, told
from tests.recordings.cases import CASES
from tests.rules.lif import INITIALIZED, LIF, agreed, call, found, loud, offer, said


def test_a_session_that_begins_with_a_list_is_the_clients_error_and_explains_the_refusal() -> None:
    findings = check(CASES["A14"](), rules=LIF)
    assert [(each.rule, each.severity, each.culprit, each.records, each.message) for each in findings] == [
        (
            "LIF001",
            "error",
            "client",
            (2,),
            "client sent tools/list (id 0) before initialize; "
            "the server answered tools/list with error -32602",
        ),
        (
            "LIF003",
            "error",
            "client",
            (6,),
            "client sent tools/call search (id 2) and never notifications/initialized; "
            "the server answered tools/call search with error -32602",
        ),
    ]


def test_a_session_without_any_initialize_is_told_once() -> None:
    tape = Tape().start()
    for number in range(3):
        tape.client(call(number), number).server(said(number), number + 0.1)
    assert found(closed(tape, 5)) == [
        (
            "LIF001",
            "error",
            "client",
            (2, 4, 6),
            "client sent 3 requests, the first tools/call export (id 0), and no initialize",
        )
    ]


def test_requests_that_a_server_ignores_before_initialize_are_explained() -> None:
    tape = Tape().start().client(request(1, "tools/list"), 1).client(offer(), 2).server(agreed(), 2.1)
    tape.client(INITIALIZED, 2.1)
    (finding,) = check(closed(tape, 60), rules=LIF)
    assert finding.message == (
        "client sent tools/list (id 1) before initialize; the server did not answer tools/list"
    )
    assert [each.rule for each in finding.consequences] == ["LIF017"]


def test_ping_the_probe_and_a_request_without_a_handshake_may_come_first() -> None:
    probe = Tape().start().client(modern(1, "server/discover"), 0.1).server(error(1, -32601), 0.2)
    probe.client(request(2, "ping"), 0.2).server(result(2), 0.2)
    probe.client(offer(), 0.3).server(agreed(), 0.4).client(INITIALIZED, 0.4)
    assert [each[0] for each in found(closed(probe, 1))] == ["LIF015"]
    new = Tape().start().client(modern(1, "tools/list"), 0.1).server(result(1, tools=[]), 0.2)
    new.client(request(2, "tools/list"), 0.3)
    assert found(closed(new.server(result(2, tools=[]), 0.4), 1)) == []


@pytest.mark.parametrize("line", [b"{'initialize'}", b"Content-Length: 40"])
def test_a_line_that_cannot_be_read_may_have_been_the_initialize(line: bytes) -> None:
    tape = Tape().start().client(line, 0.1).client(request(1, "tools/list"), 0.2)
    assert found(closed(tape.server(result(1, tools=[]), 0.3), 1)) == []


def test_a_request_before_the_result_is_a_warning_where_it_is_answered() -> None:
    tape = Tape().start().client(offer(), 0.1).client(call(1), 0.2).server(agreed(), 0.3)
    tape.client(INITIALIZED, 0.3).server(said(1), 0.4)
    assert found(closed(tape, 1)) == [
        (
            "LIF002",
            "warning",
            "client",
            (3,),
            "client sent tools/call export (id 1) before the server had answered initialize",
        )
    ]


def test_a_request_before_the_result_is_an_error_where_it_is_refused() -> None:
    tape = Tape().start().client(offer(), 0.1).client(call(1), 0.2).server(agreed(), 0.3)
    tape.client(INITIALIZED, 0.3).server(error(1, -32600), 0.4)
    (finding,) = check(closed(tape, 1), rules=LIF)
    assert (finding.rule, finding.severity) == ("LIF002", "error")
    assert finding.message.endswith("; the server answered tools/call export with error -32600")


def test_a_ping_may_come_before_the_result() -> None:
    tape = Tape().start().client(offer(), 0.1).client(request(1, "ping"), 0.2).server(agreed(), 0.3)
    tape.server(result(1), 0.3).client(INITIALIZED, 0.3)
    assert found(closed(tape, 1)) == []


def test_where_initialize_is_never_answered_the_client_is_not_blamed_for_the_silence() -> None:
    tape = Tape().start().client(offer(), 0.1).client(call(1), 0.2)
    findings = check(closed(tape, 31), rules=LIF)
    assert [(each.rule, each.severity) for each in findings] == [("LIF010", "error"), ("LIF002", "warning")]
    assert [each.rule for each in findings[0].consequences] == ["LIF017"]


def handshake_without_the_end() -> Tape:
    return Tape().start().client(offer(), 0.1).server(agreed(), 0.2)


def test_a_missing_initialized_is_a_warning_where_the_server_answers_all_the_same() -> None:
    tape = handshake_without_the_end().client(call(1), 1).server(said(1), 1.1)
    tape.client(call(2, "gone"), 2).server(error(2, -32602, "unknown tool"), 2.1)
    assert found(closed(tape, 3)) == [
        (
            "LIF003",
            "warning",
            "client",
            (4, 6),
            "client sent 2 requests, the first tools/call export (id 1), and never notifications/initialized",
        )
    ]


def test_a_method_that_the_server_lacks_is_no_matter_of_the_handshake() -> None:
    tape = handshake_without_the_end().client(request(1, "prompts/list"), 1).server(error(1, -32601), 1.1)
    assert [each[:2] for each in found(closed(tape, 3))] == [("LIF003", "warning")]


def test_silence_after_a_missing_initialized_is_an_error_and_explained() -> None:
    tape = handshake_without_the_end().client(request(1, "tools/list"), 1)
    (finding,) = check(closed(tape, 61), rules=LIF)
    assert (finding.rule, finding.severity) == ("LIF003", "error")
    assert finding.message == (
        "client sent tools/list (id 1) and never notifications/initialized; "
        "the server did not answer tools/list"
    )
    assert [each.rule for each in finding.consequences] == ["LIF017"]


@pytest.mark.parametrize(
    ("instead", "words"),
    [
        (told("initialized"), " (it sent initialized)"),
        (
            request(7, "notifications/initialized"),
            " (it sent a request notifications/initialized, with an id)",
        ),
    ],
)
def test_what_a_client_says_instead_of_initialized_is_named(instead: dict[str, object], words: str) -> None:
    tape = handshake_without_the_end().client(instead, 0.3).client(call(1), 1).server(said(1), 1.1)
    (message,) = [each[4] for each in found(closed(tape, 1.5)) if each[0] == "LIF003"]
    assert message == f"client sent tools/call export (id 1) and never notifications/initialized{words}"


def test_initialized_that_could_not_be_read_is_not_called_missing() -> None:
    tape = handshake_without_the_end()
    tape.client(b'{"jsonrpc":"2.0","method":"notifications/initialized","params":{"a":NaN}}', 0.3)
    assert found(closed(tape.client(call(1), 1).server(said(1), 1.1), 2)) == []


def test_initialized_within_a_batch_counts() -> None:
    tape = Tape().start().client(offer(version="2025-03-26"), 0.1).server(agreed(version="2025-03-26"), 0.2)
    tape.client([INITIALIZED, call(1)], 0.3).server([said(1)], 0.4)
    assert found(closed(tape, 1)) == []


def test_requests_before_initialized_are_a_warning_where_they_are_answered() -> None:
    tape = handshake_without_the_end().client(call(1), 0.3).client(INITIALIZED, 0.4).server(said(1), 0.5)
    assert found(closed(tape, 1)) == [
        (
            "LIF004",
            "warning",
            "client",
            (4,),
            "client sent tools/call export (id 1) before notifications/initialized",
        )
    ]


def test_requests_before_initialized_are_an_error_where_they_are_refused() -> None:
    tape = handshake_without_the_end().client(call(1), 0.3).client(INITIALIZED, 0.4)
    tape.server(error(1, -32602, "Invalid request parameters"), 0.5)
    assert found(closed(tape, 1)) == [
        (
            "LIF004",
            "error",
            "client",
            (4,),
            "client sent tools/call export (id 1) before notifications/initialized; "
            "the server answered tools/call export with error -32602",
        )
    ]


def test_an_error_without_a_code_is_an_error_too() -> None:
    tape = handshake_without_the_end().client(call(1), 0.3).client(INITIALIZED, 0.4)
    tape.server({"jsonrpc": "2.0", "id": 1, "error": "no"}, 0.5)
    assert found(closed(tape, 1))[0][4].endswith("the server answered tools/call export with an error")


def test_pings_need_no_initialized() -> None:
    tape = handshake_without_the_end().client(request(1, "ping"), 0.3).server(result(1), 0.3)
    assert found(closed(tape, 1)) == []


def test_an_unknown_version_has_no_rules_of_its_own() -> None:
    tape = Tape().start().client(offer(version="2999-01-01"), 0.1).server(agreed(version="2999-01-01"), 0.2)
    assert found(closed(tape.client(call(1), 0.3).server(said(1), 0.4), 1)) == []


def test_what_is_missing_from_the_recording_is_not_called_missing_from_the_session() -> None:
    for lost in ("gap", "limit"):
        tape = Tape().start().event(lost, 0.05, records=1, bytes=70, reason="disk full")
        tape.client(call(1), 1).server(error(1, -32602), 1.1)
        assert found(closed(tape, 2)) == []
        tape = handshake_without_the_end().event(lost, 0.25, records=1, bytes=70, reason="disk full")
        assert found(closed(tape.client(call(1), 1).server(error(1, -32602), 1.1), 2)) == []
    torn = handshake_without_the_end()
    torn.seq += 1
    assert found(closed(torn.client(call(1), 1).server(error(1, -32602), 1.1), 2)) == []
    headless = Tape().client(call(1), 1).server(error(1, -32602), 1.1)
    assert found(closed(headless, 2)) == []


def test_half_a_line_at_the_end_may_be_the_initialized() -> None:
    tape = handshake_without_the_end().client(call(1), 1).server(said(1), 1.1)
    tape.line("c2s", Segment((b'{"jsonrpc":"2.0","me',), more=True), 1.2)
    assert found(tape) == []


def test_more_early_requests_than_are_remembered_are_still_counted() -> None:
    tape = handshake_without_the_end()
    for number in range(1, 151):
        tape.client(call(number), number).server(said(number), number + 0.1)
    ((_, severity, _, records, message),) = found(closed(tape, 200))
    assert severity == "warning"
    assert len(records) == 100
    assert message.startswith("client sent 150 requests, ")


def test_a_usual_session_has_no_findings() -> None:
    tape = begun().client(call(1), 1).server(said(1), 1.1)
    assert found(closed(tape, 2)) == []
    assert loud(Tape()) == []
