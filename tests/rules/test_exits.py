"""How the server ended: of its own accord, by a crash, or not cleanly when it was asked to."""

from __future__ import annotations

from pathlib import Path

import pytest

from mcp_tap.diagnosis.life import SIGNALS_KEPT
from mcp_tap.wire.lines import Segment
from tests.diagnosis.checking import check, findings_of, names, rules_of
from tests.record_cases import RECORDINGS, Tape, request
from tests.recordings.cases import CASES, agreed, begun, call, closed, offer, said

RULES = rules_of("PRO003", "PRO004", "PRO005", "PRO011", "PRO019")

TOGETHER = (*rules_of("PRO001", "PRO002", "PRO008", "PRO009", "PRO014"), *RULES)


def found(tape: Tape) -> list[tuple[str, str, str, tuple[int, ...], str]]:
    """What this family finds: rule, severity, culprit, records, message."""
    return [
        (each.rule, each.severity, each.culprit, each.records, each.message)
        for each in check(tape, rules=RULES)
    ]


def died(tape: Tape, t: float, code: int | None = 1, signal: str | None = None) -> Tape:
    """The server ends of its own accord."""
    return tape.event("eof", t, stream="s2c").exit(t, "server-exit", code, signal)


def left(tape: Tape, t: float, code: int | None, signal: str | None = None) -> Tape:
    """The client closes stdin, and the server ends."""
    tape.event("eof", t, stream="c2s").event("eof", t + 0.1, stream="s2c")
    return tape.exit(t + 0.1, "client-eof", code, signal)


# PRO003


def test_a_death_in_a_call_names_what_was_open_and_the_last_words() -> None:
    tape = begun().client(call(5, "export"), 1).client(request(6, "ping"), 1.1)
    tape.stderr("fatal: no such table", 1.2)
    assert found(died(tape, 1.201)) == [
        (
            "PRO003",
            "error",
            "server",
            (5, 6, 9),
            "server exited 1 after 1.20 s with 2 requests open: tools/call export (id 5), ping (id 6); last "
            "stderr line: fatal: no such table",
        )
    ]


def test_of_many_open_requests_three_are_named() -> None:
    tape = begun()
    for number in range(5):
        tape.client(call(number + 1, "x"), 1)
    (finding,) = check(died(tape, 2), rules=RULES)
    assert (
        "with 5 requests open: tools/call x (id 1), tools/call x (id 2), tools/call x (id 3) and 2 more"
        in (finding.message)
    )


def test_a_closed_stdout_ends_a_call_as_well() -> None:
    tape = begun().client(call(5, "x"), 1).event("eof", 2, stream="s2c").event("eof", 2.1, stream="c2s")
    (finding,) = check(tape.exit(4, "server-eof", 0), rules=RULES)
    assert finding.rule == "PRO003"
    assert finding.message.startswith("server closed its stdout after 2.00 s with 1 request open")
    assert [each.rule for each in finding.consequences] == ["PRO011"]


def test_what_stderr_said_of_the_call_belongs_to_the_death() -> None:
    tape = begun().stderr("KeyError: 'EARLY_ON'", 0.5).client(call(5, "x"), 1)
    tape.stderr("Traceback (most recent call last):", 1.5).stderr("MemoryError", 1.5)
    first, later = check(died(tape, 2), rules=TOGETHER)
    assert (first.rule, [each.rule for each in first.consequences]) == ("PRO003", ["PRO008", "PRO009"])
    assert first.next.startswith("give the server more memory")
    assert (later.rule, later.severity) == ("PRO008", "info")


def test_a_signal_from_nowhere_is_nobodys_fault() -> None:
    tape = died(begun().client(call(5, "x"), 1), 2, None, "SIGTERM")
    assert [(each.rule, each.culprit) for each in check(tape, rules=RULES)] == [("PRO003", "undecided")]


def test_a_request_that_came_after_the_death_was_not_open() -> None:
    tape = begun().event("eof", 1, stream="s2c").client(call(5, "x"), 1.1).exit(1.2, "server-exit", 1)
    assert names(check(tape, rules=RULES)) == ["PRO019"]


def test_what_the_client_cancelled_was_not_waited_for() -> None:
    tape = begun().client(call(5, "x"), 1)
    tape.client({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 5}}, 2)
    assert names(check(died(tape, 3, 0), rules=RULES)) == ["PRO019"]


# PRO005


def test_a_crash_in_a_call_is_one_error_with_the_calls_in_it() -> None:
    tape = died(begun().client(call(5, "x"), 1), 2, None, "SIGSEGV")
    assert found(tape) == [
        (
            "PRO005",
            "error",
            "server",
            (5, 7),
            "server was killed by SIGSEGV after 2.00 s, with 1 request open (tools/call x (id 5)), and the "
            "client had not asked it to end",
        )
    ]
    assert [each.rule for each in check(tape, rules=RULES)[0].consequences] == ["PRO003"]


