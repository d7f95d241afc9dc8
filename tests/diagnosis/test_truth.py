"""What must not be said: sessions that are healthy, endings that are a client's, recordings that lack much.

Each test here stands for a sentence that was once untrue.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import orjson
import pytest

from mcp_tap.diagnosis import json_schema, recording
from mcp_tap.diagnosis.finding import Finding
from tests.diagnosis.checking import begun, check, closed, diagnosed
from tests.record_cases import RECORDINGS, Tape, error, modern, request, result, told

FLEET = sorted(RECORDINGS.glob("fleet/*.jsonl"))


def verdict(tape: Tape) -> str:
    (report,) = diagnosed(tape.lines)
    return report.verdict


def loud(tape: Tape) -> list[tuple[str, str, str]]:
    """Rule, severity and culprit of all that is more than information."""
    return [(each.rule, each.severity, each.culprit) for each in check(tape) if each.severity != "info"]


def only(found: list[Finding], rule: str) -> Finding:
    (finding,) = [each for each in found if each.rule == rule]
    return finding


# A recording that is there twice, or not in order.


@pytest.mark.parametrize("path", FLEET[:12], ids=lambda path: path.stem)
def test_a_recording_that_is_there_twice_blames_nobody(path: Any) -> None:
    lines = path.read_bytes().splitlines(keepends=True)
    known = {finding.rule for report in diagnosed(lines) for finding in report.findings}
    for report in diagnosed(lines * 2):
        worse = {each.rule for each in report.findings if each.severity != "info"} - known
        assert worse == {"TAP003"}
        assert "in the file twice, or out of order" in only(list(report.findings), "TAP003").message


@pytest.mark.parametrize("path", FLEET[:12], ids=lambda path: path.stem)
def test_a_recording_of_which_each_line_is_there_twice_blames_nobody(path: Any) -> None:
    lines = path.read_bytes().splitlines(keepends=True)
    known = {finding.rule for report in diagnosed(lines) for finding in report.findings}
    for report in diagnosed([line for line in lines for _ in range(2)]):
        assert {each.rule for each in report.findings if each.severity != "info"} - known == {"TAP003"}


def test_what_comes_of_a_session_that_was_told_long_ago_is_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(recording, "ENDED_KEPT", 1)
    tapes = [closed(tape_of(f"01m8mn000000000{number}"), 1) for number in range(4)]
    lines = [line for tape in tapes for line in tape.lines]
    once = diagnosed(lines)
    assert [report.session for report in once] == [tape.session for tape in tapes]
    assert {report.file for report in once} == {"f"}
    assert [len(report.findings) for report in once] == [0, 0, 0, 0]
    twice = diagnosed(lines * 2)
    (finding,) = twice[0].findings
    assert (
        finding.message
        == f"{len(tapes[0].lines)} records of the session are in the file twice, or out of order"
    )
    assert [[each.rule for each in report.findings] for report in twice] == [["TAP003"]] * 4
    assert [report.findings for report in diagnosed(lines * 2, [])] == [()] * 4


def test_calls_that_passed_fast_are_shown_before_a_session_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(recording, "ENDED_KEPT", 0)
    tape = begun().client(request(1, "tools/list"), 0.3)
    tape.server(result(1, tools=[{"name": "find", "inputSchema": {"type": "object"}}]), 0.31)
    for number in range(2, 40):
        called = request(number, "tools/call", name="find", arguments={})
        tape.client(called, number / 10).server(result(number, content=[]), number / 10 + 0.01)
    (report,) = diagnosed(closed(tape, 9).lines)
    assert report.verdict.startswith("Healthy: 40 requests answered")
    assert report.findings == ()


def tape_of(session: str) -> Tape:
    """A short session of this name."""
    tape = Tape(session).start()
    info = {"name": "editor", "version": "2"}
    offer = request(0, "initialize", protocolVersion="2025-11-25", capabilities={}, clientInfo=info)
    agreed = result(
        0, protocolVersion="2025-11-25", capabilities={}, serverInfo={"name": "n", "version": "1"}
    )
    return tape.client(offer, 0.1).server(agreed, 0.2).client(told("notifications/initialized"), 0.2)


# Values that were masked.


def listed(*tools: dict[str, Any]) -> Tape:
    return begun().client(request(1, "tools/list"), 0.3).server(result(1, tools=list(tools)), 0.31)


PLAIN: dict[str, Any] = {"type": "object"}


@pytest.mark.parametrize(
    "tools",
    [
        [{"name": "[masked]", "inputSchema": PLAIN}],
        [{"name": "[masked]", "inputSchema": PLAIN}, {"name": "[masked]", "inputSchema": PLAIN}],
        [{"name": "a", "inputSchema": "[masked]"}],
        [{"name": "a", "inputSchema": {"type": "[masked]"}}],
        [{"name": "a", "inputSchema": {"type": "object", "$schema": "[masked]"}}],
        [{"name": "a", "inputSchema": PLAIN, "outputSchema": PLAIN | {"$schema": "https://[masked]/schema"}}],
        [{"name": "a", "inputSchema": {"type": "object", "properties": {"token": "[masked]"}}}],
    ],
)
def test_what_was_masked_in_a_list_of_tools_is_nobodys_fault(tools: list[dict[str, Any]]) -> None:
    assert loud(closed(listed(*tools), 1)) == []


def test_a_call_is_not_held_against_a_list_with_a_masked_name() -> None:
    tape = listed({"name": "[masked]", "inputSchema": PLAIN})
    tape.client(request(2, "tools/call", name="find", arguments={}), 0.5).server(error(2, -32602), 0.6)
    assert loud(closed(tape, 1)) == []


def test_values_are_not_held_against_a_masked_schema() -> None:
    schema = {"type": "object", "required": ["[masked]"], "properties": {"q": {"enum": ["[masked]"]}}}
    tape = listed({"name": "find", "inputSchema": schema, "outputSchema": schema})
    for number in range(2, 30):
        called = request(number, "tools/call", name="find", arguments={"q": f"{number}"})
        answer = result(number, content=[], structuredContent={"q": f"{number}"})
        tape.client(called, number / 10).server(answer, number / 10 + 0.01)
    assert loud(closed(tape, 9)) == []
    assert [each.rule for report in diagnosed(tape.lines) for each in report.findings] == []


# Endings.


def killed_at_start(signal: str) -> Tape:
    tape = Tape().start().client(request(0, "initialize"), 0.1)
    return tape.event("eof", 1, stream="s2c").exit(1, "server-exit", None, signal)


def test_a_server_that_was_killed_while_it_started_is_not_at_fault() -> None:
    finding = only(check(killed_at_start("SIGKILL")), "PRO002")
    assert finding.culprit == "undecided"
    assert "Out of memory" in finding.next
    assert only(check(killed_at_start("SIGTERM")), "PRO002").culprit == "undecided"
    assert only(check(killed_at_start("SIGSEGV")), "PRO002").culprit == "server"


@pytest.mark.parametrize(
    ("code", "signal", "how"),
    [
        (None, "SIGKILL", "it was then killed by SIGKILL"),
        (143, None, "it then exited with 143, as programs do on a signal"),
        (0, None, "it then exited by itself"),
    ],
)
def test_how_a_server_left_that_stayed_is_told_as_it_was(code: Any, signal: Any, how: str) -> None:
    tape = begun().event("eof", 5, stream="c2s").event("eof", 8, stream="s2c")
    tape.exit(8, "client-eof", code, signal)
    assert only(check(tape), "PRO006").message == f"server still running 3.00 s after stdin closed; {how}"


@pytest.mark.parametrize("stream", ["s2c", "stderr", "c2s"])
@pytest.mark.parametrize("flows", [False, True])
def test_a_server_that_is_held_up_cannot_leave(stream: str, flows: bool) -> None:
    tape = begun().event("eof", 5, stream="c2s").event("stall", 6.1, stream=stream)
    if flows:
        tape.event("flow", 8, stream=stream, seconds=2.9)
    tape.event("eof", 8.1, stream="s2c").exit(8.1, "client-eof")
    assert "PRO006" not in [each.rule for each in check(tape)]


def test_a_reader_that_had_taken_all_again_is_no_excuse() -> None:
    tape = begun().event("stall", 2, stream="s2c").event("flow", 3, stream="s2c", seconds=2.0)
    tape.event("eof", 5, stream="c2s").event("eof", 8.1, stream="s2c").exit(8.1, "client-eof")
    assert ("PRO006", "warning", "server") in loud(tape)


@pytest.mark.parametrize(
    ("platform", "after", "blamed"), [("win32", 2, False), ("win32", 0.5, True), ("linux", 2, True)]
)
def test_who_is_ended_by_force_on_windows_exits_with_1(platform: str, after: float, blamed: bool) -> None:
    tape = Tape().start(platform=platform).client(request(1, "ping"), 0.1).server(result(1), 0.2)
    tape.event("eof", 5, stream="c2s").event("eof", 5 + after, stream="s2c").exit(5 + after, "client-eof", 1)
    assert ("PRO004" in [each.rule for each in check(tape)]) is blamed


def test_the_last_line_of_stderr_is_one_that_says_something() -> None:
    tape = begun().stderr("lost the database", 0.5).stderr("└──────┘", 0.6)
    tape.event("eof", 1, stream="s2c").exit(1, "server-exit", 3)
    assert only(check(tape), "PRO019").message.endswith("; last stderr line: lost the database")


# Time that was the user's, and whose request it was.


def test_the_time_that_a_user_spends_at_a_url_is_not_the_servers() -> None:
    tape = begun(client={"elicitation": {"url": {}}}).client(request(1, "tools/call", name="pay"), 1)
    asked = request(
        0, "elicitation/create", mode="url", elicitationId="e", url="https://pay.example", message="m"
    )
    tape.server(asked, 1.1).client(result(0, action="accept"), 2)
    tape.server(told("notifications/elicitation/complete", elicitationId="e"), 60)
    tape.server(result(1, content=[]), 60.1).client(request(2, "tools/call", name="pay"), 61)
    assert loud(closed(tape.server(result(2, content=[]), 61.1), 62)) == []


def test_the_time_after_a_form_is_the_servers() -> None:
    tape = begun(client={"elicitation": {}}).client(request(1, "tools/call", name="pay"), 1)
    asked = request(
        0, "elicitation/create", message="m", requestedSchema={"type": "object", "properties": {}}
    )
    tape.server(asked, 1.1).client(result(0, action="decline"), 2)
    assert ("PRF001", "warning", "server") in loud(closed(tape.server(result(1, content=[]), 30), 31))


def test_a_server_that_gave_up_on_the_client_is_not_told_to_be_faster() -> None:
    tape = begun(client={"roots": {}}).server(request(5, "roots/list"), 1)
    tape.server(told("notifications/cancelled", requestId=5, reason="timed out"), 12)
    finding = only(check(closed(tape.client(result(5, roots=[]), 12.1), 13)), "CAN003")
    assert finding.message == "server gave up on roots/list after 11.0 s; the answer came 100 ms later"
    assert finding.next.startswith("make the client answer")


def test_the_meaning_of_a_code_is_not_told_twice() -> None:
    tape = begun(server={}).client(request(1, "prompts/list"), 1)
    (finding,) = check(closed(tape.server(error(1, -32601, "Method not found"), 1.1), 2))
    (so,) = finding.consequences
    assert so.message == "server answered prompts/list with -32601 'Method not found'"


def test_an_answer_with_the_id_of_another_request_is_held_against_the_one_that_waits() -> None:
    tape = begun().client(request("abc", "tools/call", name="a"), 1).server(result(0, content=[]), 1.1)
    (finding,) = check(closed(tape, 62))
    assert finding.message == (
        'server answered initialize (id 0) a second time, while tools/call `a` (id "abc") was waiting'
    )
    assert [each.rule for each in finding.consequences] == ["LIF017"]


# Verdicts.


def test_nothing_on_file_is_not_nothing_said() -> None:
    tape = Tape().start()
    assert verdict(tape) == "No messages so far; no exit has been recorded yet."
    tape.seq += 7
    tape.exit(2, "client-eof")
    assert verdict(tape) == "The recording contains no messages, but some records are missing."
    assert verdict(closed(Tape().start(), 1)) == "No messages: neither the client nor the server sent one."


def probe() -> Tape:
    return Tape().start().client(modern(0, "server/discover"), 0.1).server(error(0, -32601), 0.2)


PROBED = "A probe: the client only asked which protocol versions the server supports."


def test_a_probe_is_one_when_the_client_has_left_and_all_is_on_file() -> None:
    assert verdict(closed(probe(), 1)) == PROBED
    assert (
        verdict(probe().event("eof", 1, stream="c2s").event("signal", 1, name="SIGTERM", forwarded=True))
        == PROBED
    )
    slow = probe().event("eof", 1, stream="c2s").event("eof", 7, stream="s2c").exit(7, "client-eof")
    assert verdict(slow) == PROBED
    assert verdict(probe()) == "The handshake is not complete; no exit has been recorded yet."
    cut = probe()
    cut.seq += 5
    assert verdict(closed(cut, 1)).startswith("Part of the handshake is missing from the recording")


def stages(tape: Tape) -> dict[str, bool | None]:
    (report,) = diagnosed(tape.lines)
    return {stage.step: stage.ok for stage in report.lifecycle}


def test_a_refused_probe_is_no_refused_handshake() -> None:
    assert stages(probe())["server/discover answered"] is False
    fell_back = probe().client(request(1, "initialize"), 0.3).server(error(1, -32602), 0.4)
    assert stages(fell_back)["initialize answered"] is False


def test_a_handshake_of_which_records_are_missing_has_not_failed() -> None:
    info = {"name": "editor", "version": "2"}
    offer = request(0, "initialize", protocolVersion="2025-11-25", capabilities={}, clientInfo=info)
    tape = Tape().start().client(offer, 0.1)
    tape.seq += 1
    assert verdict(closed(tape, 1)) == "Part of the handshake is missing from the recording (client closed)."
    tape = Tape().start().client(request(0, "initialize"), 0.1)
    tape.seq += 2
    tape.client(request(1, "initialize"), 0.2)
    assert verdict(closed(tape, 1)).startswith("Error: initialize lacks")


def test_what_is_not_on_file_is_not_said_to_work() -> None:
    tape = Tape()
    tape.seq = 9
    tape.stderr("busy", 0.4)
    assert verdict(closed(tape, 1)).startswith("The recording contains no messages")
    tape = Tape()
    tape.seq = 9
    tape.server(result(4, content=[]), 0.4)
    assert verdict(closed(tape, 1)).startswith("Warning: 9 records")


def test_what_was_open_when_the_client_left_is_counted() -> None:
    tape = begun().client(request(1, "tools/call", name="a"), 1)
    expected = "No problems so far: 1 request answered, 1 pending; no exit has been recorded yet."
    assert verdict(tape) == expected
    assert (
        verdict(closed(tape, 1.01)) == "Healthy: 1 request answered, 1 pending when the client disconnected."
    )
    unanswered = Tape().start().client(modern(1, "tools/list"), 1)
    assert verdict(closed(unanswered, 1.01)).startswith("No problems found: 0 requests answered, 1 pending")


def test_a_recording_with_records_missing_is_not_called_healthy() -> None:
    tape = begun().event("limit", 1, bytes=1000)
    assert verdict(closed(tape, 2)) == "No problems in what was recorded: 1 request answered."


# Hostile schemas.


def doubling(depth: int) -> dict[str, Any]:
    """A schema that takes 2 to the power of ``depth`` steps."""
    parts: dict[str, Any] = {
        f"d{each}": {"allOf": [{"$ref": f"#/$defs/d{each + 1}"}] * 2} for each in range(depth)
    }
    return {"type": "object", "$defs": parts | {f"d{depth}": {}}, "properties": {"a": {"$ref": "#/$defs/d0"}}}


@pytest.mark.parametrize("read", [diagnosed, lambda lines: [check(tape_from(lines))]])
def test_a_server_that_changes_bad_schemas_all_the_time_is_not_followed_for_ever(
    read: Callable[[list[bytes]], Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[str] = []
    ask = json_schema.ask

    def counted(dialect: str, *rest: Any, **options: Any) -> Any:
        asked.append(dialect)
        return ask(dialect, *rest, **options)

    monkeypatch.setattr(json_schema, "ask", counted)
    for module in ("_schemas", "tol004_invalid_schema"):
        monkeypatch.setattr(f"mcp_tap.rules.tools.{module}.SESSION_STEPS", 10 * json_schema.STEPS)
    tape, number = begun(), 1
    for version in range(60):
        schema = {**doubling(40), "title": f"{version}"}
        tape.server(told("notifications/tools/list_changed"), number).client(
            request(number, "tools/list"), number
        )
        tools = [{"name": "a", "inputSchema": schema, "outputSchema": schema}]
        tape.server(result(number, tools=tools), number)
        called = request(number + 1, "tools/call", name="a", arguments={"a": version})
        answer = result(number + 1, content=[], structuredContent={"a": version})
        tape.client(called, number).server(answer, number)
        number += 2
    read(tape.lines)
    assert len(asked) < 150  # of 240 and more


def tape_from(lines: list[bytes]) -> Tape:
    """``lines`` as a tape."""
    tape = Tape(orjson.loads(lines[0])["session"])
    tape.lines.extend(lines)
    return tape
