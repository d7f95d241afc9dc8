"""Lines that are no messages: which rule tells of them, and how."""

from __future__ import annotations

from typing import Any

import orjson
import pytest

from mcp_tap.wire.lines import Segment
from tests.diagnosis.checking import begun, check, closed, findings_of, told
from tests.record_cases import RECORDINGS, Tape, error, request, result
from tests.record_cases import told as notified
from tests.recordings.cases import CASES
from tests.rules.telling import MINE, brief, messages

CASE_FINDINGS: dict[str, list[tuple[str, str, str, tuple[int, ...], str]]] = {
    "A01": [
        (
            "FRM001",
            "warning",
            "server",
            (3, 4),
            "server wrote 2 lines of plain text to stdout, the first before the handshake: 'Demo server "
            "v1 ready'",
        )
    ],
    "A02": [
        (
            "FRM017",
            "warning",
            "server",
            (5, 6, 7),
            "server wrote 3 lines with terminal colour codes to stdout: '10:00:00 WARN cache cold'",
        )
    ],
    "A03": [
        (
            "FRM018",
            "warning",
            "server",
            (6,),
            "server wrote 1 line of JSON to stdout that is no JSON-RPC (`level`, `msg`, `time`): a logger "
            "that "
            "writes JSON shares stdout",
        )
    ],
    "A04": [
        (
            "FRM016",
            "error",
            "server",
            (3, 4, 7),
            "server frames messages with Content-Length headers (LSP); MCP over stdio is one JSON object "
            "per line",
        )
    ],
    "A05": [
        (
            "FRM007",
            "error",
            "undecided",
            (2,),
            "server exited 0 without a word right after a line that ends in CR LF; it looks like its "
            "reader does "
            "not accept CR",
        )
    ],
    "A06": [
        (
            "FRM009",
            "error",
            "server",
            (6,),
            "line 2 of stdout, the answer to tools/call `read` (id 3), is not UTF-8; the bytes decode as "
            "GBK: '中文'",
        )
    ],
    "A07": [
        (
            "FRM013",
            "warning",
            "client",
            (5,),
            "the request tools/call `w` contains half of a UTF-16 pair (\\ud83d) and got no answer; "
            "strict UTF-8 "
            "decoders reject it",
        )
    ],
    "A10": [
        (
            "FRM011",
            "error",
            "server",
            (6,),
            "the answer to tools/call `statistics` (id 4) of the server is not strict JSON (NaN in `mean`); "
            "JavaScript clients drop it",
        )
    ],
    "A11": [
        (
            "RPC008",
            "warning",
            "server",
            (5, 6),
            'server answered tools/list, id "7", with the id 7: same value, other JSON type; strict '
            "clients wait "
            "for ever",
        ),
        (
            "RPC008",
            "warning",
            "server",
            (7, 8),
            "server answered tools/list, id 8, with the id 8.0: same value, other JSON type; strict "
            "clients wait "
            "for ever",
        ),
    ],
    "A12": [
        (
            "RPC002",
            "error",
            "client",
            (5, 6),
            "client sent 2 requests with the id null, the first tools/list: no legal id, and servers "
            "ignore it",
        )
    ],
    "A13": [
        (
            "RPC031",
            "error",
            "server",
            (5,),
            "server answered the notification `notifications/initialized` with error -32601 'Method not "
            "found'; "
            "notifications get no reply; the client closed stdin 0.20 s later, before it had got anything "
            "but the "
            "handshake",
        )
    ],
    "A16": [
        (
            "RPC018",
            "error",
            "client",
            (5,),
            "client sent a batch under 2025-06-18; batches exist only in 2025-03-26; 2 requests unanswered",
        )
    ],
}


@pytest.mark.parametrize("name", sorted(CASES))
def test_a_recorded_failure_has_these_findings_and_no_others(name: str) -> None:
    found = findings_of(RECORDINGS / "cases" / f"{name}.jsonl", MINE)
    assert told(found) == CASE_FINDINGS.get(name, [])


@pytest.mark.parametrize("path", sorted((RECORDINGS / "v1").glob("*.jsonl")), ids=lambda path: path.stem)
def test_nothing_is_found_in_the_sessions_of_real_servers(path: Any) -> None:
    assert told(findings_of(path, MINE)) == []


def answered(tape: Tape, id: int = 1, t: float = 0.5) -> Tape:
    """A request that is answered."""
    return tape.client(request(id, "tools/list"), t).server(result(id, tools=[]), t + 0.01)


