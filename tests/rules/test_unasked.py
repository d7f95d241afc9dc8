"""MOD014-016: what is said without a request that asks for it."""

from __future__ import annotations

from typing import Any

import pytest

from mcp_tap.record.secrets import MASK
from mcp_tap.rules.registry import RULES
from tests.diagnosis.checking import begun, check, closed
from tests.record_cases import VERSION, Tape, error, modern, request, result, told
from tests.rules.modern_cases import (
    ENVELOPE,
    HINTS,
    begun_offer,
    complete,
    found,
    rules,
    says,
    spoken,
    unshown,
)

# MOD014, MOD015


def test_a_request_of_the_server_is_its_fault_and_accounts_for_what_follows() -> None:
    tape = spoken().client(modern(2, "tools/call", name="x"), 1).server(request(1, "roots/list"), 1)
    tape.client(error(1, -32601), 1).server(request(2, "ping"), 2).server(complete(2, content=[]), 3)
    found = check(closed(tape, 30), rules=RULES)
    assert [(each.rule, each.severity, each.culprit, each.records, each.message) for each in found] == [
        (
            *("MOD014", "error", "server", (5,)),
            "server sent the request `roots/list`; since 2026-07-28 a server sends none",
        ),
        (
            *("MOD014", "error", "server", (7,)),
            "server sent the request `ping`; since 2026-07-28 a server sends none",
        ),
    ]
    assert {each.rule for finding in found for each in finding.consequences} >= {"RPC026"}


def test_it_is_told_as_soon_as_the_server_has_shown_its_era_by_the_answer_itself() -> None:
    tape = Tape().start().client(modern(1, "tools/call", name="x"), 0.1)
    tape.server(request(7, "sampling/createMessage", messages=[], maxTokens=1), 0.2)
    tape.client(result(7, role="assistant", model="m", content=[]), 0.3)
    assert rules(tape.server(complete(1, content=[]), 0.4)) == ["MOD014"]


def test_a_server_of_before_may_ask_although_there_was_no_handshake() -> None:
    tape = unshown().client(modern(2, "tools/call", name="x"), 1).server(request(1, "roots/list"), 1)
    assert rules(tape.client(result(1, roots=[]), 1).server(result(2, content=[]), 1)) == []


def test_it_may_after_a_handshake_and_where_one_may_be_lost() -> None:
    tape = spoken().client(begun_offer(2), 1).server(request(1, "ping"), 1).client(result(1), 1)
    assert rules(tape) == []
    tape = spoken().event("gap", 0.5, reason="disk full").server(request(1, "ping"), 1)
    assert rules(tape) == []
    sent = request(2, "tools/list", _meta={**ENVELOPE, VERSION: "2027-01-01"})
    tape = Tape().start().client(sent, 0.1).server(complete(2, tools=[]), 0.2).server(request(1, "ping"), 1)
    assert rules(tape) == []


def test_what_was_asked_before_a_handshake_that_came_after_all_is_let_pass() -> None:
    tape = Tape().start().client(modern(1, "server/discover"), 0.1).server(request(1, "ping"), 0.1)
    tape.client(begun_offer(2), 0.2)
    tape.server(complete(1, supportedVersions=["2026-07-28"], capabilities={}, **HINTS), 0.3)
    tape.server(result(2, protocolVersion="2025-11-25", capabilities={}, serverInfo={}), 0.4)
    tape.client(modern(3, "prompts/list"), 1).server(complete(3, prompts=[], **HINTS), 1)
    assert "MOD014" in rules(
        Tape()
        .start()
        .client(modern(1, "prompts/list"), 0)
        .server(request(1, "ping"), 0)
        .server(complete(1, prompts=[], **HINTS), 0)
    )
    assert rules(tape) == []


