"""CAP001: capability used that the server did not declare."""

from __future__ import annotations

from typing import Any

import pytest

from mcp_tap.rules.capabilities.cap001_not_offered import has_content
from tests.diagnosis.checking import begun, check, closed, facts, findings_of
from tests.record_cases import RECORDINGS, Tape, error, modern, request, result, told
from tests.rules.capabilities.cases import RULES, TOOLS, found, only, refused
from tests.rules.telling import BETWEEN


def test_a_list_that_is_not_offered_and_not_there_is_told_as_harmless() -> None:
    assert found(closed(refused(), 60)) == [("CAP001", "info", "client", (5,), "resources")]


def test_case_a18_is_exactly_that() -> None:
    (finding,) = findings_of(RECORDINGS / "cases" / "A18.jsonl", BETWEEN)
    assert facts([finding]) == [("CAP001", "info", "client", (5,), "resources")]
    assert finding.certainty == "proven"
    assert [(each.rule, each.records) for each in finding.consequences] == [("RPC026", (5, 6))]


def test_the_lists_of_one_capability_are_told_together() -> None:
    tape = refused().client(request(6, "resources/templates/list"), 2).server(error(6, -32601), 2)
    tape.client(request(7, "resources/list"), 3).server(error(7, -32601), 3)
    tape.client(request(8, "prompts/list"), 4).server(error(8, -32601), 4)
    assert found(closed(tape, 60)) == [
        ("CAP001", "info", "client", (5, 7, 9), "resources"),
        ("CAP001", "info", "client", (11,), "prompts"),
    ]


def test_an_empty_list_is_as_harmless() -> None:
    tape = begun(server=TOOLS).client(request(5, "resources/list"), 1).server(result(5, resources=[]), 1)
    assert found(closed(tape, 1.1)) == [("CAP001", "info", "client", (5,), "resources")]


def test_that_something_is_harmless_is_not_said_of_what_is_not_known_whole() -> None:
    tape = refused().event("gap", 2, reason="disk full")
    assert [each[4] for each in found(closed(tape, 60))] == ["resources"]


def test_what_a_client_wants_to_use_is_not_called_harmless() -> None:
    assert only(closed(refused("prompts/get"), 60)).key == "prompts"


def test_a_client_that_leaves_at_once_looks_as_if_it_did_for_that() -> None:
    finding = only(closed(refused(), 1.5))
    assert (finding.severity, finding.culprit, finding.certainty) == ("error", "client", "heuristic")
    assert finding.key == "resources"


def listing_first() -> Tape:
    tape = begun(server=TOOLS).client(request(4, "tools/list"), 0.5).server(result(4, tools=[]), 0.5)
    return tape.client(request(5, "resources/list"), 0.9).server(error(5, -32601), 1)


def still_waiting() -> Tape:
    tape = begun(server=TOOLS).client(request(4, "tools/list"), 0.5)
    return tape.client(request(5, "resources/list"), 0.9).server(error(5, -32601), 1)


def failing_first() -> Tape:
    tape = begun(server=TOOLS).client(request(4, "tools/list"), 0.5).server(error(4, -32603), 0.5)
    return tape.client(request(5, "resources/list"), 0.9).server(error(5, -32601), 1)


@pytest.mark.parametrize(
    "tape",
    [
        closed(refused(), 3.1),  # later than two seconds
        closed(listing_first(), 1.1),  # it was just finishing
        closed(failing_first(), 1.1),  # it may have left for another reason
        closed(refused().client(told("notifications/roots/list_changed"), 1.05), 1.1),  # it went on
        closed(still_waiting(), 1.1),  # it may have given up that
        closed(refused().event("gap", 1.05, reason="disk full"), 1.1),
        refused().event("eof", 1.1, stream="c2s"),  # the end is not on file
        refused().event("eof", 1.1, stream="s2c").exit(1.1, "server-exit"),  # the server left
    ],
)
def test_a_client_that_leaves_is_not_said_to_have_failed_without_proof(tape: Tape) -> None:
    findings = [each for each in check(tape, rules=RULES) if each.rule == "CAP001"]
    assert [(each.severity, each.certainty) for each in findings] == [("info", "proven")]


def test_a_server_that_serves_what_it_does_not_declare_should_declare_it() -> None:
    tape = begun(server={}).client(request(5, "tools/list"), 1).server(result(5, tools=[{"name": "a"}]), 1.1)
    assert found(closed(tape, 1.5)) == [("CAP001", "warning", "server", (5, 6), "tools served")]


@pytest.mark.parametrize(
    ("method", "answer", "content"),
    [
        ("tools/list", {"tools": []}, False),
        ("tools/list", {"tools": [{}]}, True),
        ("tools/call", {"content": []}, True),
        ("logging/setLevel", {"_meta": {}, "resultType": "complete"}, False),
        ("completion/complete", {"completion": {"values": []}}, False),
        ("completion/complete", {"completion": {"values": ["a"]}}, True),
        ("completion/complete", {"completion": 1}, False),
    ],
)
def test_a_polite_nothing_is_told_from_content(method: str, answer: dict[str, Any], content: bool) -> None:
    assert has_content(method, answer) is content


def test_what_is_declared_or_needs_no_declaration_may_be_used() -> None:
    assert found(closed(begun(server=TOOLS).client(request(5, "ping"), 1).server(result(5), 1), 1.1)) == []
    tape = (
        begun("2024-11-05", server={})
        .client(request(5, "completion/complete"), 1)
        .server(error(5, -32601), 1)
    )
    assert found(closed(tape, 60)) == []
    tape = (
        begun("2025-03-26", server={})
        .client(request(5, "completion/complete"), 1)
        .server(error(5, -32601), 1)
    )
    assert [each[0] for each in found(closed(tape, 60))] == ["CAP001"]
    tape = (
        begun("2027-01-01", server={})
        .client(request(5, "completion/complete"), 1)
        .server(error(5, -32601), 1)
    )
    assert found(closed(tape, 60)) == []


def test_a_capability_that_is_null_is_not_declared() -> None:
    tape = (
        begun(server={"resources": None}).client(request(5, "resources/list"), 1).server(error(5, -32601), 1)
    )
    assert [each[0] for each in found(closed(tape, 60))] == ["CAP001"]


@pytest.mark.parametrize("tape", [Tape(), Tape().start()])
def test_nothing_is_said_of_a_server_whose_declaration_is_not_known(tape: Tape) -> None:
    tape.client(request(5, "resources/list"), 1).server(error(5, -32601), 1)
    tape.server(told("notifications/tools/list_changed"), 1).server(told("notifications/message"), 1)
    tape.server(request(1, "roots/list"), 2).client(error(1, -32601), 2)
    assert found(closed(tape, 3)) == []


def test_a_server_of_the_new_era_that_was_not_asked_what_it_offers_has_not_declared_nothing() -> None:
    tape = Tape().start().client(modern(1, "prompts/list"), 0.1).server(error(1, -32601), 0.2)
    assert found(closed(tape, 60)) == []
