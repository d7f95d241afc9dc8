"""RES009: the same call fails again and again."""

from __future__ import annotations

from typing import Any

from mcp_tap.rules.results import _base, res009_retry_loop
from mcp_tap.rules.results.res009_retry_loop import RetryLoop
from tests.diagnosis.checking import begun, check, closed
from tests.record_cases import Tape, error, request, result

FAILED: dict[str, Any] = {"content": [{"type": "text", "text": "no such file"}], "isError": True}
DONE: dict[str, Any] = {"content": []}


def calls(*said: tuple[Any, dict[str, Any]], tape: Tape | None = None) -> Tape:
    """Calls of ``read``: arguments, and the members of the result."""
    tape = tape or begun()
    for id, (arguments, answer) in enumerate(said, 5):
        tape.client(request(id, "tools/call", name="read", arguments=arguments), id)
        tape.server(result(id, **answer), id + 0.1)
    return closed(tape, 99)


def told(tape: Tape) -> list[tuple[str, tuple[int, ...]]]:
    return [(finding.message, finding.records) for finding in check(tape, rules=[RetryLoop])]


def test_three_equal_calls_that_fail_are_a_loop_and_each_further_one_belongs_to_it() -> None:
    same = ({"path": "/a", "n": 1}, FAILED), ({"n": 1, "path": "/a"}, FAILED)
    assert told(calls(*same, same[0])) == [
        ("client called `read` 3 times with equal arguments, and each failed", (6, 8, 10))
    ]
    assert told(calls(*same, *same, same[0])) == [
        ("client called `read` 5 times with equal arguments, and each failed", (6, 8, 10, 12, 14))
    ]


def test_two_failures_are_none_and_so_are_three_of_different_calls() -> None:
    assert told(calls(({}, FAILED), ({}, FAILED))) == []
    assert told(calls(*(({"n": n}, FAILED) for n in range(5)))) == []


def test_a_success_in_between_ends_the_count() -> None:
    assert told(calls(({}, FAILED), ({}, FAILED), ({}, DONE), ({}, FAILED), ({}, FAILED))) == []


def test_an_error_is_a_failure_too() -> None:
    tape = begun()
    for id in range(5, 8):
        tape.client(request(id, "tools/call", name="read"), id).server(error(id, -32603), id + 0.1)
    (finding,) = check(tape, rules=[RetryLoop])
    assert (finding.severity, finding.culprit, finding.count, finding.key) == ("warning", "client", 1, "read")


def test_two_loops_of_one_tool_are_one_finding_with_the_longer_one() -> None:
    one, other = ({"n": 1}, FAILED), ({"n": 2}, FAILED)
    assert told(calls(*[one] * 3, *[other] * 4)) == [
        ("client called `read` 4 times with equal arguments, and each failed", (6, 8, 10, 12, 14, 16, 18))
    ]


def test_what_cannot_be_known_is_not_told() -> None:
    masked = ({"token": "[masked]"}, FAILED)
    assert told(calls(masked, masked, masked)) == []
    lost = begun().event("gap", 1, records=2, bytes=100, reason="full")
    assert told(calls(*[({}, FAILED)] * 3, tape=lost)) == []
    nameless = begun()
    for id in range(5, 8):
        nameless.client(request(id, "tools/call"), id).server(result(id, **FAILED), id + 0.1)
    assert told(nameless) == []


def test_what_is_remembered_is_bounded(monkeypatch: Any) -> None:
    monkeypatch.setattr(res009_retry_loop, "FAILING_KEPT", 1)
    monkeypatch.setattr(_base, "OPEN_KEPT", 1)
    assert told(calls(({"n": 1}, FAILED), *[({"n": 2}, FAILED)] * 3)) == []
    tape = begun()
    for id in (5, 6, 7):
        tape.client(request(id, "tools/call", name="read"), 1)
    for id in (5, 6, 7):
        tape.server(result(id, **FAILED), 2)
    assert told(tape) == []


def test_arguments_nested_beyond_writing_are_no_obstacle() -> None:
    deep: Any = 1
    for _ in range(300):
        deep = [deep]
    assert res009_retry_loop.fingerprint({"arguments": {"a": deep}}) == 0
