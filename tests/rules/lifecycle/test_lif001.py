"""LIF001: session does not start with initialize."""

from __future__ import annotations

import pytest

from tests.diagnosis.checking import check, closed, facts
from tests.record_cases import Tape, error, modern, request, result
from tests.recordings.cases import CASES
from tests.rules.lifecycle.cases import INITIALIZED, LIF, agreed, call, found, offer, said


def test_a_session_that_begins_with_a_list_is_the_clients_error_and_explains_the_refusal() -> None:
    findings = check(CASES["A14"](), rules=LIF)
    assert facts(findings) == [
        ("LIF001", "error", "client", (2,), "tools/list"),
        ("LIF003", "error", "client", (6,), ""),
    ]


def test_a_session_without_any_initialize_is_told_once() -> None:
    tape = Tape().start()
    for number in range(3):
        tape.client(call(number), number).server(said(number), number + 0.1)
    assert found(closed(tape, 5)) == [("LIF001", "error", "client", (2, 4, 6), "tools/call")]


def test_requests_that_a_server_ignores_before_initialize_are_explained() -> None:
    tape = Tape().start().client(request(1, "tools/list"), 1).client(offer(), 2).server(agreed(), 2.1)
    tape.client(INITIALIZED, 2.1)
    (finding,) = check(closed(tape, 60), rules=LIF)
    assert [each[4] for each in facts([finding])] == ["tools/list"]
    assert [each.rule for each in finding.consequences] == ["LIF017"]


def test_ping_the_probe_and_a_request_without_a_handshake_may_come_first() -> None:
    probe = Tape().start().client(modern(1, "server/discover"), 0.1).server(error(1, -32601), 0.2)
    probe.client(request(2, "ping"), 0.2).server(result(2), 0.2)
    probe.client(offer(), 0.3).server(agreed(), 0.4).client(INITIALIZED, 0.4)
    assert [each[0] for each in found(closed(probe, 1))] == ["LIF015"]
    new = Tape().start().client(modern(1, "tools/list"), 0.1).server(result(1, tools=[]), 0.2)
    new.client(request(2, "tools/list"), 0.3)
    assert found(closed(new.server(result(2, tools=[]), 0.4), 1)) == []


@pytest.mark.parametrize("line", [b"{'initialize'}", b"Content-Length: 40"])
def test_a_line_that_cannot_be_read_may_have_been_the_initialize(line: bytes) -> None:
    tape = Tape().start().client(line, 0.1).client(request(1, "tools/list"), 0.2)
    assert found(closed(tape.server(result(1, tools=[]), 0.3), 1)) == []
