"""CAP001-006: what was used although it was not declared, or declared although it is not there."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from mcp_tap.diagnosis.finding import Finding
from mcp_tap.diagnosis.levels import LEVELS
from mcp_tap.rules.capabilities.cap001_not_offered import has_content
from tests.diagnosis.checking import begun, check, closed, findings_of, rules_of
from tests.record_cases import RECORDINGS, Tape, error, modern, request, result, told
from tests.rules.telling import BETWEEN

RULES = rules_of("CAP")

TOOLS: dict[str, Any] = {"tools": {}}


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


def refused(method: str = "resources/list", code: int = -32601) -> Tape:
    """A server that offers tools refuses what it does not offer (records 5 and 6, at 1 s)."""
    return begun(server=TOOLS).client(request(5, method), 0.9).server(error(5, code), 1)


HARMLESS = "client asked for resources/list although the server did not offer resources; harmless"


def test_a_list_that_is_not_offered_and_not_there_is_told_as_harmless() -> None:
    assert found(closed(refused(), 60)) == [("CAP001", "info", "client", (5,), HARMLESS)]


def test_case_a18_is_exactly_that() -> None:
    (finding,) = findings_of(RECORDINGS / "cases" / "A18.jsonl", BETWEEN)
    assert (finding.rule, finding.severity, finding.culprit) == ("CAP001", "info", "client")
    assert (finding.certainty, finding.records, finding.message) == ("proven", (5,), HARMLESS)
    assert [(each.rule, each.records) for each in finding.consequences] == [("RPC026", (5, 6))]


def test_the_lists_of_one_capability_are_told_together() -> None:
    tape = refused().client(request(6, "resources/templates/list"), 2).server(error(6, -32601), 2)
    tape.client(request(7, "resources/list"), 3).server(error(7, -32601), 3)
    tape.client(request(8, "prompts/list"), 4).server(error(8, -32601), 4)
    assert found(closed(tape, 60)) == [
        (
            *("CAP001", "info", "client", (5, 7, 9)),
            "client asked for resources/list and resources/templates/list although the server did not offer "
            "resources; harmless",
        ),
        (
            *("CAP001", "info", "client", (11,)),
            "client asked for prompts/list although the server did not offer prompts; harmless",
        ),
    ]


def test_an_empty_list_is_as_harmless() -> None:
    tape = begun(server=TOOLS).client(request(5, "resources/list"), 1).server(result(5, resources=[]), 1)
    assert found(closed(tape, 1.1)) == [("CAP001", "info", "client", (5,), HARMLESS)]


def test_that_something_is_harmless_is_not_said_of_what_is_not_known_whole() -> None:
    tape = refused().event("gap", 2, reason="disk full")
    assert (
        found(closed(tape, 60))[0][4]
        == "client asked for resources/list although the server did not offer resources"
    )


def test_what_a_client_wants_to_use_is_not_called_harmless() -> None:
    assert only(closed(refused("prompts/get"), 60)).message == (
        "client asked for prompts/get although the server did not offer prompts"
    )


def test_a_client_that_leaves_at_once_looks_as_if_it_did_for_that() -> None:
    finding = only(closed(refused(), 1.5))
    assert (finding.severity, finding.culprit, finding.certainty) == ("error", "client", "heuristic")
    assert finding.message == (
        "client asked for resources/list although the server did not offer resources; it left 0.50 s after "
        "that was refused, which looks like the reason"
    )


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
    message = (
        "server answers tools/list although it did not declare tools; "
        "clients that look at what is declared will not ask"
    )
    assert found(closed(tape, 1.5)) == [("CAP001", "warning", "server", (5, 6), message)]
    assert only(closed(tape, 1.5)).next == "declare tools in the server's capabilities"


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


def test_a_declared_list_that_is_not_there_is_the_servers_error() -> None:
    message = "server declared tools and answered tools/list with -32601, method not found"
    (finding,) = check(closed(refused("tools/list"), 60))
    assert (finding.rule, finding.severity, finding.culprit) == ("CAP002", "error", "server")
    assert (finding.records, finding.message) == ((5, 6), message)
    assert [each.rule for each in finding.consequences] == ["RPC026"]


def test_only_a_list_that_is_not_found_is_not_implemented() -> None:
    assert found(closed(refused("tools/list", -32603), 60)) == []
    tape = begun().client(request(5, "resources/templates/list"), 1).server(error(5, -32601), 1)
    assert found(closed(tape, 60)) == []
    tape = begun().server(request(5, "tools/list"), 1).client(error(5, -32601), 1)
    assert found(closed(tape, 60)) == []


def test_a_question_to_a_client_that_cannot_answer_is_the_servers_error() -> None:
    tape = begun().server(request(1, "roots/list"), 1).client(error(1, -32601), 1)
    (finding,) = check(closed(tape, 60))
    assert (finding.rule, finding.severity, finding.culprit) == ("CAP003", "error", "server")
    assert finding.message == "server sent roots/list although the client did not declare roots"
    assert (finding.records, [each.rule for each in finding.consequences]) == ((5,), ["RPC026"])


def test_a_question_that_was_answered_all_the_same_is_a_warning_until_one_is_not() -> None:
    tape = begun().server(request(1, "roots/list"), 1).client(result(1, roots=[]), 1)
    message = (
        "server sent roots/list although the client did not declare roots; the client answered all the same"
    )
    assert found(tape) == [("CAP003", "warning", "server", (5,), message)]
    assert only(tape.server(request(2, "roots/list"), 2).client(error(2, -32601), 2)).severity == "error"


def test_a_question_that_was_never_answered_is_told_at_the_end() -> None:
    tape = begun().server(request(1, "sampling/createMessage"), 1)
    assert found(tape) == []
    assert [each[:4] for each in found(closed(tape, 60))] == [("CAP003", "error", "server", (5,))]


def test_what_the_client_declared_may_be_asked_and_what_the_version_lacks_is_told_elsewhere() -> None:
    tape = begun(client={"roots": {}}).server(request(1, "roots/list"), 1).client(error(1, -32603), 1)
    assert found(closed(tape, 60)) == []
    tape = begun("2025-03-26").server(request(1, "elicitation/create"), 1).client(error(1, -32601), 1)
    assert found(closed(tape, 60)) == []
    tape = begun().client(request(1, "roots/list"), 1).server(error(1, -32601), 1)
    assert found(closed(tape, 60)) == []


@pytest.mark.parametrize("offer", [{}, {"tools": {}}, {"tools": {"listChanged": False}}, {"tools": True}])
def test_a_change_that_was_not_declared_is_a_warning(offer: dict[str, Any]) -> None:
    message = "server sent notifications/tools/list_changed and did not declare listChanged for tools"
    tape = begun(server=offer).server(told("notifications/tools/list_changed"), 1)
    assert found(tape) == [("CAP004", "warning", "server", (5,), message)]
    tape.server(told("notifications/tools/list_changed"), 2)
    assert only(tape).message == message + " (2 times)"


def test_a_change_that_was_declared_or_is_not_the_servers_is_none() -> None:
    tape = begun(server={"tools": {"listChanged": True}}).server(told("notifications/tools/list_changed"), 1)
    assert found(tape.client(told("notifications/prompts/list_changed"), 2)) == []


def test_a_log_message_that_was_not_announced_is_a_warning() -> None:
    message = "server sent notifications/message and did not declare logging"
    tape = begun(server={}).server(told("notifications/message", level="info", data="x"), 1)
    assert found(tape) == [("CAP005", "warning", "server", (5,), message)]
    assert found(begun(server={}).client(told("notifications/message", level="info", data="x"), 1)) == []


def levelled(level: Any = "error", answer: dict[str, Any] | None = None, version: str = "2025-11-25") -> Tape:
    """The client sets a level (records 5 and 6, at 1 s)."""
    tape = begun(version).client(request(5, "logging/setLevel", level=level), 1)
    return tape.server(result(5) if answer is None else answer, 1)


def asked_again() -> Tape:
    """The client asks for another level, and has no answer yet."""
    return levelled().client(request(6, "logging/setLevel", level="debug"), 2)


def log(level: Any) -> dict[str, Any]:
    return told("notifications/message", level=level, data="x")


def test_messages_below_the_level_that_was_set_are_a_warning_for_each_level() -> None:
    tape = levelled("warning").server(log("info"), 2).server(log("warning"), 2).server(log("info"), 2)
    message = (
        "server sent a log message of level info after the client had set the level to warning (2 times)"
    )
    assert found(tape.server(log("emergency"), 2)) == [("CAP006", "warning", "server", (7, 9), message)]


def test_the_levels_are_ordered() -> None:
    for number, level in enumerate(LEVELS):
        for other, below in enumerate(LEVELS):
            assert bool(found(levelled(level).server(log(below), 2))) is (other < number)


@pytest.mark.parametrize(
    "tape",
    [
        begun().server(log("debug"), 2),  # no level was set
        levelled().server(log("info"), 1.05),  # it was on its way
        levelled("loud").server(log("info"), 2),  # no level that is known
        levelled(3).server(log("info"), 2),
        levelled(answer=error(5, -32602)).server(log("info"), 2),  # not accepted
        levelled().server(log("chatty"), 2),
        levelled().server(log(None), 2),
        levelled().client(log("info"), 2),
        asked_again().server(log("info"), 2),  # it may have obeyed already
        levelled().event("gap", 1.5, reason="disk full").server(log("info"), 2),
        levelled(version="2026-07-28").server(log("info"), 2),
    ],
)
def test_a_message_is_not_below_a_level_that_is_not_sure(tape: Tape) -> None:
    assert found(tape) == []


def test_the_level_that_was_set_last_holds() -> None:
    tape = levelled("error").client(request(6, "logging/setLevel", level="debug"), 2).server(result(6), 2)
    assert found(tape.server(log("debug"), 3)) == []


@pytest.mark.parametrize("path", sorted((RECORDINGS / "v1").glob("*.jsonl")), ids=lambda path: path.stem)
def test_no_real_session_has_a_fault_of_the_six_families(path: Path) -> None:
    assert [each for each in findings_of(path, BETWEEN) if each.severity != "info"] == []
