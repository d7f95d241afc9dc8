"""MOD014: request sent by the server."""

from __future__ import annotations

from mcp_tap.rules.registry import RULES
from tests.diagnosis.checking import check, closed, facts
from tests.record_cases import VERSION, Tape, error, modern, request, result
from tests.rules.modern.cases import ENVELOPE, HINTS, begun_offer, complete, rules, spoken, unshown


def test_a_request_of_the_server_is_its_fault_and_accounts_for_what_follows() -> None:
    tape = spoken().client(modern(2, "tools/call", name="x"), 1).server(request(1, "roots/list"), 1)
    tape.client(error(1, -32601), 1).server(request(2, "ping"), 2).server(complete(2, content=[]), 3)
    found = check(closed(tape, 30), rules=RULES)
    assert facts(found) == [
        ("MOD014", "error", "server", (5,), "roots/list"),
        ("MOD014", "error", "server", (7,), "ping"),
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
