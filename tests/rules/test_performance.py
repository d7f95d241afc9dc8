"""PRF: slow answers, slow starts, large messages."""

from __future__ import annotations

from typing import Any

import pytest

from mcp_tap.diagnosis.settings import Thresholds
from mcp_tap.rules.performance.prf010_largest_message import LONG_LINE
from mcp_tap.wire.lines import Segment
from tests.diagnosis.checking import begun, check, closed, findings_of, rules_of
from tests.record_cases import RECORDINGS, Tape, error, modern, request, result, told

RULES = rules_of("PRF")

Told = tuple[str, str, str, tuple[int, ...], str]


def found(tape: Tape, thresholds: Thresholds | None = None) -> list[Told]:
    """What the rules of this family find."""
    return [
        (each.rule, each.severity, each.culprit, each.records, each.message)
        for each in check(tape, rules=RULES, thresholds=thresholds)
    ]


def call(tape: Tape, id: int, t: float, took: float, tool: str = "export") -> Tape:
    """A call that takes so many seconds."""
    tape.client(request(id, "tools/call", name=tool, arguments={}), t)
    return tape.server(result(id, content=[]), t + took)


def said(tape: Tape, id: int, size: int, tool: str = "list_rows") -> Tape:
    """A call whose result has so many bytes of text."""
    tape.client(request(id, "tools/call", name=tool, arguments={}), id)
    return tape.server(result(id, content=[{"type": "text", "text": "x" * size}]), id + 0.1)


# PRF001 and PRF002


def test_a_slow_call_is_told_with_its_time() -> None:
    assert found(call(begun(), 5, 1, 8)) == [
        ("PRF001", "warning", "server", (5, 6), "tools/call export (id 5) took 8.00 s")
    ]


def test_slow_calls_of_one_tool_are_one_finding_with_the_slowest() -> None:
    tape = begun()
    for number, took in enumerate((1.0, 8.0, 12.0, 6.0, 0.1)):
        call(tape, 5 + number, 1 + 20 * number, took)
    call(tape, 90, 200, 7, "import")
    assert [(each[3], each[4]) for each in found(tape)] == [
        (
            (7, 8, 9, 10, 11, 12),
            "3 of 5 answers to tools/call export took more than 5.00 s, the slowest 12.0 s (id 7)",
        ),
        ((15, 16), "tools/call import (id 90) took 7.00 s"),
    ]
    assert found(call(call(begun(), 5, 1, 8), 6, 20, 1))[0][4] == (
        "tools/call export (id 5) took 8.00 s; 1 other call did not"
    )


def test_a_call_near_the_time_out_is_told_as_such_alone() -> None:
    assert found(call(begun(), 5, 1, 55)) == [
        ("PRF002", "warning", "server", (5, 6), "tools/call export (id 5) took 55.0 s")
    ]
    assert [each[0] for each in found(call(begun(), 5, 1, 50))] == ["PRF001"]


def test_thresholds_are_settings() -> None:
    assert found(call(begun(), 5, 1, 8), Thresholds(slow_call_seconds=10)) == []
    assert [each[0] for each in found(call(begun(), 5, 1, 8), Thresholds(near_timeout_seconds=7))] == [
        "PRF002"
    ]
    assert found(call(begun(), 5, 1, 5)) == [], "not more than five"


def test_other_requests_are_told_by_their_method() -> None:
    tape = begun().client(request(5, "resources/read", uri="note://1"), 1).server(result(5, contents=[]), 9)
    assert [each.key for each in check(tape, rules=RULES)] == ["resources/read"]


def test_what_the_server_waited_for_the_client_is_not_its_own() -> None:
    tape = begun(client={"roots": {}}).client(request(5, "tools/call", name="index", arguments={}), 1)
    tape.server(request(0, "roots/list"), 2).client(result(0, roots=[]), 62).server(result(5, content=[]), 63)
    assert found(tape) == []
    assert findings_of(RECORDINGS / "cases" / "A17.jsonl", RULES) == []


