"""RPC013: malformed error."""

from __future__ import annotations

from typing import Any

import pytest

from tests.diagnosis.checking import closed
from tests.rules.jsonrpc.envelope_cases import asked
from tests.rules.telling import brief, keys


class TestMalformedError:
    @pytest.mark.parametrize(
        "value",
        [
            "no",
            {"message": "x"},
            {"code": "1", "message": "x"},
            {"code": True, "message": "x"},
            {"code": 1.5, "message": "x"},
            {"code": 1},
            {"code": 1, "message": {}},
        ],
    )
    def test_an_error_must_have_a_code_and_a_message(self, value: Any) -> None:
        tape = asked().server({"jsonrpc": "2.0", "id": 1, "error": value}, 0.6)
        assert keys(closed(tape, 9)) == [("RPC013", "s2c tools/list")]

    def test_a_code_with_a_point_is_an_integer(self) -> None:
        line = b'{"jsonrpc":"2.0","id":1,"error":{"code":-32603.0,"message":""}}'
        assert brief(closed(asked().server(line, 0.6), 9)) == []