class TestTextOnStdout:
    def test_a_banner_before_the_handshake_is_told_with_its_first_line(self) -> None:
        tape = Tape().start().server(b"Demo  server\tv1", 0.05)
        assert told(check(closed(tape, 5), rules=MINE)) == [
            (
                "FRM001",
                "warning",
                "server",
                (2,),
                "server wrote 1 line of plain text to stdout, before the handshake: 'Demo server v1'",
            )
        ]

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
        assert told(check(closed(tape, 0.9), rules=MINE)) == [
            (
                "FRM001",
                "error",
                "server",
                (6,),
                "server wrote 1 line of plain text to stdout: 'listing'; the client closed stdin 0.30 s "
                "later, "
                "with tools/list unanswered",
            )
        ]

    def test_a_client_that_leaves_in_the_middle_of_the_handshake_makes_it_an_error(self) -> None:
        tape = Tape().start()
        offer, answer, _ = list(begun().records())[2:]
        tape.client(offer.payload, 0.1).server(b"ready", 0.2).server(answer.payload, 0.2)
        (message,) = messages(closed(tape, 0.3))
        assert message.endswith(
            "'ready'; the client closed stdin 0.10 s later, before the handshake was complete"
        )

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
        (finding,) = check(closed(tape, 9), rules=MINE)
        assert (finding.rule, finding.severity, finding.key) == ("FRM001", "error", "mixed")
        assert finding.message.startswith(
            "server wrote text and the answer to tools/list (id 1) on one line of stdout: '"
        )

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
        assert messages(closed(tape, 9)) == ["server wrote 3 lines of plain text to stdout: '{'"]

    def test_a_prompt_that_has_no_newline_is_text(self) -> None:
        tape = begun().line("s2c", Segment((b"Password: ",), more=True), 1.5)
        tape.event("eof", 5, stream="c2s").line("s2c", Segment((b"",)), 5)
        assert messages(tape.event("eof", 5, stream="s2c").exit(5, "client-eof")) == [
            "server wrote 1 line of plain text to stdout: 'Password:'"
        ]

    def test_blank_lines_in_a_banner_belong_to_it(self) -> None:
        tape = begun().server(b"", 0.3).server(b"Demo", 0.3).server(b"", 0.3)
        (finding,) = check(closed(tape, 9), rules=MINE)
        assert (finding.rule, [each.rule for each in finding.consequences]) == ("FRM001", ["FRM006"])

    def test_a_secret_in_a_line_is_not_repeated(self) -> None:
        tape = begun().server(b"Authorization: Bearer abcdefgh", 0.3)
        (finding,) = check(closed(tape, 9), rules=MINE)
        assert "abcdefgh" not in finding.message + "".join(finding.evidence)


class TestTextOnStdin:
    def test_a_line_of_the_client_is_an_error_of_the_client(self) -> None:
        assert told(
            check(closed(begun().client(b"hello", 0.5).client(b"\x1b[31mx", 0.6), 9), rules=MINE)
        ) == [
            (
                "FRM002",
                "error",
                "client",
                (5, 6),
                "client wrote 2 lines of something that is not JSON to the server's stdin: 'hello'",
            )
        ]

    def test_the_servers_parse_error_explains_itself_by_it(self) -> None:
        tape = begun().client(b"hello", 0.5).server(error(None, -32700, "Parse error"), 0.6)
        found = check(closed(tape, 9))
        assert [(each.rule, [one.rule for one in each.consequences]) for each in found] in (
            [("FRM002", [])],
            [("FRM002", ["RPC030"])],
        )


class TestSpreadMessage:
    PRETTY = orjson.dumps(result(1, tools=[]), option=orjson.OPT_INDENT_2).split(b"\n")

    def test_a_pretty_printed_answer_is_told_once(self) -> None:
        tape = begun().client(request(1, "tools/list"), 0.5)
        for line in self.PRETTY:
            tape.server(line, 0.6)
        (finding,) = check(closed(tape, 9), rules=MINE)
        assert (finding.rule, finding.severity, finding.culprit) == ("FRM003", "error", "server")
        assert finding.records == tuple(range(6, 6 + len(self.PRETTY)))
        assert finding.message == (
            "server wrote the answer to tools/list (id 1) over 7 lines; the other side reads each by itself"
        )

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
        (finding,) = check(tape, rules=MINE)
        assert finding.rule == "FRM001"


class TestTwoOnALine:
    def test_both_answers_are_lost_and_both_requests_explained(self) -> None:
        tape = begun().client(request(1, "tools/list"), 0.5).client(request(2, "ping"), 0.5)
        tape.server(orjson.dumps(result(1, tools=[])) + b" " + orjson.dumps(result(2)), 0.6)
        (finding,) = check(closed(tape, 9), rules=MINE)
        assert (finding.rule, finding.severity, finding.culprit) == ("FRM004", "error", "server")
        assert finding.message.startswith(
            "server wrote two messages on one line of stdout, so that neither is read: '"
        )

    def test_text_in_brackets_after_an_answer_is_text(self) -> None:
        tape = begun().client(request(1, "ping"), 0.5).server(orjson.dumps(result(1)) + b" [info] ok", 0.6)
        assert messages(closed(tape, 9))[0].startswith(
            "server wrote text and the answer to ping (id 1) on one line"
        )

    def test_two_objects_that_are_no_messages_are_text(self) -> None:
        assert brief(closed(begun().server(b'{"a":1} {"b":2}', 0.5), 9)) == [("FRM001", "warning", "server")]


