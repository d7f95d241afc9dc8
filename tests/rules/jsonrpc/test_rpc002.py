"""RPC002: request with the id null."""

from __future__ import annotations

from tests.diagnosis.checking import begun, check, closed, facts
from tests.record_cases import request, result
from tests.rules.telling import MINE, brief


class TestIdNull:
    def test_one_that_is_answered_is_a_warning(self) -> None:
        tape = begun().client(request(None, "tools/list"), 0.5).server(result(None, tools=[]), 0.6)
        assert facts(check(closed(tape, 9), rules=MINE)) == [("RPC002", "warning", "client", (5,), "c2s")]

    def test_two_of_them_are_no_reuse_of_an_id(self) -> None:
        tape = begun().client(request(None, "tools/list"), 0.5).client(request(None, "tools/list"), 0.6)
        assert brief(closed(tape, 9)) == [("RPC002", "error", "client")]

    def test_a_server_must_not_do_so_either(self) -> None:
        assert brief(closed(begun().server(request(None, "roots/list"), 0.5), 9)) == [
            ("RPC002", "error", "server")
        ]
