"""How lines end, and how long they are: what is told of it."""

from __future__ import annotations

import pytest

from mcp_tap.wire.lines import Segment
from tests.diagnosis.checking import begun, check, closed, told
from tests.record_cases import Tape, error, request, result
from tests.rules.telling import MINE, brief

HALF = b'{"jsonrpc":"2.0","id":1,"result":{"to'
WHOLE = b'{"jsonrpc":"2.0","id":1,"result":{}}'


def asked() -> Tape:
    """A session with an open request."""
    return begun().client(request(1, "tools/list"), 0.5)


def server_ends(tape: Tape, t: float, code: int | None = 1, signal: str | None = None) -> Tape:
    """The server leaves of its own accord."""
    return tape.event("eof", t, stream="s2c").exit(t, "server-exit", code, signal)


class TestEndsInTheMiddle:
    def test_a_server_that_ends_in_the_middle_of_a_message_has_cut_it(self) -> None:
        tape = server_ends(asked().line("s2c", Segment((HALF,)), 1), 1)
        assert told(check(tape, rules=MINE)) == [
            (
                "FRM005",
                "error",
                "server",
                (6,),
                "server ended its stdout in the middle of a message: "
                '\'{"jsonrpc":"2.0","id":1,"result":{"to\'; '
                "it exited 1",
            )
        ]

    def test_a_server_that_was_killed_may_not_be_to_blame(self) -> None:
        tape = server_ends(asked().line("s2c", Segment((HALF,)), 1), 1, None, "SIGKILL")
        assert brief(tape) == [("FRM005", "error", "undecided")]

    def test_a_server_that_goes_on_with_its_stdout_closed_is_told_too(self) -> None:
        tape = asked().line("s2c", Segment((HALF,)), 1).event("eof", 1, stream="s2c")
        assert brief(tape) == [("FRM005", "error", "server")]

    @pytest.mark.parametrize(
        "how",
        [
            {"event": "eof", "stream": "c2s"},
            {"event": "signal", "name": "SIGTERM", "forwarded": True},
            {"event": "broken_pipe", "stream": "s2c"},
        ],
    )
    @pytest.mark.parametrize("line", [HALF, WHOLE])
    def test_what_the_client_has_ended_is_expected_to_be_unfinished(
        self, how: dict[str, object], line: bytes
    ) -> None:
        tape = asked().event(str(how["event"]), 1, **{key: how[key] for key in how if key != "event"})
        tape.line("s2c", Segment((line,)), 1.1)
        assert brief(tape.event("eof", 1.1, stream="s2c").exit(1.2, "client-eof")) == []

    def test_a_server_that_stopped_in_the_middle_long_before_is_no_fault_that_is_proven(self) -> None:
        tape = asked().line("s2c", Segment((HALF,), more=True), 2).event("eof", 30, stream="c2s")
        tape.line("s2c", Segment((b"",)), 30.1).event("eof", 30.1, stream="s2c")
        (finding,) = check(tape.exit(30.1, "client-eof"), rules=MINE)
        assert (finding.rule, finding.severity, finding.culprit) == ("FRM005", "warning", "undecided")
        assert finding.message.startswith(
            "server stopped in the middle of a line, 28.0 s before the client left: '"
        )

    def test_an_answer_without_its_newline_for_which_the_client_waited_is_an_error(self) -> None:
        tape = asked().line("s2c", Segment((WHOLE,), more=True), 2).event("eof", 30, stream="c2s")
        tape.line("s2c", Segment((b"",)), 30.1).event("eof", 30.1, stream="s2c")
        (finding,) = check(tape.exit(30.1, "client-eof"), rules=MINE)
        assert (finding.rule, finding.severity, finding.culprit) == ("FRM005", "error", "server")
        assert finding.message == (
            "server wrote the answer to tools/list (id 1) without a newline at the end: a peer waits for "
            "the rest"
        )

    def test_a_last_notification_without_a_newline_is_a_warning(self) -> None:
        line = b'{"jsonrpc":"2.0","method":"notifications/message","params":{}}'
        tape = server_ends(begun().line("s2c", Segment((line,)), 1), 1, 0)
        assert brief(tape) == [("FRM005", "warning", "server")]

    def test_a_client_that_ends_in_the_middle_has_cut_its_message(self) -> None:
        tape = closed(begun().line("c2s", Segment((b'{"jsonrpc":"2.0","id":1,"met',)), 1), 1)
        assert told(check(tape, rules=MINE)) == [
            (
                "FRM005",
                "error",
                "client",
                (5,),
                "client ended the server's stdin in the middle of a message: "
                '\'{"jsonrpc":"2.0","id":1,"met\'',
            )
        ]

    def test_a_client_whose_last_request_has_no_newline_is_warned(self) -> None:
        tape = closed(begun().line("c2s", Segment((b'{"jsonrpc":"2.0","id":1,"method":"ping"}',)), 1), 1)
        assert brief(tape) == [("FRM005", "warning", "client")]

    def test_a_client_whose_server_is_gone_may_end_anywhere(self) -> None:
        tape = begun().event("eof", 1, stream="s2c").line("c2s", Segment((HALF,)), 1.1)
        assert brief(tape.event("eof", 1.1, stream="c2s").exit(1.2, "server-exit", 1)) == []

    def test_nothing_is_said_where_records_are_missing(self) -> None:
        tape = asked().line("s2c", Segment((HALF[:9],), more=True), 1)
        tape.seq += 1
        assert brief(server_ends(tape.line("s2c", Segment((HALF[9:],)), 2), 2)) == []

    def test_nothing_is_said_after_a_gap_either(self) -> None:
        tape = asked().event("gap", 0.6, records=0, bytes=0, reason="disk full").server(result(1), 0.7)
        assert brief(server_ends(tape.line("s2c", Segment((HALF,)), 2), 2)) == []

    def test_the_records_of_a_tap_that_was_killed_just_stop(self) -> None:
        assert brief(asked().line("s2c", Segment((HALF,), more=True), 2)) == []


