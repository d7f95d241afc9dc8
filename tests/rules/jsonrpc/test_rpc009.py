"""RPC009: two answers to one request."""

from __future__ import annotations

from tests.diagnosis.checking import begun, check, closed, facts
from tests.record_cases import error, result
from tests.rules.jsonrpc.ids_cases import call
from tests.rules.telling import MINE, brief


class TestAnsweredTwice:
    def test_the_second_answer_is_told_with_the_first(self) -> None:
        tape = begun().client(call(1, "a"), 0.5).server(result(1), 0.6).server(error(1, -32603), 0.7)
        assert facts(check(closed(tape, 9), rules=MINE)) == [
            ("RPC009", "error", "server", (6, 7), "s2c tools/call a")
        ]

    def test_two_requests_with_one_id_have_an_answer_each(self) -> None:
        tape = begun().client(call(1, "a"), 0.5).client(call(1, "b"), 0.6)
        assert brief(closed(tape.server(result(1), 0.7).server(result(1), 0.8), 9)) == [
            ("RPC005", "error", "client")
        ]

    def test_nothing_is_said_where_a_request_may_be_missing(self) -> None:
        tape = begun().client(call(1, "a"), 0.5).server(result(1), 0.6)
        tape.seq += 1
        assert brief(closed(tape.server(result(1), 0.7), 9)) == []
