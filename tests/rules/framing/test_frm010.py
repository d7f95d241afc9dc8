"""FRM010: byte order mark or UTF-16."""

from __future__ import annotations

import pytest

from tests.diagnosis.checking import begun, check, closed, facts
from tests.record_cases import Tape
from tests.rules.telling import MINE, brief, only


class TestByteOrderMark:
    def test_the_first_answer_of_a_server_is_lost(self) -> None:
        tape = Tape().start().client(list(begun().records())[2].payload, 0.1)
        tape.server(b'\xef\xbb\xbf{"jsonrpc":"2.0","id":0,"result":{}}', 0.2)
        assert facts(check(closed(tape, 30), rules=MINE)) == [("FRM010", "error", "server", (3,), "s2c")]

    @pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le", "utf-16-be"])
    def test_utf_16_is_one_finding_whatever_the_line_breaks_do_to_it(self, encoding: str) -> None:
        text = '{"jsonrpc":"2.0","id":0,"result":{}}\nИван\n'.encode(encoding)
        tape = Tape().start()
        for line in text.split(b"\n")[:-1]:
            tape.server(line, 0.2)
        finding = only(closed(tape, 30))
        assert (finding.rule, finding.key) == ("FRM010", "s2c utf-16")

    def test_what_a_server_says_after_a_line_in_utf_16_is_read_again(self) -> None:
        tape = Tape().start().server("wsl: warning".encode("utf-16-le"), 0.05)
        for record in list(begun().records())[2:]:
            tape.line(record.dir, record.payload, record.t)
        assert brief(closed(tape.server(b"text", 0.5), 9)) == [
            ("FRM010", "error", "server"),
            ("FRM001", "warning", "server"),
        ]
