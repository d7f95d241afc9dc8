"""Lines that are no messages: which rule tells of them, and how."""

from __future__ import annotations

from typing import Any

import pytest

from mcp_tap.wire.lines import Segment
from tests.diagnosis.checking import begun, closed, facts, findings_of
from tests.record_cases import RECORDINGS, Tape, request, result
from tests.record_cases import told as notified
from tests.recordings.cases import CASES
from tests.rules.telling import MINE, brief, keys

CASE_FINDINGS: dict[str, list[tuple[str, str, str, tuple[int, ...], str]]] = {
    "A01": [("FRM001", "warning", "server", (3, 4), "s2c")],
    "A02": [("FRM017", "warning", "server", (5, 6, 7), "s2c")],
    "A03": [("FRM018", "warning", "server", (6,), "s2c")],
    "A04": [("FRM016", "error", "server", (3, 4, 7), "s2c")],
    "A05": [("FRM007", "error", "undecided", (2,), "c2s")],
    "A06": [("FRM009", "error", "server", (6,), "s2c")],
    "A07": [("FRM013", "warning", "client", (5,), "c2s tools/call")],
    "A10": [("FRM011", "error", "server", (6,), "s2c tools/call statistics")],
    "A11": [
        ("RPC008", "warning", "server", (5, 6), "s2c string as integer"),
        ("RPC008", "warning", "server", (7, 8), "s2c integer as number"),
    ],
    "A12": [("RPC002", "error", "client", (5, 6), "c2s")],
    "A13": [("RPC031", "error", "server", (5,), "s2c notifications/initialized")],
    "A16": [("RPC018", "error", "client", (5,), "c2s")],
}


@pytest.mark.parametrize("name", sorted(CASES))
def test_a_recorded_failure_has_these_findings_and_no_others(name: str) -> None:
    found = findings_of(RECORDINGS / "cases" / f"{name}.jsonl", MINE)
    assert facts(found) == CASE_FINDINGS.get(name, [])


@pytest.mark.parametrize("path", sorted((RECORDINGS / "v1").glob("*.jsonl")), ids=lambda path: path.stem)
def test_nothing_is_found_in_the_sessions_of_real_servers(path: Any) -> None:
    assert facts(findings_of(path, MINE)) == []


class TestArtefactsOfTheTap:
    def test_the_rest_of_a_line_whose_beginning_was_not_recorded_is_nothing(self) -> None:
        tape = begun().event("gap", 1, records=1, bytes=9, reason="disk full")
        tape.seq += 1
        tape.event("spawn", 1).server(b'rest of it"}}', 2).server(b"real text", 3)
        assert keys(closed(tape, 9)) == [("FRM001", "s2c")]

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
