"""LIF015: client probed for 2026-07-28 and fell back."""

from __future__ import annotations

from tests.diagnosis.checking import closed
from tests.record_cases import error, modern, request, result
from tests.rules.lifecycle.cases import found, offer
from tests.rules.lifecycle.negotiation_cases import begins, probed


def test_a_client_that_falls_back_after_an_error_is_normal() -> None:
    assert found(closed(begins(probed().server(error(1, -32601), 0.2), 0.3), 1)) == [
        ("LIF015", "info", "undecided", (2, 3, 4), "")
    ]


def test_an_error_without_a_code_is_one_too() -> None:
    tape = begins(probed().server({"jsonrpc": "2.0", "id": 1, "error": 3}, 0.2), 0.3)
    assert found(closed(tape, 1))[0][4] == ""


def test_a_late_answer_to_the_probe_is_an_answer() -> None:
    tape = begins(probed(), 3).server(error(1, -32601), 3.2)
    assert [each[:2] for each in found(closed(tape, 20))] == [("LIF015", "info")]


def test_a_server_that_answers_nothing_at_all_has_another_trouble() -> None:
    tape = probed().client(offer(), 10.1)
    findings = found(closed(tape, 40))
    assert [each[:2] for each in findings] == [("LIF010", "error"), ("LIF015", "info")]


def test_a_second_look_at_what_is_spoken_is_no_fallback() -> None:
    answer = result(1, supportedVersions=["2026-07-28"], capabilities={}, resultType="complete")
    tape = probed().server(answer, 0.2).client(modern(2, "server/discover"), 0.3)
    tape.server({**answer, "id": 2}, 0.4).server(request(0, "server/discover"), 0.5)
    assert "LIF015" not in [each[0] for each in found(closed(tape, 1))]