class TestBlankLine:
    @pytest.mark.parametrize("line", [b"", b"  \t", b"\r"])
    def test_a_blank_line_is_a_warning(self, line: bytes) -> None:
        assert told(check(closed(begun().client(line, 0.5).client(line, 0.6), 9), rules=MINE)) == [
            ("FRM006", "warning", "client", (5, 6), "client wrote 2 blank lines to the server's stdin")
        ]

    def test_spaces_before_the_end_of_the_stream_are_no_line(self) -> None:
        tape = begun().line("s2c", Segment((b"  ",)), 5).event("eof", 5, stream="s2c")
        assert brief(tape.exit(5, "server-exit")) == []


class TestLspFraming:
    def test_headers_in_any_order_and_bodies_without_newlines_are_one_finding(self) -> None:
        tape = Tape().start().client(list(begun().records())[2].payload, 0.1)
        tape.server(b"Content-Type: application/vscode-jsonrpc; charset=utf-8\r", 0.2)
        tape.server(b"Content-Length: 36\r", 0.2).server(b"\r", 0.2)
        tape.server(orjson.dumps(result(0)) + b"Content-Length: 36\r", 0.3).server(b"\r", 0.3)
        (finding,) = check(closed(tape, 30), rules=MINE)
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


class TestColouredLines:
    def test_a_client_that_leaves_at_once_makes_it_an_error(self) -> None:
        tape = begun().client(request(1, "tools/list"), 0.5).server(b"\x1b[33mWARN\x1b[0m x", 0.6)
        (message,) = messages(closed(tape, 0.9))
        assert message == (
            "server wrote 1 line with terminal colour codes to stdout: 'WARN x'; the client closed stdin "
            "0.30 s "
            "later, with tools/list unanswered"
        )


class TestJsonLog:
    @pytest.mark.parametrize(
        ("line", "message"),
        [
            (b"42", "server wrote 1 line of JSON to stdout that is no JSON-RPC: '42'"),
            (b"[]", "server wrote 1 line of JSON to stdout that is no JSON-RPC: '[]'"),
            (b"[1, 2]", "server wrote 1 line of JSON to stdout that is no JSON-RPC: '[1, 2]'"),
            (b"{}", "server wrote 1 line of JSON to stdout that is no JSON-RPC (no members)"),
            (b'{"a":1}', "server wrote 1 line of JSON to stdout that is no JSON-RPC (`a`)"),
        ],
    )
    def test_any_json_that_has_nothing_of_a_message_is_told(self, line: bytes, message: str) -> None:
        assert messages(closed(begun().server(line, 0.5), 9)) == [message]

    def test_json_of_the_client_is_a_message_that_is_none(self) -> None:
        assert brief(closed(begun().client(b"42", 0.5), 9)) == [("RPC011", "error", "client")]


class TestArtefactsOfTheTap:
    def test_the_rest_of_a_line_whose_beginning_was_not_recorded_is_nothing(self) -> None:
        tape = begun().event("gap", 1, records=1, bytes=9, reason="disk full")
        tape.seq += 1
        tape.event("spawn", 1).server(b'rest of it"}}', 2).server(b"real text", 3)
        assert messages(closed(tape, 9)) == ["server wrote 1 line of plain text to stdout: 'real text'"]

    def test_a_recording_without_its_start_begins_with_a_line_that_proves_nothing(self) -> None:
        tape = Tape()
        tape.seq = 7
        assert brief(tape.server(b'of it"}}', 2)) == []

    def test_a_line_put_together_over_a_gap_is_nothing(self) -> None:
        tape = begun().line("s2c", Segment((b'{"jsonrpc":',), more=True), 1)
        tape.seq += 1
        assert brief(closed(tape.line("s2c", Segment((b'"x"}',), newline=True), 2), 9)) == []

    def test_a_line_that_stopped_in_its_middle_is_whole_in_the_end(self) -> None:
        tape = (
            begun()
            .client(request(1, "ping"), 0.5)
            .line("s2c", Segment((b'{"jsonrpc":"2.0",',), more=True), 1)
        )
        assert brief(closed(tape.line("s2c", Segment((b'"id":1,"result":{}}',), newline=True), 3), 9)) == []

    @pytest.mark.parametrize(
        "line", [b'{"jsonrpc":"2.0","id":1,"result":{"a":1e999}}', b'{"a":' * 1100 + b"1" + b"}" * 1100]
    )
    def test_a_line_beyond_the_tools_own_limits_is_nothing(self, line: bytes) -> None:
        tape = begun().client(request(1, "ping"), 0.5).server(line, 0.6).server(result(9), 0.7)
        assert brief(closed(tape, 9)) == []

    def test_a_session_that_goes_on_has_no_unfinished_line(self) -> None:
        tape = begun().line("s2c", Segment((b'{"jsonrpc":"2.0",',), more=True), 1)
        assert brief(tape.client(notified("notifications/roots/list_changed"), 2)) == []
