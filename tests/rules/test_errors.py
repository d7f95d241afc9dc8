"""RPC026-030: requests that were answered by an error, and what its code means."""

from __future__ import annotations

from typing import Any

import pytest

from mcp_tap.diagnosis.finding import Finding
from mcp_tap.rules.jsonrpc.rpc026_request_failed import CODES
from tests.diagnosis.checking import begun, check, closed, rules_of
from tests.record_cases import Tape, error, modern, request, result, told

RULES = rules_of("RPC026", "RPC027", "RPC028", "RPC029", "RPC030")


def found(tape: Tape) -> list[tuple[str, str, str, tuple[int, ...], str]]:
    """What the rules of this family find, if the client closes 60 s after the start."""
    return [
        (each.rule, each.severity, each.culprit, each.records, each.message)
        for each in check(closed(tape, 60), rules=RULES)
    ]


def refused(code: Any, words: Any = "no", method: str = "tools/call", **params: Any) -> Tape:
    """The client asks (record 5), and the server refuses (record 6)."""
    tape = begun().client(request(5, method, **(params or {"name": "export"})), 1)
    return tape.server({"jsonrpc": "2.0", "id": 5, "error": {"code": code, "message": words}}, 1.1)


def only(tape: Tape) -> Finding:
    """The one finding."""
    (finding,) = check(closed(tape, 60), rules=RULES)
    return finding


def test_an_error_is_told_with_its_request_its_words_and_the_name_of_its_code() -> None:
    message = "server answered tools/call `export` with -32602 'Unknown tool' (invalid params)"
    assert found(refused(-32602, "Unknown tool")) == [("RPC026", "info", "undecided", (5, 6), message)]


def test_an_error_without_words_is_told_without() -> None:
    assert (
        found(refused(-32603, ""))[0][4] == "server answered tools/call `export` with -32603 (internal error)"
    )
    assert (
        found(refused(-32603, 7))[0][4] == "server answered tools/call `export` with -32603 (internal error)"
    )


def test_what_to_do_depends_on_the_code_and_the_method() -> None:
    assert only(refused(-32602)).next == (
        "check the tool's name against tools/list, and the arguments against its inputSchema"
    )
    assert only(refused(-32602, method="completion/complete")).next == CODES[-32602][1]
    assert only(refused(-32602, method="tools/list", cursor="x")).next.startswith("check the cursor")
    assert only(refused(-32002, method="resources/read", uri="x:y")).next == CODES[-32002][1]
    assert only(refused(-31000)).message.endswith("(the peer's own code)")


def test_equal_errors_are_one_finding_and_another_tool_or_code_another() -> None:
    tape = begun()
    for id, name, code in ((5, "a", -32602), (6, "a", -32602), (7, "b", -32602), (8, "a", -32603)):
        tape.client(request(id, "tools/call", name=name), 1).server(error(id, code), 1)
    assert [(each.key, each.count) for each in check(closed(tape, 60), rules=RULES)] == [
        ("server tools/call a -32602", 2),
        ("server tools/call b -32602", 1),
        ("server tools/call a -32603", 1),
    ]


def test_the_client_refuses_too() -> None:
    tape = begun().server(request(1, "sampling/createMessage"), 1).client(error(1, -1, "User said no"), 2)
    message = "client answered sampling/createMessage with -1 'User said no' (rejected)"
    assert found(tape) == [("RPC026", "info", "undecided", (5, 6), message)]


def test_a_secret_in_an_error_or_a_uri_is_not_told() -> None:
    tape = refused(-32002, "no token=abc123secret", "resources/read", uri="https://me:hunter2@example.com/x")
    finding = only(tape)
    assert "hunter2" not in finding.message + finding.key


def test_an_error_that_nobody_waits_for_is_not_told() -> None:
    tape = begun().client(request(5, "tools/call", name="a"), 1)
    tape.client(told("notifications/cancelled", requestId=5), 2).server(error(5, 0, "Request cancelled"), 3)
    assert found(tape) == []
    tape = begun().client(request(5, "tools/call", name="a"), 1).event("eof", 2, stream="c2s")
    assert check(tape.server(error(5, -32000, "Connection closed"), 2.1), rules=RULES) == []


