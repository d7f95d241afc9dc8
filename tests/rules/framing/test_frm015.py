"""FRM015: line of more than 10 MiB."""

from __future__ import annotations

from mcp_tap.wire.lines import Segment
from tests.diagnosis.checking import begun, check, closed, facts
from tests.record_cases import error, request, result
from tests.rules.framing.lines_cases import asked
from tests.rules.telling import MINE, brief, only


class TestHugeLine:
    HUGE = result(1, content=[{"type": "text", "text": "x" * 11_000_000}])

    def test_a_client_that_says_nothing_after_it_makes_it_an_error(self) -> None:
        assert facts(check(closed(asked().server(self.HUGE, 0.6), 0.7), rules=MINE)) == [
            ("FRM015", "error", "server", (6,), "s2c tools/list")
        ]

    def test_a_client_that_goes_on_makes_it_a_warning(self) -> None:
        tape = asked().server(self.HUGE, 0.6).client(request(2, "ping"), 0.7).server(result(2), 0.8)
        assert brief(closed(tape, 9)) == [("FRM015", "warning", "server")]

    def test_a_request_is_the_clients(self) -> None:
        tape = begun().client(request(1, "tools/call", name="put", arguments={"x": "y" * 11_000_000}), 0.5)
        finding = only(closed(tape, 9))
        assert (finding.rule, finding.severity, finding.culprit) == ("FRM015", "error", "client")
        assert finding.key == "c2s tools/call put"

    def test_the_parts_of_a_line_count_together(self) -> None:
        tape = asked().line(
            "s2c", Segment((b'{"jsonrpc":"2.0","method":"a","x":"' + b"x" * 6_000_000,), more=True), 1
        )
        tape.line("s2c", Segment((b"x" * 6_000_000 + b'"}',), newline=True), 2).server(result(1), 3)
        finding = only(closed(tape, 9))
        assert (finding.rule, finding.key) == ("FRM015", "s2c a")

    def test_text_of_such_a_size_is_both(self) -> None:
        tape = asked().server(b"x" * 11_000_000, 1).server(error(1, -32603), 2).client(request(2, "ping"), 3)
        assert brief(closed(tape, 9)) == [("FRM001", "warning", "server"), ("FRM015", "warning", "server")]

    def test_ten_mebibytes_are_allowed(self) -> None:
        tape = asked().server(result(1, text="x" * (10 * 1024 * 1024 - 60)), 1)
        assert brief(closed(tape, 9)) == []
