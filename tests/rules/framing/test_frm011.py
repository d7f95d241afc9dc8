"""FRM011: NaN or Infinity."""

from __future__ import annotations

import pytest

from tests.diagnosis.checking import begun, check, closed, told
from tests.record_cases import result
from tests.rules.framing.encoding_cases import answer, asked
from tests.rules.telling import MINE, brief, messages


class TestNotANumber:
    @pytest.mark.parametrize(
        ("value", "what"),
        [
            (b'{"mean":-Infinity}', "-Infinity in `mean`"),
            (b'{"all":[NaN]}', "NaN in `all`"),
            (b"[1,NaN]", "NaN"),
        ],
    )
    def test_the_place_is_told(self, value: bytes, what: str) -> None:
        tape = asked("stat").server(
            b'{"jsonrpc":"2.0","id":1,"result":{"structuredContent":' + value + b"}}", 1
        )
        assert messages(closed(tape, 9)) == [
            f"the answer to tools/call `stat` (id 1) of the server is not strict JSON ({what}); "
            f"JavaScript clients "
            "drop it"
        ]

    def test_a_request_is_dropped_by_servers(self) -> None:
        line = b'{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"w","arguments":{"x":NaN}}}'
        assert told(check(closed(begun().client(line, 0.5).server(result(1), 0.6), 9), rules=MINE)) == [
            (
                "FRM011",
                "error",
                "client",
                (5,),
                "the request tools/call `w` of the client is not strict JSON (NaN in `x`); JavaScript "
                "servers drop it",
            )
        ]

    def test_a_string_is_none(self) -> None:
        assert brief(closed(asked().server(answer(b"NaN, Infinity"), 1), 9)) == []
