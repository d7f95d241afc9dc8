"""LIF001 to LIF004: requests of the client before the handshake is complete."""

from __future__ import annotations

from tests.diagnosis.checking import begun, closed
from tests.record_cases import Tape, error
from tests.rules.lifecycle.cases import agreed, call, found, loud, offer, said
from tests.rules.lifecycle.early_cases import handshake_without_the_end


def test_an_unknown_version_has_no_rules_of_its_own() -> None:
    tape = Tape().start().client(offer(version="2999-01-01"), 0.1).server(agreed(version="2999-01-01"), 0.2)
    assert found(closed(tape.client(call(1), 0.3).server(said(1), 0.4), 1)) == []


def test_what_is_missing_from_the_recording_is_not_called_missing_from_the_session() -> None:
    for lost in ("gap", "limit"):
        tape = Tape().start().event(lost, 0.05, records=1, bytes=70, reason="disk full")
        tape.client(call(1), 1).server(error(1, -32602), 1.1)
        assert found(closed(tape, 2)) == []
        tape = handshake_without_the_end().event(lost, 0.25, records=1, bytes=70, reason="disk full")
        assert found(closed(tape.client(call(1), 1).server(error(1, -32602), 1.1), 2)) == []
    torn = handshake_without_the_end()
    torn.seq += 1
    assert found(closed(torn.client(call(1), 1).server(error(1, -32602), 1.1), 2)) == []
    headless = Tape().client(call(1), 1).server(error(1, -32602), 1.1)
    assert found(closed(headless, 2)) == []


def test_more_early_requests_than_are_remembered_are_still_counted() -> None:
    tape = handshake_without_the_end()
    for number in range(1, 151):
        tape.client(call(number), number).server(said(number), number + 0.1)
    ((_, severity, _, records, _),) = found(closed(tape, 200))
    assert severity == "warning"
    assert len(records) == 100


def test_a_usual_session_has_no_findings() -> None:
    tape = begun().client(call(1), 1).server(said(1), 1.1)
    assert found(closed(tape, 2)) == []
    assert loud(Tape()) == []
