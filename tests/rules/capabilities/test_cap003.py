"""CAP003: capability used that the client did not declare."""

from __future__ import annotations

from tests.diagnosis.checking import begun, check, closed, facts
from tests.record_cases import error, request, result
from tests.rules.capabilities.cases import found, only


def test_a_question_to_a_client_that_cannot_answer_is_the_servers_error() -> None:
    tape = begun().server(request(1, "roots/list"), 1).client(error(1, -32601), 1)
    (finding,) = check(closed(tape, 60))
    assert facts([finding]) == [("CAP003", "error", "server", (5,), "roots/list")]
    assert [each.rule for each in finding.consequences] == ["RPC026"]


def test_a_question_that_was_answered_all_the_same_is_a_warning_until_one_is_not() -> None:
    tape = begun().server(request(1, "roots/list"), 1).client(result(1, roots=[]), 1)
    assert found(tape) == [("CAP003", "warning", "server", (5,), "roots/list")]
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
