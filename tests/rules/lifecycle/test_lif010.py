"""LIF010: initialize never answered."""

from __future__ import annotations

import pytest

from mcp_tap.wire.lines import Segment
from tests.diagnosis.checking import check, closed
from tests.record_cases import Tape, modern, request, result
from tests.recordings.cases import CASES
from tests.rules.lifecycle.cases import LIF, call, found, offer


def test_a_client_that_waits_in_vain_for_initialize_blames_nobody() -> None:
    assert found(closed(Tape().start().client(offer(), 0.1), 30.1)) == [
        ("LIF010", "error", "undecided", (2,), "")
    ]


def test_headers_on_stdout_are_no_answer() -> None:
    assert found(CASES["A04"]()) == [("LIF010", "error", "undecided", (2,), "")]


def test_a_launcher_that_is_still_at_work_leaves_initialize_unanswered() -> None:
    assert [each[:4] for each in found(CASES["A21"]())] == [("LIF010", "error", "undecided", (2,))]


@pytest.mark.parametrize("ends", ["signal", "broken_pipe"])
def test_how_the_client_gave_up_is_told(ends: str) -> None:
    tape = Tape().start().client(offer(), 0.1)
    fields = {"name": "SIGINT", "forwarded": True} if ends == "signal" else {"stream": "s2c"}
    tape.event(ends, 30.1, **fields).exit(30.2, "client-signal" if ends == "signal" else "client-gone")
    assert found(tape) == [("LIF010", "error", "undecided", (2,), "")]


def test_a_client_that_hardly_waits_is_information() -> None:
    assert [each[:2] for each in found(closed(Tape().start().client(offer(), 0.1), 1.1))] == [
        ("LIF010", "info")
    ]
    assert found(closed(Tape().start().client(offer(), 0.1), 0.14)) == []


def test_what_else_was_asked_in_vain_is_a_consequence() -> None:
    tape = Tape().start().client(offer(), 0.1).client(request(1, "ping"), 5).client(request(2, "ping"), 15)
    (finding,) = check(closed(tape, 60), rules=LIF)
    assert finding.rule == "LIF010"
    assert finding.consequences == ()


@pytest.mark.parametrize("name", ["A05", "A27", "A28"])
def test_a_server_that_died_is_told_of_by_its_exit(name: str) -> None:
    assert "LIF010" not in [each[0] for each in found(CASES[name]())]


def test_a_server_that_never_ran_is_told_of_by_its_start() -> None:
    tape = Tape().event("start", format=1, argv=["x"]).client(offer(), 0.1)
    tape.event("spawn_failed", 0.2, error="command not found: x", code=127).exit(5.2, "spawn-failed", 127)
    assert found(tape) == []


def test_an_answer_that_may_not_be_on_file_is_not_called_missing() -> None:
    start = Tape().start().client(offer(), 0.1)
    assert found(start) == []
    cut = Tape().start().client(offer(), 0.1).event("limit", 1, bytes=100)
    assert found(closed(cut, 31)) == []
    half = Tape().start().client(offer(), 0.1)
    half.line("s2c", Segment((b'{"jsonrpc":"2.0","id":0',), more=True), 30)
    assert found(closed(half, 31)) == []


def test_a_server_that_answered_the_probe_has_begun() -> None:
    tape = Tape().start().client(modern(1, "server/discover"), 0.1)
    answer = result(1, supportedVersions=["2026-07-28"], capabilities={}, resultType="complete")
    tape.server(answer, 0.2).client(offer(), 0.3)
    assert "LIF010" not in [each[0] for each in found(closed(tape, 31))]


def test_a_call_beside_the_unanswered_initialize_is_a_consequence() -> None:
    tape = Tape().start().client(offer(), 0.1).client(call(1), 0.2)
    findings = check(closed(tape, 31), rules=LIF)
    assert [each.rule for each in findings[0].consequences] == ["LIF017"]
