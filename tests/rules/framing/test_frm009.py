"""FRM009: not UTF-8."""

from __future__ import annotations

from tests.diagnosis.checking import begun, check, closed, facts
from tests.rules.framing.encoding_cases import answer, asked
from tests.rules.telling import MINE, keys


class TestNotUtf8:
    def test_a_call_in_a_code_page_is_the_clients(self) -> None:
        line = (
            b'{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"w","arguments":{"x":"\xe9"}}}'
        )
        assert facts(check(closed(begun().client(line, 0.5), 9), rules=MINE)) == [
            ("FRM009", "error", "client", (5,), "c2s")
        ]

    def test_a_character_that_is_cut_is_told_as_such(self) -> None:
        tape = asked().server(answer("Grüße aus K".encode() + "ö".encode()[:1]), 0.6)
        assert keys(closed(tape, 9)) == [("FRM009", "s2c cut")]

    def test_bytes_that_are_nothing_are_not_guessed_at(self) -> None:
        assert keys(closed(begun().server(b"\xff\xff\x81", 0.6), 9)) == [("FRM009", "s2c")]

    def test_several_lines_are_one_finding(self) -> None:
        tape = begun().server(b"caf\xe9", 0.6).server(b"caf\xe9", 0.7)
        assert keys(closed(tape, 9)) == [("FRM009", "s2c")]
