"""RES006: tool reported failure."""

from __future__ import annotations

from typing import Any

from mcp_tap.rules.results._base import OPEN_KEPT
from tests.diagnosis.checking import begun
from tests.record_cases import Tape, request, result
from tests.rules.results.cases import found, text


def failed(tape: Tape, id: int, words: str, **arguments: Any) -> Tape:
    """A call that fails."""
    tape.client(request(id, "tools/call", name="read", arguments=arguments), id)
    return tape.server(result(id, content=text(words), isError=True), id + 0.1)


def test_a_tool_that_failed_is_told_with_what_it_was_given_and_what_it_said() -> None:
    message = 'tool `read` reported failure for {"path":"/a"}: \'no such file\''
    assert found(failed(begun(), 5, "no such\nfile", path="/a")) == [
        ("RES006", "info", "server", (6,), message)
    ]


def test_failures_of_one_tool_are_one_finding() -> None:
    tape = failed(failed(begun(), 5, "one", path="/a"), 6, "two", path="/b")
    ((_, _, _, records, message),) = found(tape)
    assert records == (6, 8)
    assert message == 'tool `read` reported failure 2 times, first for {"path":"/a"}: \'one\''


def test_secrets_in_arguments_are_masked_and_long_ones_shortened() -> None:
    ((_, _, _, _, message),) = found(failed(begun(), 5, "no", api_key="hunter2", path="/" + "a" * 100))
    assert message.startswith('tool `read` reported failure for {"api_key":"[masked]","path":"/aaa')
    assert len(message) < 140


def test_a_failure_without_text_or_arguments_is_told_without() -> None:
    tape = (
        begun()
        .client(request(5, "tools/call", name="read"), 1)
        .server(result(5, content=[], isError=True), 1.1)
    )
    assert found(tape)[0][4] == "tool `read` reported failure for no arguments"
    tape = begun().client(request(5, "tools/call", name="read"), 1)
    tape.server(result(5, content=[{"type": "text", "text": 7}], isError=True), 1.1)
    assert found(tape)[0][4] == "tool `read` reported failure for no arguments"


def test_arguments_are_kept_of_so_many_open_calls() -> None:
    tape = begun()
    for id in range(OPEN_KEPT + 1):
        tape.client(request(id + 5, "tools/call", name="read", arguments={"n": id}), 1)
    tape.server(result(5, content=[], isError=True), 2)
    assert found(tape)[0][4] == "tool `read` reported failure for no arguments"
