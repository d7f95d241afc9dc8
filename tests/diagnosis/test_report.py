"""The verdict and the life line."""

from __future__ import annotations

from mcp_tap.diagnosis.finding import Finding
from mcp_tap.diagnosis.report import SessionReport, report_of
from tests.diagnosis.checking import begun, closed, examined
from tests.record_cases import Tape, error, modern, request, result, told

PROBED = "A probe: the client only asked which protocol versions the server supports."


def report(tape: Tape, *findings: Finding) -> SessionReport:
    (checker,) = examined(tape.records(), [])
    return report_of(checker.context, findings, "f.jsonl")


def life(tape: Tape) -> list[str]:
    """``spawned ok 0.0 detail`` …"""
    marks = {True: "ok", False: "no", None: "?"}
    return [f"{each.step} {marks[each.ok]} {each.detail}".strip() for each in report(tape).lifecycle]


def finding(severity: str, message: str) -> Finding:
    return Finding("X", severity, "server", "proven", message, "", "s")  # type: ignore[arg-type]  # given as words


def listed(tape: Tape) -> Tape:
    return tape.client(request(1, "tools/list"), 0.5).server(
        result(1, tools=[{"name": "a"}, {"name": "b"}]), 0.6
    )


def test_a_healthy_session_says_how_much_was_answered_and_what_was_slowest() -> None:
    tape = (
        listed(begun()).client(request(2, "tools/call", name="export"), 1).server(result(2, content=[]), 3.3)
    )
    told_of = report(closed(tape, 5))
    assert told_of.verdict == "Healthy: 3 requests answered, slowest: tools/call export (2.30 s)."
    assert life(closed(tape, 5)) == [
        "spawned ok",
        "first byte ok",
        "initialize answered ok 2025-11-25",
        "initialized ok",
        "tools/list ok 2 tools",
        "ended ok client closed stdin, exit 0",
    ]
    assert (told_of.session, told_of.name, told_of.file, told_of.duration) == (
        tape.session,
        "notes",
        "f.jsonl",
        5.05,
    )


def test_a_session_that_goes_on_has_no_end_yet() -> None:
    expected = "No problems so far: 1 request answered; no exit has been recorded yet."
    assert report(begun()).verdict == expected
    assert life(begun())[-1] == "ended ? no exit recorded (still running, or the tap was killed)"


def test_a_server_that_was_not_started_never_got_anywhere() -> None:
    tape = (
        Tape().event("start", argv=["x"], name="x").event("spawn_failed", 0.1, error="no such file", code=127)
    )
    tape.event("exit", 0.1, code=127, signal=None, first="spawn-failed")
    assert report(tape).verdict == "The server never started."
    assert (
        report(tape, finding("error", "`x` was not found")).verdict
        == "The server never started: `x` was not found."
    )
    assert life(tape) == ["spawned no not started: no such file", "ended ? not started"]


def test_a_connection_that_failed_says_so() -> None:
    tape = Tape().start().client(request(0, "initialize"), 0.1)
    tape.event("exit", 0.4, code=1, signal=None, first="server-exit")
    assert report(tape).verdict == (
        "The handshake was not completed (server died: exit 1 after 400 ms); the recording does not show why."
    )
    verdict = report(
        tape, finding("error", "it crashed"), finding("error", "b"), finding("error", "c")
    ).verdict
    assert verdict == "The connection failed: it crashed. 2 more errors."
    assert life(tape) == [
        "spawned ok",
        "first byte no",
        "initialize answered no",
        "initialized no",
        "tools/list ?",
        "ended no server exited on its own, exit 1",
    ]


def test_a_refused_handshake_is_marked() -> None:
    tape = Tape().start().client(request(0, "initialize"), 0.1).server(error(0, -32602), 0.2)
    assert life(closed(tape, 1))[2] == "initialize answered no refused"


def test_errors_and_warnings_of_a_session_that_connected_come_first() -> None:
    assert report(begun(), finding("error", "it broke")).verdict == "Connected, with an error: it broke."
    verdict = report(begun(), finding("warning", "it is slow"), finding("warning", "x")).verdict
    assert verdict == "Connected, with a warning: it is slow. 1 more warning."
    assert report(closed(begun(), 1), finding("info", "x")).verdict == "Healthy: 1 request answered."


def test_nothing_said_and_a_probe_are_no_failures() -> None:
    assert report(closed(Tape().start(), 1)).verdict.startswith("No messages: ")
    probe = Tape().start().client(modern(0, "server/discover"), 0.1).server(error(0, -32601), 0.2)
    assert report(closed(probe, 0.3)).verdict == PROBED


def test_a_modern_session_has_no_handshake_to_miss() -> None:
    answer = result(1, tools=[], resultType="complete")
    tape = Tape().start().client(modern(1, "tools/list"), 0.1).server(answer, 0.2)
    assert life(closed(tape, 1))[2:4] == ["server/discover answered ? 2026-07-28", "tools/list ok 0 tools"]


def test_a_signal_is_named() -> None:
    tape = begun().event("signal", 1, name="SIGINT", forwarded=True)
    tape.event("exit", 1.1, code=None, signal="SIGINT", first="client-signal")
    assert life(tape)[-1] == "ended ok client sent SIGINT, killed by SIGINT"


def test_a_recording_without_its_beginning_does_not_say_what_was_not_reached() -> None:
    tape = Tape().client(told("notifications/x"), 0.1)
    assert life(closed(tape, 1))[:3] == ["spawned ?", "first byte ?", "initialize answered ?"]


def test_a_server_that_somebody_else_ended_has_not_left_of_its_own_accord() -> None:
    tape = begun().event("exit", 1.1, code=None, signal="SIGTERM", first="server-exit")
    assert life(tape)[-1] == "ended ? server stopped from outside, killed by SIGTERM"