def test_a_response_of_the_client_is_its_fault() -> None:
    tape = spoken().client(result(7, roots=[]), 1).client(error("x", -32601), 2)
    found = check(closed(tape, 3), rules=RULES)
    assert [(each.rule, each.severity, each.culprit, each.records, each.message) for each in found] == [
        (
            *("MOD015", "error", "client", (4, 5)),
            "client sent a response (id 7) although the server has asked nothing (2 times)",
        )
    ]


def test_what_reports_a_bad_line_and_what_may_answer_something_is_let_pass() -> None:
    assert rules(spoken().client(error(None, -32700), 1)) == []
    assert rules(spoken().server(b"{not json", 0.9).client(result(7), 1)) == []
    assert rules(spoken().event("gap", 0.9, reason="disk full").client(result(7), 1)) == []
    assert rules(begun().client(result(7), 1)) == []


def log(level: Any = "info") -> dict[str, Any]:
    """A log message."""
    return told("notifications/message", level=level, data="booking")


# MOD016


def test_a_log_message_that_nobody_asked_for_is_the_servers_fault() -> None:
    tape = spoken().client(says(2, "tools/call", name="x"), 1).server(log(), 1).server(log(), 1)
    assert found(tape.server(complete(2, content=[]), 1)) == [
        (
            *("MOD016", "error", "server", (5, 6)),
            "server sent a log message of level info although no open request had asked for any (2 times)",
        )
    ]
    assert found(spoken().server(log(7), 1))[0][4] == (
        "server sent a log message although no open request had asked for any"
    )


def test_a_log_message_below_all_that_is_asked_for_is_the_servers_fault() -> None:
    tape = spoken().client(says(2, "tools/call", level="error", name="x"), 1)
    tape.client(says(3, "tools/call", level="warning", name="x"), 1).server(log("notice"), 1)
    assert found(tape.server(log("warning"), 1)) == [
        (
            *("MOD016", "error", "server", (6,)),
            "server sent a log message of level notice although the open requests ask for warning and above",
        )
    ]


@pytest.mark.parametrize("level", ["info", "debug", "loud", 7, MASK])
def test_any_open_request_may_be_meant(level: Any) -> None:
    tape = spoken().client(says(2, "tools/call", level=level, name="x"), 1)
    tape.client(says(3, "tools/call", level="alert", name="x"), 1).server(log(), 1).server(log(None), 1)
    assert rules(tape) == []


def test_messages_on_their_way_when_a_request_is_done_or_cancelled_are_let_pass() -> None:
    tape = spoken().client(says(2, "tools/call", level="info", name="x"), 1)
    tape.client(says(3, "tools/call", level="error", name="x"), 1)
    tape.server(complete(2, content=[]), 1.5).client(told("notifications/cancelled", requestId=3), 1.52)
    assert rules(tape.server(log(), 1.55)) == []
    assert [each[3] for each in found(spoken_again(tape).server(log(), 1.8))] == [(10,)]


def spoken_again(tape: Tape) -> Tape:
    """``tape`` up to before it was closed."""
    while tape.lines[-1].find(b'"dir":"tap"') >= 0:
        tape.lines.pop()
        tape.seq -= 1
    return tape.client(says(9, "prompts/list"), 1.7)


def test_nothing_is_said_of_log_messages_where_not_all_requests_are_known(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    assert rules(spoken().event("gap", 0.5, reason="disk full").server(log(), 1)) == []
    assert rules(spoken().client(b"{no json", 0.5).server(log(), 1)) == []
    assert rules(begun().client(modern(1, "prompts/list"), 1).server(log(), 1)) == []
    tape = unshown().client(modern(2, "tools/call", name="x"), 1).server(log(), 1)
    assert rules(tape.server({"jsonrpc": "2.0", "id": 2, "result": {"content": []}}, 1)) == []
    monkeypatch.setattr("mcp_tap.rules.modern.mod016_unasked_log.KEPT", 1)
    tape = spoken().client(says(2, "tools/call", level="info", name="x"), 1)
    tape.client(says(3, "tools/call", level="error", name="x"), 1).server(log(), 1)
    assert rules(tape) == []