def test_a_kill_from_outside_is_undecided_and_points_at_memory() -> None:
    (finding,) = check(died(begun(), 2, None, "SIGKILL"), rules=RULES)
    assert (finding.rule, finding.severity, finding.culprit) == ("PRO005", "error", "undecided")
    assert "Out of memory" in finding.next
    assert finding.message == (
        "server was killed by SIGKILL after 2.00 s, and the client had not asked it to end"
    )


def test_an_abort_with_a_full_heap_has_its_hint() -> None:
    tape = begun().stderr("FATAL ERROR: Reached heap limit - JavaScript heap out of memory", 1.9)
    (finding,) = check(died(tape, 2, None, "SIGABRT"), rules=RULES)
    assert "max-old-space-size" in finding.next
    assert finding.message.endswith("JavaScript heap out of memory")


def test_windows_tells_a_crash_by_its_code_and_only_there() -> None:
    tape = died(Tape().start(platform="win32").client(offer(), 0.1).server(agreed(), 0.2), 2, 0xC0000005)
    assert [each.message for each in check(tape, rules=RULES)] == [
        "server crashed with an access violation (0xC0000005) after 2.00 s, and the client had not asked it "
        "to end"
    ]
    elsewhere = died(Tape().start(platform="linux").client(offer(), 0.1).server(agreed(), 0.2), 2, 0xC0000005)
    assert names(check(elsewhere, rules=RULES)) == ["PRO019"]


def test_a_crash_at_the_start_is_told_by_the_start_alone() -> None:
    tape = died(Tape().start().client(offer(), 0.1), 0.4, None, "SIGSEGV")
    assert names(check(tape, rules=TOGETHER)) == ["PRO002"]


# PRO019


def test_a_server_that_leaves_an_idle_client_is_told() -> None:
    tape = died(begun().stderr("fatal: lost the database", 300), 300, 1)
    assert found(tape) == [
        (
            "PRO019",
            "error",
            "server",
            (7,),
            "server exited 1 after 4 min 59 s while the client was connected, with no request open; last "
            "stderr line: fatal: lost the database",
        )
    ]


def test_leaving_with_zero_is_information() -> None:
    assert found(died(begun().stderr("KeyError: 'IDLE_TIME'", 299), 300, 0)) == [
        (
            "PRO019",
            "info",
            "server",
            (7,),
            "server exited 0 after 4 min 59 s while the client was connected, with no request open",
        )
    ]


def test_the_traceback_before_the_end_belongs_to_it() -> None:
    tape = begun().stderr("Traceback (most recent call last):", 3).stderr("KeyError: 'DEMO_TOKEN'", 3)
    (finding,) = check(died(tape, 3), rules=TOGETHER)
    assert (finding.rule, [each.rule for each in finding.consequences]) == ("PRO019", ["PRO008", "PRO009"])


# PRO004


def test_an_exit_code_after_the_end_of_stdin_is_a_warning() -> None:
    assert found(left(begun().stderr("ValueError: I/O operation on closed file", 2), 2, 1)) == [
        (
            "PRO004",
            "warning",
            "server",
            (6, 8),
            "server exited 1 after the client had closed stdin; last stderr line: ValueError: I/O operation "
            "on closed file",
        )
    ]


def test_a_crash_at_the_end_is_no_more_than_that() -> None:
    (finding,) = check(left(begun(), 2, None, "SIGSEGV"), rules=RULES)
    assert (finding.rule, finding.severity) == ("PRO004", "warning")
    assert (
        finding.message == "server was killed by SIGSEGV after the client had closed stdin; nothing on stderr"
    )


@pytest.mark.parametrize("code", [0, 130, 143, 129, 137, 141, None])
def test_zero_and_the_codes_of_signals_are_no_failure(code: int | None) -> None:
    assert found(left(begun(), 2, code)) == []


@pytest.mark.parametrize("name", ["SIGTERM", "SIGINT", "SIGHUP"])
def test_a_code_after_a_forwarded_signal_is_no_fault(name: str) -> None:
    tape = begun().event("eof", 2, stream="c2s").event("signal", 3, name=name, forwarded=True)
    assert found(tape.exit(3.1, "client-eof", 1)) == []


def test_a_client_that_is_gone_without_a_word_is_said_so() -> None:
    tape = begun().event("broken_pipe", 2, stream="s2c").exit(2.1, "client-gone", 3)
    (finding,) = check(tape, rules=RULES)
    assert finding.message == "server exited 3 after the client was gone; nothing on stderr"


# PRO011


def test_a_server_that_closes_stdout_and_lives_on_is_told() -> None:
    tape = begun().event("eof", 3, stream="s2c").event("eof", 3.1, stream="c2s")
    assert found(tape.exit(6, "server-eof", 0)) == [
        (
            "PRO011",
            "warning",
            "server",
            (5, 7),
            "server closed its stdout after 3.00 s and lived on for 3.00 s",
        )
    ]