@pytest.mark.parametrize("code", ["-32602", None, True, -32602.5])
def test_a_code_that_is_no_integer_is_told_elsewhere(code: Any) -> None:
    assert found(refused(code)) == []


def test_an_error_that_is_no_object_is_told_elsewhere() -> None:
    tape = begun().client(request(5, "tools/list"), 1).server({"jsonrpc": "2.0", "id": 5, "error": "no"}, 1)
    assert found(tape) == []


@pytest.mark.parametrize(
    ("code", "why"),
    [
        (404, "an HTTP status, not a JSON-RPC code"),
        (0, "0 says nothing; the Python SDK sends it for an exception that a handler did not catch"),
        (7, "JSON-RPC codes are negative"),
    ],
)
def test_a_code_that_is_not_negative_is_unusual(code: int, why: str) -> None:
    message = f"server answered tools/call `export` with {code} 'boom': {why}"
    finding = only(refused(code, "boom"))
    assert (finding.rule, finding.severity, finding.culprit) == ("RPC027", "warning", "server")
    assert (finding.records, finding.message) == ((5, 6), message)
    assert [each.rule for each in finding.consequences] == ["RPC026"]


def modern_refused(code: int) -> Tape:
    """A server of the new era refuses (records 4 and 5)."""
    tape = Tape().start().client(modern(1, "tools/list"), 0.1).server(result(1, tools=[]), 0.2)
    return tape.client(modern(2, "resources/read", uri="x:y"), 1).server(error(2, code, "no"), 1)


@pytest.mark.parametrize(
    ("code", "rule"),
    [
        (-32050, "RPC028"),
        (-32099, "RPC028"),
        (-32020, "RPC026"),
        (-32021, "RPC026"),
        (-32022, "RPC026"),
        (-32019, "RPC026"),
        (-32100, "RPC026"),
        (-32002, "RPC029"),
        (-32042, "RPC029"),
    ],
)
def test_the_new_era_has_fixed_what_codes_mean(code: int, rule: str) -> None:
    finding = only(modern_refused(code))
    assert (finding.rule, finding.records) == (rule, (4, 5))
    assert finding.severity == ("info" if rule == "RPC026" else "error")


def test_codes_of_the_new_era_are_told_with_what_to_use_instead() -> None:
    assert only(modern_refused(-32050)).message == (
        "server answered resources/read `x:y` with -32050 'no': "
        "a code that 2026-07-28 keeps for itself and has not defined"
    )
    assert only(modern_refused(-32002)).message == (
        "server answered resources/read `x:y` with -32002 'no': "
        "since 2026-07-28 a resource that is not there is -32602"
    )


@pytest.mark.parametrize("code", [-32050, -32002])
def test_a_server_of_before_is_not_held_to_the_codes_of_the_new_era(code: int) -> None:
    assert [each[0] for each in found(refused(code))] == ["RPC026"]
    probe = Tape().start().client(modern(1, "server/discover"), 1).server(error(1, code), 1)
    assert [each[0] for each in found(probe)] == ["RPC026"]


def test_a_message_that_the_peer_could_not_read_is_told_with_its_line() -> None:
    finding = only(refused(-32600, "Invalid Request"))
    assert (finding.rule, finding.severity, finding.culprit) == ("RPC030", "warning", "undecided")
    assert finding.message == (
        "server answered the client's tools/call `export` with -32600 'Invalid Request': "
        "it did not take it for a request"
    )
    assert finding.records == (5, 6)
    assert "export" in finding.evidence[0]
    assert [each.rule for each in finding.consequences] == ["RPC026"]


def test_a_complaint_without_an_id_is_about_what_was_sent_just_before() -> None:
    tape = begun().client(request(5, "tools/call", name="a"), 1).stderr("hm", 1.05)
    tape.server(error(None, -32700, "Parse error"), 1.1)
    message = (
        "server answered what the client had sent just before with -32700 'Parse error': it could not read it"
    )
    assert found(tape) == [("RPC030", "warning", "undecided", (5, 7), message)]


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