class TestCarriageReturns:
    def test_a_server_in_text_mode_is_information(self) -> None:
        assert told(check(closed(asked().server(WHOLE + b"\r", 0.6), 9), rules=MINE)) == [
            ("FRM007", "info", "server", (6,), "server ends its lines with CR LF (1 line)")
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


class TestHugeLine:
    HUGE = result(1, content=[{"type": "text", "text": "x" * 11_000_000}])

    def test_a_client_that_says_nothing_after_it_makes_it_an_error(self) -> None:
        assert told(check(closed(asked().server(self.HUGE, 0.6), 0.7), rules=MINE)) == [
            (
                "FRM015",
                "error",
                "server",
                (6,),
                "server wrote the answer to tools/list as a line of 10.5 MiB; the TypeScript SDK closes the "
                "connection at 10 MiB",
            )
        ]

    def test_a_client_that_goes_on_makes_it_a_warning(self) -> None:
        tape = asked().server(self.HUGE, 0.6).client(request(2, "ping"), 0.7).server(result(2), 0.8)
        assert brief(closed(tape, 9)) == [("FRM015", "warning", "server")]

    def test_a_request_is_the_clients(self) -> None:
        tape = begun().client(request(1, "tools/call", name="put", arguments={"x": "y" * 11_000_000}), 0.5)
        (finding,) = check(closed(tape, 9), rules=MINE)
        assert (finding.rule, finding.severity, finding.culprit) == ("FRM015", "error", "client")
        assert finding.message.startswith("client wrote tools/call `put` as a line of 10.5 MiB")

    def test_the_parts_of_a_line_count_together(self) -> None:
        tape = asked().line(
            "s2c", Segment((b'{"jsonrpc":"2.0","method":"a","x":"' + b"x" * 6_000_000,), more=True), 1
        )
        tape.line("s2c", Segment((b"x" * 6_000_000 + b'"}',), newline=True), 2).server(result(1), 3)
        (finding,) = check(closed(tape, 9), rules=MINE)
        assert (finding.rule, finding.message[:39]) == ("FRM015", "server wrote `a` as a line of 11.4 MiB;")

    def test_text_of_such_a_size_is_both(self) -> None:
        tape = asked().server(b"x" * 11_000_000, 1).server(error(1, -32603), 2).client(request(2, "ping"), 3)
        assert brief(closed(tape, 9)) == [("FRM001", "warning", "server"), ("FRM015", "warning", "server")]

    def test_ten_mebibytes_are_allowed(self) -> None:
        tape = asked().server(result(1, text="x" * (10 * 1024 * 1024 - 60)), 1)
        assert brief(closed(tape, 9)) == []
