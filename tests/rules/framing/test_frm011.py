"""FRM011: NaN or Infinity."""

from __future__ import annotations

import pytest

from tests.diagnosis.checking import begun, check, closed, facts
from tests.record_cases import result
from tests.rules.framing.encoding_cases import answer, asked
from tests.rules.telling import MINE, brief, keys


class TestNotANumber:
    @pytest.mark.parametrize(
        "value", [b'{"mean":-Infinity}', b'{"all":[NaN]}', b"[1,NaN]"], ids=["minus", "in a list", "bare"]
    )
    def test_the_place_is_told(self, value: bytes) -> None:
        tape = asked("stat").server(
            b'{"jsonrpc":"2.0","id":1,"result":{"structuredContent":' + value + b"}}", 1
        )
        assert keys(closed(tape, 9)) == [("FRM011", "s2c tools/call stat")]

    def test_a_request_is_dropped_by_servers(self) -> None:
        line = b'{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"w","arguments":{"x":NaN}}}'
        assert facts(check(closed(begun().client(line, 0.5).server(result(1), 0.6), 9), rules=MINE)) == [
            ("FRM011", "error", "client", (5,), "c2s tools/call")
        ]

    def test_a_string_is_none(self) -> None:
        assert brief(closed(asked().server(answer(b"NaN, Infinity"), 1), 9)) == []
