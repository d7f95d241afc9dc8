"""RES006: tool reported failure."""

from __future__ import annotations

from typing import Any

from mcp_tap.model.pairing import PARAMS_KEPT
from tests.diagnosis.checking import begun, check, held
from tests.record_cases import Tape, request, result
from tests.rules.results.cases import RULES, found, text


def failed(tape: Tape, id: int, words: str, **arguments: Any) -> Tape:
    """A call that fails."""
    tape.client(request(id, "tools/call", name="read", arguments=arguments), id)
    return tape.server(result(id, content=text(words), isError=True), id + 0.1)


def test_a_tool_that_failed_is_told_with_what_it_was_given_and_what_it_said() -> None:
    assert found(failed(begun(), 5, "no such\nfile", path="/a")) == [
        ("RES006", "info", "server", (6,), "read")
    ]


def test_failures_of_one_tool_are_one_finding() -> None:
    tape = failed(failed(begun(), 5, "one", path="/a"), 6, "two", path="/b")
    assert found(tape) == [("RES006", "info", "server", (6, 8), "read")]


def test_secrets_in_arguments_are_masked_and_long_ones_shortened() -> None:
    tape = failed(begun(), 5, "no", api_key="hunter2", path="/" + "a" * 100)
    (finding,) = held(check(tape, rules=RULES))
    assert finding.key == "read"
    assert "hunter2" not in finding.message
    assert len(finding.message) < 140


def test_a_failure_without_text_or_arguments_is_told_without() -> None:
    tape = (
        begun()
        .client(request(5, "tools/call", name="read"), 1)
        .server(result(5, content=[], isError=True), 1.1)
    )
    assert found(tape)[0][4] == "read"
    tape = begun().client(request(5, "tools/call", name="read"), 1)
    tape.server(result(5, content=[{"type": "text", "text": 7}], isError=True), 1.1)
    assert found(tape)[0][4] == "read"


def test_arguments_are_kept_of_so_many_open_calls() -> None:
    tape = begun()
    for id in range(PARAMS_KEPT + 1):
        tape.client(request(id + 5, "tools/call", name="read", arguments={"n": id}), 1)
    tape.server(result(PARAMS_KEPT + 5, content=[], isError=True), 2)
    assert found(tape)[0][4] == "read"
