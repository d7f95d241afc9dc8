"""FRM007: CRLF line ends."""

from __future__ import annotations

import pytest

from tests.diagnosis.checking import begun, check, closed, facts
from tests.record_cases import Tape
from tests.rules.framing.lines_cases import WHOLE, asked, server_ends
from tests.rules.telling import MINE, brief


class TestCarriageReturns:
    def test_a_server_in_text_mode_is_information(self) -> None:
        assert facts(check(closed(asked().server(WHOLE + b"\r", 0.6), 9), rules=MINE)) == [
            ("FRM007", "info", "server", (6,), "s2c")
        ]

    def test_each_side_has_a_finding(self) -> None:
        tape = begun().client(b'{"jsonrpc":"2.0","id":1,"method":"ping"}\r', 0.5).server(WHOLE + b"\r", 0.6)
        assert brief(closed(tape, 9)) == [("FRM007", "info", "client"), ("FRM007", "info", "server")]

    def test_text_with_carriage_returns_is_told_as_text(self) -> None:
        assert brief(closed(begun().server(b"ready\r", 0.5), 9)) == [("FRM001", "warning", "server")]

    @pytest.mark.parametrize("what", ["answered", "stderr", "code", "later", "closed", "unknown"])
    def test_an_exit_that_has_another_reason_is_not_put_down_to_it(self, what: str) -> None:
        tape = Tape() if what == "unknown" else Tape().start()
        tape.client(b'{"jsonrpc":"2.0","id":1,"method":"ping"}\r', 0.1)
        if what == "answered":
            tape.server(WHOLE, 0.15)
        if what == "stderr":
            tape.stderr("no API key", 0.15)
        if what == "closed":
            tape.event("eof", 0.15, stream="c2s")
        server_ends(tape, 9 if what == "later" else 0.2, 1 if what == "code" else 0)
        assert [name for name, severity, _ in brief(tape) if severity == "error"] == []
