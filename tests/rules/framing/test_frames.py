"""Lines that are no messages: which rule tells of them, and how."""

from __future__ import annotations

from typing import Any

import pytest

from mcp_tap.wire.lines import Segment
from tests.diagnosis.checking import begun, closed, findings_of, told
from tests.record_cases import RECORDINGS, Tape, request, result
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
