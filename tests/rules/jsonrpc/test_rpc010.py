"""RPC010: both result and error."""

from __future__ import annotations

from typing import Any

import pytest

from tests.diagnosis.checking import check, closed, facts
from tests.record_cases import result
from tests.rules.jsonrpc.envelope_cases import asked
from tests.rules.telling import MINE, brief


class TestResultAndError:
    @pytest.mark.parametrize(
        "members",
        [
            {"result": {}, "error": {"code": 1, "message": "x"}},
            {"result": {}, "error": None},
            {"result": None, "error": {"code": 1, "message": "x"}},
        ],
    )
    def test_an_answer_with_both_is_an_error(self, members: dict[str, Any]) -> None:
        tape = asked().server({"jsonrpc": "2.0", "id": 1, **members}, 0.6)
        assert facts(check(closed(tape, 9), rules=MINE)) == [
            ("RPC010", "error", "server", (6,), "s2c tools/list")
        ]

    def test_one_that_answers_nothing_is_told_too(self) -> None:
        both = {"jsonrpc": "2.0", "id": 7, "result": {}, "error": None}
        assert brief(closed(asked().server(both, 0.6).server(result(1), 0.7), 9)) == [
            ("RPC007", "error", "server"),
            ("RPC010", "error", "server"),
        ]
