"""PRF010: largest message."""

from __future__ import annotations

from mcp_tap.rules.performance.prf010_largest_message import LONG_LINE
from mcp_tap.wire.lines import Segment
from tests.diagnosis.checking import begun, closed, findings_of
from tests.record_cases import RECORDINGS, request, result, told
from tests.rules.performance.cases import RULES, found, said


def test_a08_the_largest_message_is_information() -> None:
    (finding,) = findings_of(RECORDINGS / "cases" / "A08.jsonl", RULES)
    assert (finding.rule, finding.severity, finding.culprit, finding.records, finding.message) == (
        "PRF010", "info", "server", (6,), "largest message 66 kB (tools/call list_rows)",
    )  # fmt: skip


def test_there_is_one_largest_message_whoever_sent_it() -> None:
    tape = said(said(begun(), 5, 66_000), 6, 80_000)
    assert [(each[2], each[4]) for each in found(tape)] == [
        ("server", "largest message 80 kB (tools/call list_rows)")
    ]
    tape.client(request(7, "tools/call", name="write", arguments={"text": "x" * 90_000}), 8)
    assert [(each[2], each[4]) for each in found(tape)] == [
        ("client", "largest message 90 kB (tools/call write)")
    ]
    tape.server(told("notifications/message", level="info", data="x" * 95_000), 9)
    assert found(tape)[0][4] == "largest message 95 kB (notifications/message)"
    tape.server(result(99, text="x" * 99_000), 10)
    assert found(tape)[0][4] == "largest message 99 kB (a response)"


def test_a_message_is_as_large_as_all_records_of_its_line() -> None:
    line = b'{"jsonrpc":"2.0","method":"notifications/x","params":{"text":"' + b"x" * 70_000 + b'"}}'
    tape = begun().line("s2c", Segment((line[:40_000],), more=True), 1)
    assert [each[4] for each in found(tape.line("s2c", line[40_000:], 2))] == [
        "largest message 70 kB (notifications/x)"
    ]
    short = begun().line("s2c", Segment((line[:10],), more=True), 1)
    assert found(short.client(told("notifications/x"), 1.5)) == []


def test_a_message_that_any_reader_takes_is_silent() -> None:
    empty = len(b'{"jsonrpc":"2.0","method":"notifications/x","params":{"text":""}}')
    for size, expected in ((LONG_LINE - 1, []), (LONG_LINE, ["PRF010"])):
        tape = begun().server(told("notifications/x", text="x" * (size - empty)), 1)
        assert [each[0] for each in found(closed(tape, 2))] == expected
