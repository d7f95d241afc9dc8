"""Lines in the wrong encoding, or not strictly JSON: what is told of them."""

from __future__ import annotations

import pytest

from mcp_tap.wire.lines import Segment
from tests.diagnosis.checking import begun, check, closed, told
from tests.record_cases import Tape, error, request, result
from tests.record_cases import told as notified
from tests.rules.telling import MINE, brief, messages


def asked(name: str = "read") -> Tape:
    """A session with an open call, whose id is 1."""
    return begun().client(request(1, "tools/call", name=name, arguments={}), 0.5)


def answer(text: bytes) -> bytes:
    """The line of the answer to it."""
    return b'{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"' + text + b'"}]}}'


class TestNotUtf8:
    def test_a_call_in_a_code_page_is_the_clients(self) -> None:
        line = (
            b'{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"w","arguments":{"x":"\xe9"}}}'
        )
        assert told(check(closed(begun().client(line, 0.5), 9), rules=MINE)) == [
            (
                "FRM009",
                "error",
                "client",
                (5,),
                "line 3 of stdin, the request tools/call `w`, is not UTF-8; the bytes decode as cp1252: 'é'",
            )
        ]

    def test_a_character_that_is_cut_is_told_as_such(self) -> None:
        tape = asked().server(answer("Grüße aus K".encode() + "ö".encode()[:1]), 0.6)
        assert messages(closed(tape, 9)) == [
            "line 2 of stdout, the answer to tools/call `read` (id 1), is not UTF-8: a character is cut "
            "in its "
            "middle"
        ]

    def test_bytes_that_are_nothing_are_not_guessed_at(self) -> None:
        assert messages(closed(begun().server(b"\xff\xff\x81", 0.6), 9)) == ["line 2 of stdout is not UTF-8"]

    def test_several_lines_are_one_finding(self) -> None:
        tape = begun().server(b"caf\xe9", 0.6).server(b"caf\xe9", 0.7)
        (message,) = messages(closed(tape, 9))
        assert message.endswith("is not UTF-8; the bytes decode as cp1252: 'é' (2 times)")


class TestByteOrderMark:
    def test_the_first_answer_of_a_server_is_lost(self) -> None:
        tape = Tape().start().client(list(begun().records())[2].payload, 0.1)
        tape.server(b'\xef\xbb\xbf{"jsonrpc":"2.0","id":0,"result":{}}', 0.2)
        assert told(check(closed(tape, 30), rules=MINE)) == [
            (
                "FRM010",
                "error",
                "server",
                (3,),
                "server put a byte order mark before the answer to initialize (id 0), so that it is no JSON",
            )
        ]

    @pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le", "utf-16-be"])
    def test_utf_16_is_one_finding_whatever_the_line_breaks_do_to_it(self, encoding: str) -> None:
        text = '{"jsonrpc":"2.0","id":0,"result":{}}\nИван\n'.encode(encoding)
        tape = Tape().start()
        for line in text.split(b"\n")[:-1]:
            tape.server(line, 0.2)
        (finding,) = check(closed(tape, 30), rules=MINE)
        assert (finding.rule, finding.message) == ("FRM010", "server wrote UTF-16 to stdout")

    def test_what_a_server_says_after_a_line_in_utf_16_is_read_again(self) -> None:
        tape = Tape().start().server("wsl: warning".encode("utf-16-le"), 0.05)
        for record in list(begun().records())[2:]:
            tape.line(record.dir, record.payload, record.t)
        assert brief(closed(tape.server(b"text", 0.5), 9)) == [
            ("FRM010", "error", "server"),
            ("FRM001", "warning", "server"),
        ]


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


