"""RPC007: answer to an unknown id."""

from __future__ import annotations

import pytest

from tests.diagnosis.checking import begun, check, closed, facts
from tests.record_cases import Tape, error, modern, request, result
from tests.record_cases import told as notified
from tests.rules.jsonrpc.ids_cases import call
from tests.rules.telling import MINE, brief, keys


class TestAnswersNothing:
    def test_the_one_request_that_waits_is_named(self) -> None:
        tape = begun().client(request("a1", "tools/list"), 0.5).server(result(99, tools=[]), 0.6)
        assert facts(check(closed(tape, 9), rules=MINE)) == [("RPC007", "error", "server", (6,), "s2c")]

    def test_none_is_named_where_none_or_several_wait(self) -> None:
        assert keys(closed(begun().server(error(99, -32601), 0.6), 9)) == [("RPC007", "s2c")]

    def test_what_was_cancelled_is_late_and_not_unknown(self) -> None:
        tape = begun().client(call(1, "a"), 0.5).client(notified("notifications/cancelled", requestId=1), 0.6)
        assert brief(closed(tape.server(result(1), 0.7), 9)) == []

    @pytest.mark.parametrize("line", [b'{"jsonrpc":"2.0","id":7,"method":"ping","params":{"x":NaN}}', b"{"])
    def test_a_request_that_is_no_json_may_have_had_it(self, line: bytes) -> None:
        tape = begun().client(line, 0.5).server(result(7), 0.6)
        assert "RPC007" not in [rule for rule, _, _ in brief(closed(tape, 9))]

    def test_a_response_of_a_client_of_the_modern_era_is_told_as_such(self) -> None:
        tape = Tape().start().client(modern(1, "tools/list"), 0.5).server(result(1, tools=[]), 0.6)
        assert brief(closed(tape.client(result(7), 0.7), 9)) == []

    @pytest.mark.parametrize("what", ["missing", "no start", "gap", "unread"])
    def test_nothing_is_said_where_the_request_may_not_be_on_file(self, what: str) -> None:
        tape = Tape() if what == "no start" else begun()
        tape.seq += what in ("missing", "no start")
        if what == "gap":
            tape.event("gap", 0.4, records=1, bytes=9, reason="disk full")
        if what == "unread":
            tape.client(b'{"jsonrpc":"2.0","id":7,"method":"ping","params":{"x":1e999}}', 0.5)
        assert brief(closed(tape.server(result(7), 0.6), 9)) == []
