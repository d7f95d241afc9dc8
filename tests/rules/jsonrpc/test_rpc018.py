"""RPC018: batch of messages."""

from __future__ import annotations

import pytest

from tests.diagnosis.checking import begun, check, closed, facts
from tests.record_cases import Tape, request, result
from tests.rules.telling import MINE, brief, keys

BATCH = [request(1, "tools/list"), request(2, "ping")]


class TestBatch:
    def test_a_batch_whose_requests_were_answered_is_a_warning(self) -> None:
        tape = begun().client(BATCH, 1).server(result(1, tools=[]), 1.1).server(result(2), 1.2)
        assert facts(check(closed(tape, 9), rules=MINE)) == [("RPC018", "warning", "client", (5,), "c2s")]

    def test_answers_in_a_batch_are_the_servers(self) -> None:
        tape = begun("2025-06-18").client(request(1, "ping"), 1).server([result(1)], 1.1)
        assert brief(closed(tape, 9)) == [("RPC018", "error", "server")]

    def test_one_that_comes_before_any_version_names_none(self) -> None:
        tape = Tape().start().client(BATCH, 0.1)
        assert keys(tape) == [("RPC018", "c2s")]

    @pytest.mark.parametrize("version", ["2025-03-26", "2031-01-01"])
    def test_a_version_that_allows_it_or_is_not_known_has_no_such_rule(self, version: str) -> None:
        tape = begun(version).client(BATCH, 1).server([result(1, tools=[]), result(2)], 1.1)
        assert brief(closed(tape, 9)) == []

    def test_a_version_that_may_be_agreed_on_has_none_either(self) -> None:
        tape = Tape().start().client(list(begun("2025-03-26").records())[2].payload, 0.1)
        assert brief(tape.client(BATCH, 0.15)) == []

    def test_a_list_that_a_server_prints_is_no_batch(self) -> None:
        assert brief(closed(begun().server([1, 2, {"a": 1}], 1), 9)) == [("FRM018", "warning", "server")]
