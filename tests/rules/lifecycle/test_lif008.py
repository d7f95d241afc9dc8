"""LIF008: initialize sent twice."""

from __future__ import annotations

from tests.diagnosis.checking import begun, check, closed, facts
from tests.record_cases import Tape, error
from tests.rules.lifecycle.cases import INITIALIZED, LIF, agreed, found, offer


def test_a_second_initialize_is_the_clients_error_and_explains_the_refusal() -> None:
    tape = begun().client(offer(7), 5).server(error(7, -32600, "already initialized"), 5.1)
    (finding,) = check(closed(tape, 6), rules=LIF)
    assert facts([finding]) == [("LIF008", "error", "client", (5,), "")]
    assert [each.rule for each in finding.consequences] == ["LIF009"]


def test_another_try_after_a_refusal_is_no_second_initialize() -> None:
    tape = Tape().start().client(offer(), 0.1).server(error(0, -32602, "version"), 0.2)
    tape.client(offer(1, "2024-11-05"), 0.3).server(agreed(1, "2024-11-05"), 0.4).client(INITIALIZED, 0.4)
    assert [each[:2] for each in found(closed(tape, 1))] == [("LIF009", "warning")]


def test_an_initialize_of_the_server_is_not_the_clients_second() -> None:
    tape = begun().server(offer(0), 1).client(error(0, -32601), 1.1)
    assert "LIF008" not in [each[0] for each in found(closed(tape, 2))]