class TestHalfAPair:
    CALL = b'{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"w","arguments":{"x":"%b"}}}'

    def test_a_request_that_is_answered_all_the_same_is_still_at_risk(self) -> None:
        tape = begun().client(self.CALL % b"\\ud83d", 0.5).server(result(1, content=[]), 0.6)
        assert messages(closed(tape, 9)) == [
            "the request tools/call `w` contains half of a UTF-16 pair (\\ud83d); strict UTF-8 decoders "
            "reject it"
        ]

    def test_a_session_that_goes_on_may_still_answer(self) -> None:
        assert messages(begun().client(self.CALL % b"\\ud83d", 0.5)) == [
            "the request tools/call `w` contains half of a UTF-16 pair (\\ud83d); strict UTF-8 decoders "
            "reject it"
        ]

    def test_half_a_pair_as_bytes_is_the_same_fault(self) -> None:
        assert messages(closed(begun().client(self.CALL % b"\xed\xa0\xbd", 0.5), 9)) == [
            "the request tools/call `w` contains half of a UTF-16 pair (bytes ED A0 BD) and got no "
            "answer; strict "
            "UTF-8 decoders reject it"
        ]

    def test_of_several_those_without_an_answer_are_counted(self) -> None:
        tape = begun()
        for number in (1, 2, 3):
            tape.client((self.CALL % b"\\ud83d").replace(b'"id":1', b'"id":%d' % number), 0.5)
        assert messages(closed(tape.server(result(2), 1), 9)) == [
            "the request tools/call `w` contains half of a UTF-16 pair (\\ud83d); 2 got no answer; strict "
            "UTF-8 "
            "decoders reject it (3 times)"
        ]

    def test_an_answer_is_the_servers(self) -> None:
        tape = asked().server(answer(b"\\udc00"), 0.6).server(error(None, -32700), 0.7)
        assert brief(closed(tape, 9)) == [("FRM013", "warning", "server")]

    def test_half_a_pair_among_bytes_of_a_code_page_is_not_the_fault(self) -> None:
        tape = begun().client(self.CALL % b"\xed\xa0\xbd \xe9", 0.5)
        assert brief(closed(tape, 9)) == [("FRM009", "error", "client")]

    def test_a_whole_pair_is_a_character(self) -> None:
        tape = begun().client(self.CALL % b"\\ud83d\\ude00", 0.5).server(result(1, content=[]), 0.6)
        assert brief(closed(tape, 9)) == []


class TestEncodedTwice:
    GARBLED = "cafÃ© crÃ¨me Ã  la Ã®le".encode()

    def test_several_places_in_an_answer_are_a_warning_that_blames_nobody(self) -> None:
        (finding,) = check(closed(asked().server(answer(self.GARBLED), 0.6), 9), rules=MINE)
        assert told([finding]) == [
            (
                "FRM019",
                "warning",
                "undecided",
                (6,),
                "text of the server looks double-encoded ('Ã\u00a8', 'Ã©', 'Ã®')".replace("\u00a8", "¨"),
            )
        ]
        assert finding.certainty == "heuristic"

    def test_two_places_may_be_chance(self) -> None:
        assert brief(closed(asked().server(answer("cafÃ© crÃ¨me".encode()), 0.6), 9)) == []

    def test_places_in_several_lines_count_together(self) -> None:
        tape = begun()
        for number, text in enumerate(("cafÃ©", "crÃ¨me", "Ã®le", "Ã¼ber")):
            tape.server(notified("notifications/message", level="info", data=text), 1 + number)
        (finding,) = check(closed(tape, 9), rules=MINE)
        assert (finding.records, finding.count) == ((5, 6, 7, 8), 2)

    def test_what_the_client_said_first_is_not_the_servers(self) -> None:
        tape = begun().client(
            request(1, "tools/call", name="echo", arguments={"x": self.GARBLED.decode()}), 0.5
        )
        (finding,) = check(closed(tape.server(answer(self.GARBLED), 0.6), 9), rules=MINE)
        assert (finding.key, finding.records) == ("c2s", (5,))

    def test_text_on_stdout_is_not_looked_at(self) -> None:
        tape = begun().line("s2c", Segment((self.GARBLED,), newline=True), 1)
        assert brief(closed(tape, 9)) == [("FRM001", "warning", "server")]
