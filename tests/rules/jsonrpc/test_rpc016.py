"""RPC016: request without an id."""

from __future__ import annotations

from mcp_tap.model.methods import METHODS
from tests.diagnosis.checking import begun, check, closed, facts
from tests.record_cases import told as notified
from tests.rules.telling import MINE, brief


class TestRequestWithoutId:
    def test_a_known_request_needs_an_id(self) -> None:
        assert facts(check(closed(begun().client(notified("tools/list"), 0.5), 9), rules=MINE)) == [
            ("RPC016", "error", "client", (5,), f"c2s {METHODS['tools/list']}")
        ]

    def test_a_method_of_ones_own_may_be_a_notification(self) -> None:
        assert brief(closed(begun().client(notified("acme/changed"), 0.5), 9)) == []
