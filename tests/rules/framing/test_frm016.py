"""FRM016: LSP framing."""

from __future__ import annotations

import orjson

from tests.diagnosis.checking import begun, closed
from tests.record_cases import Tape, result
from tests.rules.telling import brief, only


class TestLspFraming:
    def test_headers_in_any_order_and_bodies_without_newlines_are_one_finding(self) -> None:
        tape = Tape().start().client(list(begun().records())[2].payload, 0.1)
        tape.server(b"Content-Type: application/vscode-jsonrpc; charset=utf-8\r", 0.2)
        tape.server(b"Content-Length: 36\r", 0.2).server(b"\r", 0.2)
        tape.server(orjson.dumps(result(0)) + b"Content-Length: 36\r", 0.3).server(b"\r", 0.3)
        finding = only(closed(tape, 30))
        assert (finding.rule, finding.count) == ("FRM016", 5)

    def test_headers_that_begin_in_the_middle_of_a_line_are_headers_too(self) -> None:
        tape = Tape().start().server(orjson.dumps(result(0)) + b"Content-Length: 36", 0.3)
        assert brief(closed(tape, 30)) == [("FRM016", "error", "server")]

    def test_headers_of_the_client_are_its_own(self) -> None:
        tape = Tape().start().client(b"Content-Length: 38\r", 0.2).client(b"\r", 0.2)
        assert brief(closed(tape, 30)) == [("FRM016", "error", "client")]

    def test_headers_that_a_server_logs_after_its_first_message_are_text(self) -> None:
        tape = begun().server(b"Content-Type: application/json", 0.3).server(b"Content-Length: 38", 0.3)
        assert brief(closed(tape, 30)) == [("FRM001", "warning", "server")]