def test_the_legs_of_a_call_of_the_modern_era_are_one_call() -> None:
    tape = Tape().start().client(modern(1, "tools/list"), 0.1).server(result(1, tools=[]), 0.2)
    tape.client(modern(2, "tools/call", name="a", arguments={}), 1)
    tape.server(result(2, resultType="input_required", requestState="s", inputRequests={}), 4)
    tape.client(modern(3, "tools/call", name="a", arguments={}, requestState="s", inputResponses={}), 300)
    tape.server(result(3, resultType="complete", content=[]), 303)
    assert [(each[0], each[4]) for each in found(tape)] == [
        ("PRF001", "tools/call a (id 3) took 6.00 s; 1 other call did not")
    ]


@pytest.mark.parametrize("method", ["tasks/result", "subscriptions/listen"])
def test_what_waits_by_design_is_not_slow(method: str) -> None:
    tape = begun().client(request(5, method, taskId="1"), 1)
    assert found(tape.server(result(5), 100)) == []


def test_a_call_that_was_given_up_is_not_slow() -> None:
    tape = begun().client(request(5, "tools/call", name="export"), 1)
    tape.client(told("notifications/cancelled", requestId=5), 61)
    assert found(tape.server(result(5, content=[]), 62)) == []
    assert findings_of(RECORDINGS / "cases" / "A20.jsonl", RULES) == []


def test_an_answer_to_a_client_that_has_left_is_not_slow() -> None:
    tape = begun().client(request(5, "tools/call", name="export"), 1).event("eof", 30, stream="c2s")
    assert found(tape.server(result(5, content=[]), 31)) == []


def test_where_records_are_missing_the_server_may_have_asked_the_client() -> None:
    tape = begun().client(request(5, "tools/call", name="export"), 1)
    tape.event("gap", 2, records=2, bytes=100, reason="ENOSPC")
    assert found(tape.server(result(5, content=[]), 31)) == []
    tape = begun().client(request(5, "tools/call", name="export"), 1)
    tape.seq += 3
    assert found(tape.server(result(5, content=[]), 31)) == []


def test_a_slow_error_is_slow_and_a_slow_client_is_not_the_server() -> None:
    tape = begun().client(request(5, "tools/call", name="export"), 1).server(error(5, -32603), 9)
    assert [each[0] for each in found(tape)] == ["PRF001"]
    assert found(begun().server(request(0, "roots/list"), 1).client(result(0, roots=[]), 30)) == []


def test_what_was_asked_while_the_server_started_is_timed_from_its_first_answer() -> None:
    tape = Tape().start().client(modern(1, "tools/list"), 0.1).client(modern(2, "prompts/list"), 0.1)
    tape.server(result(1, tools=[]), 9).server(result(2, prompts=[]), 12)
    assert found(tape) == []
    tape.client(modern(3, "prompts/list"), 13).server(result(3, prompts=[]), 19)
    assert [each[0] for each in found(tape)] == ["PRF001"]


# PRF003


def started(took: float, *argv: str) -> Tape:
    """A server that answers initialize after so many seconds."""
    tape = Tape().start(argv=list(argv) or ["notes-server"])
    tape.client(request(0, "initialize", protocolVersion="2025-11-25", capabilities={}), 0.1)
    return tape.server(result(0, protocolVersion="2025-11-25", capabilities={}), 0.1 + took)


def test_a_slow_start_is_told_with_its_time() -> None:
    assert found(started(14)) == [
        (
            "PRF003", "warning", "server", (2, 3),
            "initialize was answered after 14.0 s, 14.1 s after the server was started",
        )
    ]  # fmt: skip
    assert [each[1] for each in found(started(31))] == ["error"]
    assert found(started(10)) == []


def test_behind_a_launcher_nobody_is_blamed() -> None:
    (finding,) = check(started(14, "npx", "-y", "notes-server"), rules=RULES)
    assert finding.culprit == "undecided"
    assert finding.message.endswith("after the server was started by npx")
    assert finding.next == "install the server beforehand and start it without npx"


def test_a_client_that_was_late_itself_does_not_count() -> None:
    tape = Tape().start().client(request(0, "initialize"), 60).server(result(0), 61)
    assert found(tape) == []


