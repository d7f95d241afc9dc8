"""LIF006: server sent a request before the client was ready."""

from __future__ import annotations

import pytest

from tests.diagnosis.checking import check, closed
from tests.record_cases import Tape, request, result, told
from tests.rules.lifecycle.cases import INITIALIZED, LIF, call, found, said
from tests.rules.lifecycle.lifecycle_cases import half_begun


def test_a_server_that_asks_before_the_client_is_ready_is_warned_of() -> None:
    tape = half_begun().server(request(0, "roots/list"), 0.3).client(INITIALIZED, 0.4)
    assert found(closed(tape.client(result(0, roots=[]), 0.4), 1)) == [
        ("LIF006", "warning", "server", (4,), "roots/list")
    ]


@pytest.mark.parametrize(
    "tape",
    [
        half_begun().server(request(0, "ping"), 0.3).client(result(0), 0.3).client(INITIALIZED, 0.4),
        half_begun().client(INITIALIZED, 0.3).server(request(0, "roots/list"), 0.3),
        half_begun().client(b"{torn", 0.3).server(request(0, "roots/list"), 0.3),
        half_begun().server(told("notifications/message", level="info", data="up"), 0.3),
    ],
    ids=["ping", "after initialized", "a line that may have been initialized", "a log message"],
)
def test_what_a_server_may_say_at_the_beginning_is_no_finding(tape: Tape) -> None:
    if b"roots/list" in tape.lines[-1]:
        tape.client(result(0, roots=[]), 0.4)
    assert "LIF006" not in [each[0] for each in found(closed(tape, 1))]


def test_a_server_is_not_blamed_where_the_client_works_without_initialized() -> None:
    tape = half_begun().client(call(1), 0.3).server(request(0, "roots/list"), 0.3)
    tape.client(result(0, roots=[]), 0.4).server(said(1), 0.5)
    assert [each[0] for each in found(closed(tape, 1))] == ["LIF003"]


def test_a_server_that_asks_early_is_not_blamed_where_something_is_missing() -> None:
    tape = half_begun().event("gap", 0.25, records=1, bytes=9, reason="full")
    tape.server(request(0, "roots/list"), 0.3).client(result(0, roots=[]), 0.4)
    assert found(closed(tape, 1)) == []


def test_a_request_that_came_too_early_explains_why_it_was_never_answered() -> None:
    tape = half_begun().server(request(0, "roots/list"), 0.3).client(INITIALIZED, 0.4)
    (finding,) = check(closed(tape, 30), rules=LIF)
    assert finding.rule == "LIF006"
    assert sorted(each.rule for each in finding.consequences) == ["LIF017", "LIF021"]
