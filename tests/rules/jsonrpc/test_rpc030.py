"""RPC030: peer could not read a message."""

from __future__ import annotations

from tests.diagnosis.checking import begun, check
from tests.record_cases import Tape, error, modern, request
from tests.rules.jsonrpc.errors_cases import RULES, found, only, refused


def test_a_message_that_the_peer_could_not_read_is_told_with_its_line() -> None:
    finding = only(refused(-32600, "Invalid Request"))
    assert (finding.rule, finding.severity, finding.culprit) == ("RPC030", "warning", "undecided")
    assert finding.key == "server tools/call -32600"
    assert finding.records == (5, 6)
    assert "export" in finding.evidence[0]
    assert [each.rule for each in finding.consequences] == ["RPC026"]


def test_a_complaint_without_an_id_is_about_what_was_sent_just_before() -> None:
    tape = begun().client(request(5, "tools/call", name="a"), 1).stderr("hm", 1.05)
    tape.server(error(None, -32700, "Parse error"), 1.1)
    assert found(tape) == [("RPC030", "warning", "undecided", (5, 7), "server  -32700")]


def test_who_sends_what_is_no_json_is_to_blame() -> None:
    tape = begun().client(b"{broken", 1).server(error(None, -32700, "Parse error"), 1.1)
    assert [each[:4] for each in found(tape)] == [("RPC030", "warning", "client", (5, 6))]
    tape = begun().client(b"{broken", 1).server(error(None, -32600), 1.1)
    assert [each[:4] for each in found(tape)] == [("RPC030", "warning", "client", (5, 6))]


def test_an_answer_to_a_notification_is_another_fault() -> None:
    assert found(begun().server(error(None, -32600), 1)) == []
    assert [each[0] for each in found(begun().server(error(None, -32700), 1))] == ["RPC030"]


def test_a_complaint_proves_nothing_where_records_are_missing_or_the_session_ends() -> None:
    assert found(begun().event("gap", 0.5, reason="disk full").server(error(None, -32700), 1)) == []
    assert found(Tape().start().server(error(None, -32700), 1)) == []
    tape = begun().event("eof", 1, stream="c2s").server(error(None, -32700), 1)
    assert check(tape, rules=RULES) == []


def test_a_probe_that_is_not_understood_is_no_complaint() -> None:
    probe = Tape().start().client(modern(1, "server/discover"), 1).server(error(1, -32600), 1)
    assert [each[0] for each in found(probe)] == ["RPC026"]


def test_a_request_long_before_is_told_without_its_line() -> None:
    tape = begun().client(request(5, "tools/call", name="a"), 1)
    for _ in range(20):
        tape.stderr("at work", 1)
    finding = only(tape.server(error(5, -32600), 2))
    assert (finding.rule, finding.evidence) == ("RPC030", ())
