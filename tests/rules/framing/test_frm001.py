"""FRM001: not JSON on stdout."""

from __future__ import annotations

import pytest

from mcp_tap.wire.lines import Segment
from tests.diagnosis.checking import begun, check, closed, facts
from tests.record_cases import Tape, error, request, result
from tests.rules.telling import MINE, brief, keys, only


def answered(tape: Tape, id: int = 1, t: float = 0.5) -> Tape:
    """A request that is answered."""
    return tape.client(request(id, "tools/list"), t).server(result(id, tools=[]), t + 0.01)


class TestTextOnStdout:
    def test_a_banner_before_the_handshake_is_told_with_its_first_line(self) -> None:
        tape = Tape().start().server(b"Demo  server\tv1", 0.05)
        assert facts(check(closed(tape, 5), rules=MINE)) == [("FRM001", "warning", "server", (2,), "s2c")]

    def test_a_client_that_lists_the_tools_and_leaves_makes_no_error_of_a_banner(self) -> None:
        tape = Tape().start().server(b"ready", 0.05)
        for record in list(begun().records())[2:]:
            tape.line(record.dir, record.payload, record.t)
        assert brief(closed(answered(tape), 0.6)) == [("FRM001", "warning", "server")]

    def test_a_log_line_at_the_end_of_a_session_is_no_reason_to_leave(self) -> None:
        tape = answered(begun()).server(b"listed the tools", 0.52)
        assert brief(closed(tape, 0.6)) == [("FRM001", "warning", "server")]

    def test_a_client_that_leaves_before_the_answer_makes_it_an_error(self) -> None:
        tape = begun().client(request(1, "tools/list"), 0.5).server(b"listing", 0.6)
        assert facts(check(closed(tape, 0.9), rules=MINE)) == [("FRM001", "error", "server", (6,), "s2c")]

    def test_a_client_that_leaves_in_the_middle_of_the_handshake_makes_it_an_error(self) -> None:
        tape = Tape().start()
        offer, answer, _ = list(begun().records())[2:]
        tape.client(offer.payload, 0.1).server(b"ready", 0.2).server(answer.payload, 0.2)
        assert brief(closed(tape, 0.3)) == [("FRM001", "error", "server")]

    def test_a_client_that_went_on_before_it_left_was_not_disturbed(self) -> None:
        tape = begun().server(b"one", 0.3).client(request(1, "tools/list"), 0.5)
        assert brief(closed(tape, 0.9)) == [("FRM001", "warning", "server")]

    def test_a_client_that_leaves_later_was_not_disturbed(self) -> None:
        tape = begun().client(request(1, "tools/list"), 0.5).server(b"one", 0.6)
        assert brief(closed(tape, 2.6)) == [("FRM001", "warning", "server")]

    def test_a_server_that_leaves_itself_drives_no_client_away(self) -> None:
        tape = begun().client(request(1, "tools/list"), 0.5).server(b"fatal", 0.6)
        tape.event("eof", 0.61, stream="s2c").event("eof", 0.62, stream="c2s")
        assert brief(tape.exit(0.63, "server-exit", 1)) == [("FRM001", "warning", "server")]

    def test_a_probe_that_ends_at_once_is_no_departure(self) -> None:
        tape = Tape().start().client(request(0, "server/discover"), 0.1).server(b"ready", 0.2)
        tape.server(error(0, -32601), 0.3).event("signal", 0.4, name="SIGTERM", forwarded=True)
        assert brief(tape.exit(0.5, "client-signal", None, "SIGTERM")) == [("FRM001", "warning", "server")]

    @pytest.mark.parametrize(
        "line",
        [b'Loading... {"jsonrpc":"2.0","id":1,"result":{}}', b'{"jsonrpc":"2.0","id":1,"result":{}} done'],
    )
    def test_text_on_the_line_of_an_answer_is_an_error_that_explains_the_waiting(self, line: bytes) -> None:
        tape = begun().client(request(1, "tools/list"), 0.5).server(line, 0.6)
        finding = only(closed(tape, 9))
        assert (finding.rule, finding.severity, finding.key) == ("FRM001", "error", "mixed")

    @pytest.mark.parametrize(
        "line",
        [
            b'{"jsonrpc":"2.0","id":1,"result":{"tools":[',
            b"{'jsonrpc': '2.0', 'id': 1}",
            b'{"jsonrpc":"2.0","id":1,"result":{"a":1,}}',
        ],
    )
    def test_a_message_that_is_no_json_is_an_error(self, line: bytes) -> None:
        tape = begun().client(request(1, "tools/list"), 0.5).server(line, 0.6)
        assert brief(closed(tape, 9)) == [("FRM001", "error", "server")]

    def test_a_dump_of_an_object_is_text_line_by_line(self) -> None:
        tape = begun()
        for line in (b"{", b"  name: 'x',", b"}"):
            tape.server(line, 0.5)
        assert keys(closed(tape, 9)) == [("FRM001", "s2c")]

    def test_a_prompt_that_has_no_newline_is_text(self) -> None:
        tape = begun().line("s2c", Segment((b"Password: ",), more=True), 1.5)
        tape.event("eof", 5, stream="c2s").line("s2c", Segment((b"",)), 5)
        assert keys(tape.event("eof", 5, stream="s2c").exit(5, "client-eof")) == [("FRM001", "s2c")]

    def test_blank_lines_in_a_banner_belong_to_it(self) -> None:
        tape = begun().server(b"", 0.3).server(b"Demo", 0.3).server(b"", 0.3)
        finding = only(closed(tape, 9))
        assert (finding.rule, [each.rule for each in finding.consequences]) == ("FRM001", ["FRM006"])

    def test_a_secret_in_a_line_is_not_repeated(self) -> None:
        tape = begun().server(b"Authorization: Bearer abcdefgh", 0.3)
        finding = only(closed(tape, 9))
        assert "abcdefgh" not in finding.message + "".join(finding.evidence)
