"""RPC006: id reused while in flight."""

from __future__ import annotations

from tests.diagnosis.checking import check, closed, facts
from tests.record_cases import Tape, modern, result
from tests.record_cases import told as notified
from tests.rules.telling import MINE, brief


class TestIdInFlight:
    def test_the_modern_era_forbids_it_for_open_requests_alone(self) -> None:
        tape = Tape().start().client(modern(1, "tools/list"), 0.5).client(modern(1, "prompts/list"), 0.6)
        tape.server(result(1, tools=[]), 0.7).server(result(1, prompts=[]), 0.8).client(
            modern(1, "tools/list"), 0.9
        )
        assert facts(check(closed(tape, 9), rules=MINE)) == [
            ("RPC006", "error", "client", (2, 3), "c2s open")
        ]

    def test_a_cancelled_request_is_not_in_flight(self) -> None:
        tape = Tape().start().client(modern(1, "tools/list"), 0.5)
        tape.client(notified("notifications/cancelled", requestId=1), 0.6).client(
            modern(1, "tools/list"), 0.9
        )
        assert brief(closed(tape, 9)) == []
