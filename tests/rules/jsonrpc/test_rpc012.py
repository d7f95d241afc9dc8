"""RPC012: result is not an object."""

from __future__ import annotations

from typing import Any

import pytest

from tests.diagnosis.checking import begun, check, closed, facts
from tests.record_cases import request
from tests.rules.jsonrpc.envelope_cases import asked
from tests.rules.telling import MINE, brief


class TestResultNoObject:
    @pytest.mark.parametrize("value", [None, [], "x", True, 1])
    def test_a_result_must_be_an_object(self, value: Any) -> None:
        tape = asked("tools/call", name="x", arguments={}).server(
            {"jsonrpc": "2.0", "id": 1, "result": value}, 0.6
        )
        assert facts(check(closed(tape, 9), rules=MINE)) == [
            ("RPC012", "error", "server", (6,), "s2c tools/call x")
        ]

    def test_the_clients_answers_are_held_to_it_too(self) -> None:
        tape = (
            begun().server(request(0, "roots/list"), 1).client({"jsonrpc": "2.0", "id": 0, "result": []}, 1.1)
        )
        assert brief(closed(tape, 9)) == [("RPC012", "error", "client")]