# What proves nothing


ENDS: list[tuple[int | None, str | None]] = [(1, None), (None, "SIGSEGV"), (None, "SIGKILL")]


@pytest.mark.parametrize(("code", "signal"), ENDS)
@pytest.mark.parametrize("calls", [0, 1])
def test_no_end_is_blamed_after_the_client_has_asked_for_it(
    code: int | None, signal: str | None, calls: int
) -> None:
    def tape() -> Tape:
        return begun().client(call(5, "x"), 1) if calls else begun()

    asked = tape().event("signal", 2, name="SIGINT", forwarded=True)
    assert found(asked.event("eof", 2, stream="s2c").exit(2, "client-signal", code, signal)) == []
    # The signal was noted a moment late: which came first cannot be told.
    race = tape().event("eof", 2, stream="s2c").event("signal", 2.01, name="SIGTERM", forwarded=False)
    assert found(race.exit(2.02, "server-exit", code, signal)) == []
    gone = tape().event("broken_pipe", 2, stream="s2c")
    assert found(gone.exit(2, "server-exit", code, signal)) == []
    if signal is not None:
        same = tape().event("eof", 2, stream="s2c").event("signal", 3, name=signal, forwarded=True)
        assert [
            each for each in found(same.exit(3, "server-exit", code, signal)) if signal == "SIGKILL"
        ] == []


@pytest.mark.parametrize(("code", "signal"), ENDS)
@pytest.mark.parametrize("event", ["gap", "limit"])
def test_a_recording_that_lacks_something_proves_no_fault(
    code: int | None, signal: str | None, event: str
) -> None:
    for calls in ([], [call(5, "x")]):
        tape = begun()
        for each in calls:
            tape.client(each, 1)
        tape.event(event, 1.5, records=1, bytes=90, reason="No space left on device")
        assert found(died(tape, 2, code, signal)) == []
    assert found(left(begun().event(event, 1, records=1, bytes=9), 2, 1)) == []


def test_missing_records_half_a_line_and_a_missing_end_or_start_prove_nothing() -> None:
    lost = begun().client(call(5, "x"), 1)
    lost.seq += 1
    assert found(died(lost, 2)) == []
    half = begun().client(call(5, "x"), 1).line("s2c", Segment((b'{"json',), more=True), 1.5)
    assert found(died(half, 2)) == []
    assert found(begun().client(call(5, "x"), 1).event("eof", 2, stream="s2c")) == []
    headless = Tape().client(offer(), 0.1).server(agreed(), 0.2).client(call(5, "x"), 1)
    assert found(died(headless, 2)) == []


def test_other_signals_do_not_mean_the_end() -> None:
    tape = begun().client(call(5, "x"), 1)
    for _ in range(SIGNALS_KEPT + 1):
        tape.event("signal", 1, name="SIGWINCH", forwarded=True)
    assert names(check(died(tape, 2), rules=RULES)) == ["PRO003"]


def test_ends_with_fields_of_any_type_are_survived() -> None:
    for value in (None, 1.5, "x", [1], {"a": 1}, True):
        tape = begun().event("eof", 1, stream=value).event("broken_pipe", 1, stream=value)
        tape.event("signal", 1, name=value, forwarded=value).event("spawn_failed", 1, error=value, code=value)
        tape.event("exit", 2, code=value, signal=value, first=value, left=value)
        check(tape, rules=TOGETHER)


@pytest.mark.parametrize("case", [name for name in CASES if name not in ("A05", "A25")])
def test_the_failures_of_others_are_none_of_these(case: str) -> None:
    # Servers that die at their start, or need a signal, are told elsewhere.
    assert found(CASES[case]()) == []


def test_a_broken_pipe_is_not_what_makes_an_exit_code_a_fault() -> None:
    # On its own PRO004 sees the code; with the rule of the abrupt end it is a consequence of that.
    assert [each[0] for each in found(CASES["A25"]())] == ["PRO004"]


@pytest.mark.parametrize("path", sorted((RECORDINGS / "v1").glob("*.jsonl")), ids=lambda path: path.stem)
def test_healthy_recordings_end_well(path: Path) -> None:
    assert findings_of(path, RULES) == []


def test_a_regular_end_is_silent() -> None:
    tape = begun().client(call(1, "x"), 1).server(said(1, "ok"), 1.1)
    assert found(closed(tape, 2)) == []


def test_a_signal_that_somebody_sent_to_the_server_directly_is_information() -> None:
    tape = begun().event("eof", 5, stream="s2c").exit(5.01, "server-exit", None, "SIGTERM")
    (finding,) = check(tape, rules=RULES)
    assert (finding.rule, finding.severity, finding.culprit) == ("PRO019", "info", "undecided")
    crashed = begun().event("eof", 5, stream="s2c").exit(5.01, "server-exit", None, "SIGUSR1")
    assert [each.severity for each in check(crashed, rules=RULES)] == ["error"]
