"""LIF003: client never sent notifications/initialized."""

from __future__ import annotations

import pytest

from mcp_tap.wire.lines import Segment
from tests.diagnosis.checking import check, closed, facts
from tests.record_cases import Tape, error, request, told
from tests.rules.lifecycle.cases import INITIALIZED, LIF, agreed, call, found, offer, said
from tests.rules.lifecycle.early_cases import handshake_without_the_end


def test_a_missing_initialized_is_a_warning_where_the_server_answers_all_the_same() -> None:
    tape = handshake_without_the_end().client(call(1), 1).server(said(1), 1.1)
    tape.client(call(2, "gone"), 2).server(error(2, -32602, "unknown tool"), 2.1)
    assert found(closed(tape, 3)) == [("LIF003", "warning", "client", (4, 6), "")]


def test_a_method_that_the_server_lacks_is_no_matter_of_the_handshake() -> None:
    tape = handshake_without_the_end().client(request(1, "prompts/list"), 1).server(error(1, -32601), 1.1)
    assert [each[:2] for each in found(closed(tape, 3))] == [("LIF003", "warning")]


def test_silence_after_a_missing_initialized_is_an_error_and_explained() -> None:
    tape = handshake_without_the_end().client(request(1, "tools/list"), 1)
    (finding,) = check(closed(tape, 61), rules=LIF)
    assert facts([finding]) == [("LIF003", "error", "client", (4,), "")]
    assert [each.rule for each in finding.consequences] == ["LIF017"]


@pytest.mark.parametrize("instead", [told("initialized"), request(7, "notifications/initialized")])
def test_what_a_client_says_instead_of_initialized_is_named(instead: dict[str, object]) -> None:
    tape = handshake_without_the_end().client(instead, 0.3).client(call(1), 1).server(said(1), 1.1)
    (missing,) = [each for each in found(closed(tape, 1.5)) if each[0] == "LIF003"]
    assert missing == ("LIF003", "warning", "client", (4, 5), "")


def test_initialized_that_could_not_be_read_is_not_called_missing() -> None:
    tape = handshake_without_the_end()
    tape.client(b'{"jsonrpc":"2.0","method":"notifications/initialized","params":{"a":NaN}}', 0.3)
    assert found(closed(tape.client(call(1), 1).server(said(1), 1.1), 2)) == []


def test_initialized_within_a_batch_counts() -> None:
    tape = Tape().start().client(offer(version="2025-03-26"), 0.1).server(agreed(version="2025-03-26"), 0.2)
    tape.client([INITIALIZED, call(1)], 0.3).server([said(1)], 0.4)
    assert found(closed(tape, 1)) == []


def test_half_a_line_at_the_end_may_be_the_initialized() -> None:
    tape = handshake_without_the_end().client(call(1), 1).server(said(1), 1.1)
    tape.line("c2s", Segment((b'{"jsonrpc":"2.0","me',), more=True), 1.2)
    assert found(tape) == []
