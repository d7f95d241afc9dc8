"""FRM013: lone surrogate."""

from __future__ import annotations

from tests.diagnosis.checking import begun, closed
from tests.record_cases import error, result
from tests.rules.framing.encoding_cases import answer, asked
from tests.rules.telling import brief, keys


class TestLoneSurrogate:
    CALL = b'{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"w","arguments":{"x":"%b"}}}'

    def test_a_request_that_is_answered_all_the_same_is_still_at_risk(self) -> None:
        tape = begun().client(self.CALL % b"\\ud83d", 0.5).server(result(1, content=[]), 0.6)
        assert keys(closed(tape, 9)) == [("FRM013", "c2s tools/call")]

    def test_a_session_that_goes_on_may_still_answer(self) -> None:
        assert keys(begun().client(self.CALL % b"\\ud83d", 0.5)) == [("FRM013", "c2s tools/call")]

    def test_half_a_pair_as_bytes_is_the_same_fault(self) -> None:
        assert keys(closed(begun().client(self.CALL % b"\xed\xa0\xbd", 0.5), 9)) == [
            ("FRM013", "c2s tools/call")
        ]

    def test_of_several_those_without_an_answer_are_counted(self) -> None:
        tape = begun()
        for number in (1, 2, 3):
            tape.client((self.CALL % b"\\ud83d").replace(b'"id":1', b'"id":%d' % number), 0.5)
        assert keys(closed(tape.server(result(2), 1), 9)) == [("FRM013", "c2s tools/call")]

    def test_an_answer_is_the_servers(self) -> None:
        tape = asked().server(answer(b"\\udc00"), 0.6).server(error(None, -32700), 0.7)
        assert brief(closed(tape, 9)) == [("FRM013", "warning", "server")]

    def test_half_a_pair_among_bytes_of_a_code_page_is_not_the_fault(self) -> None:
        tape = begun().client(self.CALL % b"\xed\xa0\xbd \xe9", 0.5)
        assert brief(closed(tape, 9)) == [("FRM009", "error", "client")]

    def test_a_whole_pair_is_a_character(self) -> None:
        tape = begun().client(self.CALL % b"\\ud83d\\ude00", 0.5).server(result(1, content=[]), 0.6)
        assert brief(closed(tape, 9)) == []
