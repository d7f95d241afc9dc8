"""CAN002: request cancelled."""

from __future__ import annotations

import pytest

from mcp_tap.rules.utilities.can002_request_cancelled import AT_THE_LIMIT
from tests.diagnosis.checking import begun
from tests.record_cases import Tape, modern, request
from tests.rules.utilities.cancellation_cases import called, cancel, found, only


def test_a_cancelled_request_is_told_with_the_time_and_the_reason() -> None:
    tape = called().client(cancel(5, reason="no need  any more"), 4)
    assert found(tape) == [("CAN002", "info", "undecided", (5, 6), "client tools/call export")]


def test_a_cancellation_that_is_repeated_counts_once_and_another_one_twice() -> None:
    tape = called().client(cancel(5), 4).client(cancel(5), 5)
    assert only(tape).count == 1
    tape.client(request(6, "tools/call", name="export"), 6).client(cancel(6), 7)
    assert only(tape).key == "client tools/call export"


@pytest.mark.parametrize(("t", "near"), [(61, True), (59.5, True), (58, False), (64, False)])
def test_sixty_seconds_are_named_as_what_they_most_likely_are(t: float, near: bool) -> None:
    assert (only(called().client(cancel(5), t)).next == AT_THE_LIMIT) is near


def test_what_a_server_drops_while_its_client_leaves_is_not_told() -> None:
    tape = begun(client={"roots": {}}).server(request(1, "roots/list"), 1).event("eof", 2, stream="c2s")
    assert found(tape.server(cancel(1), 2.1)) == []


def test_a_reason_that_is_no_text_or_masked_is_left_out() -> None:
    for reason in (7, "[masked]", ""):
        assert only(called().client(cancel(5, reason=reason), 4)).key == "client tools/call export"


def test_a_cancelled_initialize_or_probe_is_told_elsewhere() -> None:
    probe = Tape().start().client(modern(1, "server/discover"), 0.1).client(cancel(1), 3)
    assert found(probe) == []
    tape = Tape().start().client(request(0, "initialize", protocolVersion="2025-11-25"), 0.1)
    assert found(tape.client(cancel(0), 1)) == []
