"""RPC008: id comes back with another type."""

from __future__ import annotations

from tests.diagnosis.checking import begun, check, closed, facts
from tests.record_cases import request, result
from tests.record_cases import told as notified
from tests.rules.jsonrpc.ids_cases import call
from tests.rules.telling import MINE, brief, only


class TestOtherType:
    def test_a_client_that_cancels_afterwards_has_waited_in_vain(self) -> None:
        tape = begun().client(request("7", "tools/list"), 0.5).server(result(7, tools=[]), 0.6)
        tape.client(notified("notifications/cancelled", requestId="7"), 60)
        assert facts(check(closed(tape, 61), rules=MINE)) == [
            ("RPC008", "error", "server", (5, 6), "s2c string as integer")
        ]

    def test_other_cancellations_change_nothing(self) -> None:
        tape = begun().client(request("7", "tools/list"), 0.5).server(result(7, tools=[]), 0.6)
        tape.client(call(8, "x"), 1).client(notified("notifications/cancelled", requestId=8), 2)
        assert brief(closed(tape, 61)) == [("RPC008", "warning", "server")]

    def test_a_change_has_the_same_key_in_another_session(self) -> None:
        tape = begun().client(request(7, "tools/list"), 0.5).server(result("7", tools=[]), 0.6)
        finding = only(closed(tape, 9))
        assert finding.key == "s2c integer as string"
