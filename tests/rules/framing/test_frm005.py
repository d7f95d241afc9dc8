"""FRM005: stream ends in the middle of a line."""

from __future__ import annotations

import pytest

from mcp_tap.wire.lines import Segment
from tests.diagnosis.checking import begun, check, closed, facts
from tests.record_cases import result
from tests.rules.framing.lines_cases import WHOLE, asked, server_ends
from tests.rules.telling import MINE, brief, only

HALF = b'{"jsonrpc":"2.0","id":1,"result":{"to'


class TestEndsInTheMiddle:
    def test_a_server_that_ends_in_the_middle_of_a_message_has_cut_it(self) -> None:
        tape = server_ends(asked().line("s2c", Segment((HALF,)), 1), 1)
        assert facts(check(tape, rules=MINE)) == [("FRM005", "error", "server", (6,), "s2c cut")]

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
        finding = only(tape.exit(30.1, "client-eof"))
        assert (finding.rule, finding.severity, finding.culprit) == ("FRM005", "warning", "undecided")
        assert finding.key == "s2c stuck"

    def test_an_answer_without_its_newline_for_which_the_client_waited_is_an_error(self) -> None:
        tape = asked().line("s2c", Segment((WHOLE,), more=True), 2).event("eof", 30, stream="c2s")
        tape.line("s2c", Segment((b"",)), 30.1).event("eof", 30.1, stream="s2c")
        finding = only(tape.exit(30.1, "client-eof"))
        assert (finding.rule, finding.severity, finding.culprit) == ("FRM005", "error", "server")
        assert finding.key == "s2c newline"

    def test_a_last_notification_without_a_newline_is_a_warning(self) -> None:
        line = b'{"jsonrpc":"2.0","method":"notifications/message","params":{}}'
        tape = server_ends(begun().line("s2c", Segment((line,)), 1), 1, 0)
        assert brief(tape) == [("FRM005", "warning", "server")]

    def test_a_client_that_ends_in_the_middle_has_cut_its_message(self) -> None:
        tape = closed(begun().line("c2s", Segment((b'{"jsonrpc":"2.0","id":1,"met',)), 1), 1)
        assert facts(check(tape, rules=MINE)) == [("FRM005", "error", "client", (5,), "c2s cut")]

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
