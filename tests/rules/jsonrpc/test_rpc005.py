"""RPC005: id reused."""

from __future__ import annotations

from tests.diagnosis.checking import begun, check, closed, facts
from tests.record_cases import request, result
from tests.record_cases import told as notified
from tests.rules.jsonrpc.ids_cases import call
from tests.rules.telling import MINE, brief


class TestIdUsedAgain:
    def test_an_open_requests_id_must_not_be_used(self) -> None:
        assert facts(
            check(closed(begun().client(call(1, "a"), 0.5).client(call(1, "b"), 0.6), 9), rules=MINE)
        ) == [("RPC005", "error", "client", (5, 6), "c2s open")]

    def test_after_the_answer_it_is_information(self) -> None:
        tape = begun().client(call(1, "a"), 0.5).server(result(1), 0.6).client(call(1, "b"), 0.7)
        assert facts(check(closed(tape.server(result(1), 0.8), 9), rules=MINE)) == [
            ("RPC005", "info", "client", (7,), "c2s settled")
        ]

    def test_after_a_cancellation_it_is_information(self) -> None:
        tape = begun().client(call(1, "a"), 0.5).client(notified("notifications/cancelled", requestId=1), 0.6)
        assert brief(closed(tape.client(call(1, "b"), 0.7), 9)) == [("RPC005", "info", "client")]

    def test_after_an_answer_that_is_no_json_it_is_information(self) -> None:
        tape = begun().client(call(1, "a"), 0.5).server(b'{"jsonrpc":"2.0","id":1,"result":{"x":NaN}}', 0.6)
        assert brief(closed(tape.client(call(1, "b"), 0.7), 9)) == [
            ("FRM011", "error", "server"),
            ("RPC005", "info", "client"),
        ]

    def test_the_sides_count_for_themselves(self) -> None:
        tape = begun().client(call(1, "a"), 0.5).server(request(1, "roots/list"), 0.6)
        assert brief(closed(tape.client(result(1, roots=[]), 0.7).server(result(1), 0.8), 9)) == []

    def test_nothing_is_said_where_the_answer_may_be_missing(self) -> None:
        tape = begun().client(call(1, "a"), 0.5)
        tape.seq += 1
        assert brief(closed(tape.client(call(1, "b"), 0.7), 9)) == []

    def test_a_version_that_was_never_released_has_no_such_rule(self) -> None:
        assert brief(closed(begun("2031-01-01").client(call(1, "a"), 0.5).client(call(1, "b"), 0.6), 9)) == []
