"""RPC011: not a JSON-RPC message."""

from __future__ import annotations

from typing import Any

import orjson
import pytest

from tests.diagnosis.checking import begun, check, closed, facts
from tests.record_cases import request, result
from tests.rules.jsonrpc.envelope_cases import asked
from tests.rules.telling import MINE, brief, only


class TestNoMessage:
    def test_an_answer_without_a_result_explains_why_the_client_waits(self) -> None:
        tape = asked().server({"jsonrpc": "2.0", "id": 1, "tools": []}, 0.6)
        assert facts(check(closed(tape, 9), rules=MINE)) == [("RPC011", "error", "server", (6,), "s2c")]

    @pytest.mark.parametrize("value", [[], 5, "x", None, {}, {"a": 1}, {"method": 5}])
    def test_whatever_else_a_client_sends_is_no_message(self, value: Any) -> None:
        assert brief(closed(begun().client(orjson.dumps(value), 1), 9)) == [("RPC011", "error", "client")]

    def test_a_part_of_a_batch_may_be_none(self) -> None:
        tape = begun("2025-03-26").client([request(1, "ping"), 5, {"a": 1}], 1).server([result(1)], 1.1)
        finding = only(closed(tape, 9))
        assert (finding.rule, finding.count) == ("RPC011", 2)
