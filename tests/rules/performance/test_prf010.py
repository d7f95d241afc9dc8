"""PRF010: largest message."""

from __future__ import annotations

from mcp_tap.rules.performance.prf010_largest_message import LONG_LINE
from mcp_tap.wire.lines import Segment
from tests.diagnosis.checking import begun, closed, facts, findings_of
from tests.record_cases import RECORDINGS, request, result, told
from tests.rules.performance.cases import RULES, found, said


def test_a08_the_largest_message_is_information() -> None:
    assert facts(findings_of(RECORDINGS / "cases" / "A08.jsonl", RULES)) == [
        ("PRF010", "info", "server", (6,), "")
    ]


def test_there_is_one_largest_message_whoever_sent_it() -> None:
    tape = said(said(begun(), 5, 66_000), 6, 80_000)
    assert found(tape) == [("PRF010", "info", "server", (8,), "")]
    tape.client(request(7, "tools/call", name="write", arguments={"text": "x" * 90_000}), 8)
    assert found(tape) == [("PRF010", "info", "client", (9,), "")]
    tape.server(told("notifications/message", level="info", data="x" * 95_000), 9)
    assert [each[3] for each in found(tape)] == [(10,)]
    tape.server(result(99, text="x" * 99_000), 10)
    assert [each[3] for each in found(tape)] == [(11,)]


def test_a_message_is_as_large_as_all_records_of_its_line() -> None:
    line = b'{"jsonrpc":"2.0","method":"notifications/x","params":{"text":"' + b"x" * 70_000 + b'"}}'
    tape = begun().line("s2c", Segment((line[:40_000],), more=True), 1)
    assert [each[0] for each in found(tape.line("s2c", line[40_000:], 2))] == ["PRF010"]
    short = begun().line("s2c", Segment((line[:10],), more=True), 1)
    assert found(short.client(told("notifications/x"), 1.5)) == []


def test_a_message_that_any_reader_takes_is_silent() -> None:
    empty = len(b'{"jsonrpc":"2.0","method":"notifications/x","params":{"text":""}}')
    for size, expected in ((LONG_LINE - 1, []), (LONG_LINE, ["PRF010"])):
        tape = begun().server(told("notifications/x", text="x" * (size - empty)), 1)
        assert [each[0] for each in found(closed(tape, 2))] == expected
