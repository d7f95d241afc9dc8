"""FRM003: message spread over several lines."""

from __future__ import annotations

import orjson

from tests.diagnosis.checking import begun, check, closed
from tests.record_cases import request, result
from tests.rules.telling import MINE, brief, only


class TestSpreadMessage:
    PRETTY = orjson.dumps(result(1, tools=[]), option=orjson.OPT_INDENT_2).split(b"\n")

    def test_a_pretty_printed_answer_is_told_once(self) -> None:
        tape = begun().client(request(1, "tools/list"), 0.5)
        for line in self.PRETTY:
            tape.server(line, 0.6)
        finding = only(closed(tape, 9))
        assert (finding.rule, finding.severity, finding.culprit) == ("FRM003", "error", "server")
        assert finding.records == tuple(range(6, 6 + len(self.PRETTY)))
        assert finding.key == "s2c"

    def test_a_line_break_in_a_string_spreads_a_message_too(self) -> None:
        tape = begun().client(request(1, "tools/call", name="x"), 0.5)
        tape.server(b'{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"one', 0.6)
        tape.server(b"", 0.6).server(b'two"}]}}', 0.6)
        assert brief(closed(tape, 9)) == [("FRM003", "error", "server")]

    def test_a_pretty_printed_batch_of_the_client_is_one(self) -> None:
        tape = begun()
        for line in (b"[", b"  {", b'    "jsonrpc": "2.0", "id": 1, "method": "ping"', b"  }", b"]"):
            tape.client(line, 0.6)
        assert brief(closed(tape, 9)) == [("FRM003", "error", "client")]

    def test_a_message_between_the_lines_ends_them(self) -> None:
        tape = begun().client(request(1, "tools/list"), 0.5).server(b'{"jsonrpc":"2.0","id":9,', 0.6)
        tape.server(result(1, tools=[]), 0.7).server(b'"result":{}}', 0.8)
        assert brief(closed(tape, 9)) == [("FRM001", "error", "server"), ("FRM001", "warning", "server")]

    def test_a_pretty_printed_log_record_is_no_message(self) -> None:
        tape = begun()
        for line in (b"{", b'  "level": "info"', b"}"):
            tape.server(line, 0.6)
        assert brief(closed(tape, 9)) == [("FRM018", "warning", "server")]

    def test_no_more_than_two_hundred_lines_are_held_back(self) -> None:
        tape = begun().server(b"{", 0.5)
        for _ in range(250):
            tape.server(b'"a":1,', 0.5)
        tape.server(b'"b":2}', 0.5)
        assert [(each.rule, each.count) for each in check(closed(tape, 9), rules=MINE)] == [("FRM001", 252)]

    def test_no_more_than_a_mebibyte_is_held_back(self) -> None:
        tape = begun().server(b"{", 0.5).server(b'"a":"' + b"x" * 1_100_000 + b'"', 0.5).server(b"}", 0.5)
        assert [(each.rule, each.count) for each in check(closed(tape, 9), rules=MINE)] == [("FRM001", 3)]

    def test_a_line_that_ends_like_a_value_is_not_one_by_itself(self) -> None:
        tape = begun().server(b'{"a":{}', 0.5).server(b'"b":1}', 0.5).server(b',"b":1}', 0.5)
        assert [(each.rule, each.count) for each in check(closed(tape, 9), rules=MINE)] == [("FRM001", 3)]

    def test_lines_that_are_still_held_back_are_not_told_before_their_end(self) -> None:
        tape = begun().server(b"{", 0.5)
        finding = only(tape)
        assert finding.rule == "FRM001"
