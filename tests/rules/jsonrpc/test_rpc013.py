"""RPC013: malformed error."""

from __future__ import annotations

from typing import Any

import pytest

from tests.diagnosis.checking import closed
from tests.rules.jsonrpc.envelope_cases import asked
from tests.rules.telling import brief, messages


class TestMalformedError:
    @pytest.mark.parametrize(
        ("value", "why"),
        [
            ("no", "a string, not an object"),
            ({"message": "x"}, "code is missing, not an integer"),
            ({"code": "1", "message": "x"}, "code is a string, not an integer"),
            ({"code": True, "message": "x"}, "code is a boolean, not an integer"),
            ({"code": 1.5, "message": "x"}, "code is a number, not an integer"),
            ({"code": 1}, "message is missing, not a string"),
            ({"code": 1, "message": {}}, "message is an object, not a string"),
        ],
    )
    def test_an_error_must_have_a_code_and_a_message(self, value: Any, why: str) -> None:
        tape = asked().server({"jsonrpc": "2.0", "id": 1, "error": value}, 0.6)
        assert messages(closed(tape, 9)) == [f"the answer to tools/list is a malformed error: {why}"]

    def test_a_code_with_a_point_is_an_integer(self) -> None:
        line = b'{"jsonrpc":"2.0","id":1,"error":{"code":-32603.0,"message":""}}'
        assert brief(closed(asked().server(line, 0.6), 9)) == []