def test_only_the_first_answer_tells_how_the_server_started() -> None:
    tape = started(1).client(request(1, "server/discover"), 20).server(result(1), 40)
    assert found(tape) == []


def test_a_start_that_is_not_on_file_or_was_given_up_is_not_told() -> None:
    tape = Tape().client(request(0, "initialize"), 0.1).server(result(0), 20)
    assert found(tape) == []
    tape = Tape().start().client(request(0, "initialize"), 0.1).event("eof", 15, stream="c2s")
    assert found(tape.server(result(0), 15.1)) == []


# PRF004


def test_a_large_result_is_told_with_its_size() -> None:
    assert [each for each in found(said(begun(), 5, 132_000)) if each[0] == "PRF004"] == [
        (
            "PRF004", "warning", "server", (6,),
            "tool `list_rows` returned 132 kB of text (id 5), about 33,000 tokens",
        )
    ]  # fmt: skip


def test_large_results_of_one_tool_are_one_finding_with_the_largest() -> None:
    tape = said(said(said(begun(), 5, 110_000), 6, 1_200_000), 7, 120_000)
    assert [each[4] for each in found(tape) if each[0] == "PRF004"] == [
        "tool `list_rows` returned more than 100 kB of text 3 times, at most 1.2 MB (id 6), "
        "about 300,000 tokens"
    ]


def test_text_in_a_resource_counts_and_images_and_structure_do_not() -> None:
    def answered(**members: Any) -> list[str]:
        tape = begun().client(request(5, "tools/call", name="a"), 1).server(result(5, **members), 1.1)
        return [each[0] for each in found(tape) if each[0] == "PRF004"]

    resource = {"type": "resource", "resource": {"uri": "note://1", "text": "é" * 60_000}}
    assert answered(content=[resource]) == ["PRF004"]
    assert answered(content=[{"type": "image", "mimeType": "image/png", "data": "A" * 200_000}, 7]) == []
    assert answered(content=[], structuredContent={"text": "x" * 200_000}) == []
    assert answered(content="x" * 200_000) == []


# PRF005


def tools(number: int, size: int = 1) -> list[dict[str, Any]]:
    """Tools as they are listed."""
    return [
        {"name": f"t{n}", "description": "x" * size, "inputSchema": {"type": "object"}} for n in range(number)
    ]


def listed(
    tape: Tape, id: int, page: list[dict[str, Any]], then: str | None = None, cursor: str | None = None
) -> Tape:
    """One page of the list."""
    tape.client(request(id, "tools/list", **({"cursor": cursor} if cursor else {})), id)
    return tape.server(result(id, tools=page, **({"nextCursor": then} if then else {})), id + 0.1)


def test_many_tools_are_information() -> None:
    ((rule, severity, culprit, records, message),) = found(listed(begun(), 1, tools(41)))
    assert (rule, severity, culprit, records) == ("PRF005", "info", "server", (6,))
    assert message == "tools/list has 41 tools in 3 kB, about 1,000 tokens"
    assert found(listed(begun(), 1, tools(40))) == []


def test_a_long_list_is_information_once_over_all_pages() -> None:
    pages = tools(4, 15_000)
    tape = listed(listed(begun(), 1, pages[:2], "p2"), 2, pages[2:], None, "p2")
    ((rule, _, _, records, message),) = found(tape)
    assert (rule, records) == ("PRF005", (8,))
    assert message == "tools/list has 4 tools in 60 kB, about 15,000 tokens"
    assert [each[3] for each in found(listed(tape, 3, tools(41)))] == [(8,)]
    assert found(listed(begun(), 1, tools(2, 15_000))) == []
    assert found(begun().client(request(1, "tools/list"), 1).server(error(1, -32603), 1.1)) == []


# PRF010


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


@pytest.mark.parametrize("path", sorted((RECORDINGS / "v1").glob("*.jsonl")), ids=lambda path: path.stem)
def test_no_real_session_has_a_fault_of_this_family(path: Any) -> None:
    assert findings_of(path, RULES) == []
