"""How the client ended the session, whether the server followed, and what stayed behind."""

from __future__ import annotations

from pathlib import Path

import pytest

from mcp_tap.diagnosis.settings import Thresholds
from tests.diagnosis.checking import check, findings_of, names, rules_of
from tests.record_cases import ENVELOPE, RECORDINGS, Tape, modern, request, result, told
from tests.recordings.cases import CASES, begun, call, closed, offer, said

RULES = rules_of("PRO006", "PRO007", "PRO012", "PRO016")

TOGETHER = tuple(rule for rule in rules_of("PRO") if rule.id not in ("PRO010", "PRO018"))


def found(tape: Tape) -> list[tuple[str, str, str, tuple[int, ...], str]]:
    """What this family finds: rule, severity, culprit, records, message."""
    return [
        (each.rule, each.severity, each.culprit, each.records, each.message)
        for each in check(tape, rules=RULES)
    ]


def messages(tape: Tape) -> list[str]:
    return [each.message for each in check(tape, rules=RULES)]


def eof(tape: Tape, t: float = 5.0) -> Tape:
    """The client closes stdin."""
    return tape.event("eof", t, stream="c2s")


def sent(tape: Tape, t: float, name: str = "SIGTERM", *, forwarded: bool = True) -> Tape:
    """The client sends a signal."""
    return tape.event("signal", t, name=name, forwarded=forwarded)


# PRO006


def test_a_server_that_ignores_the_end_of_stdin_is_told() -> None:
    assert found(CASES["A23"]()) == [
        (
            "PRO006",
            "warning",
            "server",
            (5, 6, 7),
            "server still running 2.0 s after stdin closed; needed SIGTERM (exited in 0.1 s)",
        )
    ]


def test_a_server_that_leaves_late_by_itself_is_told() -> None:
    tape = eof(begun()).event("eof", 8.5, stream="s2c").exit(8.5, "client-eof")
    assert messages(tape) == ["server still running 3.5 s after stdin closed; it left by itself then"]


def test_two_signals_are_named_and_a_quick_end_is_at_once() -> None:
    tape = sent(sent(eof(begun()), 7.01), 9.01, "SIGINT").exit(9.02, "client-eof", None, "SIGINT")
    assert messages(tape) == [
        "server still running 2.0 s after stdin closed; needed SIGTERM and SIGINT (exited in 2.0 s)"
    ]
    tape = sent(eof(begun()), 7.01).exit(7.02, "client-eof", None, "SIGTERM")
    assert messages(tape)[0].endswith("needed SIGTERM (exited at once)")


def test_a_tap_that_was_killed_after_the_signal_still_proves_it() -> None:
    assert messages(sent(eof(begun()), 7.0)) == [
        "server still running 2.0 s after stdin closed; SIGTERM was sent then, and its end is not on file"
    ]


def test_work_on_a_request_makes_it_information() -> None:
    tape = sent(eof(begun().client(call(7, "export"), 4)), 7).exit(7.1, "client-eof", None, "SIGTERM")
    assert found(tape) == [
        (
            "PRO006",
            "info",
            "server",
            (6, 7, 8),
            "server still running 2.0 s after stdin closed; needed SIGTERM (exited in 0.1 s); it may have "
            "been at work on tools/call export (id 7)",
        )
    ]


def test_work_on_a_cancelled_request_is_work_too() -> None:
    tape = begun().client(call(7, "export"), 3).client(told("notifications/cancelled", requestId=7), 4)
    tape = sent(eof(tape), 7).exit(7.1, "client-eof", None, "SIGTERM")
    assert [(each.rule, each.severity) for each in check(tape, rules=RULES)] == [("PRO006", "info")]


def test_a_subscription_that_stays_open_is_no_work() -> None:
    tape = Tape().start().client(modern(1, "subscriptions/listen", notifications={}), 1)
    tape = sent(eof(tape), 7).exit(7.1, "client-eof", None, "SIGTERM")
    assert [(each.rule, each.severity) for each in check(tape, rules=RULES)] == [("PRO006", "warning")]


@pytest.mark.parametrize(
    "tape",
    [
        sent(eof(begun()), 6.5).exit(6.6, "client-eof", None, "SIGTERM"),
        eof(begun()).exit(6.9, "client-eof"),
        eof(begun()),
        sent(eof(begun()), 7, forwarded=False),
        sent(begun(), 5, "SIGINT").event("eof", 5.1, stream="c2s").exit(9, "client-signal", 0),
        begun().event("eof", 5, stream="s2c").event("eof", 5.1, stream="c2s").exit(9, "server-eof", 0),
        sent(eof(begun().event("eof", 5, stream="s2c"), 5.1), 9),
        sent(eof(begun().event("gap", 1, records=1, bytes=9, reason="full")), 7)
        .exit(7.1, "client-eof", None, "SIGTERM"),
        eof(begun()).exit(8, "client-eof", left=2),
        sent(eof(begun()), 7).exit(7.5, "client-eof", 0, left=None),
    ],
    ids=["impatient", "in time", "no end", "signal of a terminal", "signal first", "server first",
         "server first, no end", "gap", "descendants", "descendants, signalled"],
)  # fmt: skip
def test_two_seconds_are_not_proven(tape: Tape) -> None:
    assert "PRO006" not in names(check(tape, rules=RULES))


def test_descendants_that_hold_the_output_delay_the_record_of_the_exit() -> None:
    tape = eof(begun()).exit(9.5, "client-eof", left=2)
    assert "PRO006" in names(check(tape, rules=RULES))
    killed = sent(eof(begun()), 7).exit(7.5, "client-eof", 143, left=1)
    assert "PRO006" in names(check(killed, rules=RULES))


def test_a_launcher_may_have_left_before_its_children() -> None:
    tape = eof(Tape().start(argv=["npx", "notes"]).client(offer(), 0.1)).exit(8, "client-eof")
    assert found(tape) == []


def test_the_limit_can_be_set() -> None:
    tape = eof(begun()).exit(8, "client-eof")
    assert check(tape, rules=RULES, thresholds=Thresholds(exit_seconds=10.0)) == []


# PRO007


def test_a_client_that_signals_without_closing_stdin_is_information() -> None:
    assert found(sent(begun(), 3, "SIGINT").exit(3.1, "client-signal", 0)) == [
        (
            "PRO007",
            "info",
            "client",
            (5,),
            "client ended the session by SIGINT after 3.00 s, without closing stdin first",
        )
    ]


@pytest.mark.parametrize(
    "tape",
    [
        sent(eof(begun()), 5.1).exit(5.2, "client-eof", None, "SIGTERM"),
        sent(begun(), 5).event("eof", 5.01, stream="c2s").exit(5.2, "client-signal", None, "SIGTERM"),
        sent(begun(), 5, "SIGINT", forwarded=False).exit(5.2, "client-signal", 130),
        sent(begun(), 5, "SIGWINCH"),
        sent(begun().event("eof", 5, stream="s2c"), 5.5).exit(5.6, "server-exit", 1),
        sent(begun().event("gap", 1, records=1, bytes=9), 5).exit(5.2, "client-signal", None, "SIGTERM"),
    ],
    ids=["closed first", "at once", "terminal", "no end meant", "server was first", "gap"],
)
def test_what_is_no_end_by_signal_is_silent(tape: Tape) -> None:
    assert "PRO007" not in names(check(tape, rules=RULES))


def test_a_probe_is_ended_by_a_signal_on_purpose() -> None:
    tape = Tape().start().client(request(0, "server/discover", _meta=ENVELOPE), 0.1)
    tape.server(result(0, supportedVersions=["2026-07-28"], capabilities={}), 0.2)
    assert found(sent(tape, 0.3).exit(0.4, "client-signal", None, "SIGTERM")) == []


# PRO012


def test_what_a_launcher_leaves_behind_is_a_warning() -> None:
    tape = eof(Tape().start(argv=["npx", "-y", "notes"]).client(offer(), 0.1)).exit(5.3, "client-eof", left=1)
    assert found(tape) == [
        (
            "PRO012",
            "warning",
            "launcher",
            (4,),
            "command is a launcher (npx); 1 descendant was still alive after it exited",
        )
    ]


@pytest.mark.parametrize(
    ("command", "name"),
    [
        (r"C:\Program Files\nodejs\NPX.CMD", "npx"),
        ("/bin/sh", "sh"),
        ("uvx", "uvx"),
        ("docker.exe", "docker"),
    ],
)
def test_launchers_are_known_by_the_file(command: str, name: str) -> None:
    tape = eof(Tape().start(argv=[command, "x"])).exit(5.3, "client-eof", left=3)
    assert messages(tape) == [
        f"command is a launcher ({name}); 3 descendants were still alive after it exited"
    ]


def test_what_a_server_leaves_behind_is_information() -> None:
    assert found(eof(begun()).exit(5.3, "client-eof", left=2)) == [
        (
            "PRO012",
            "info",
            "server",
            (6,),
            "2 descendants were still alive after the server had exited, and held its output",
        )
    ]


@pytest.mark.parametrize("left", [0, None])
def test_nothing_left_or_nothing_known_is_silent(left: int | None) -> None:
    assert found(eof(begun()).exit(5.3, "client-eof", left=left)) == []


# PRO016


def test_an_abrupt_end_explains_the_broken_pipe_and_the_exit_code() -> None:
    (finding,) = check(CASES["A25"](), rules=TOGETHER)
    assert (finding.rule, finding.severity, finding.culprit, finding.records) == (
        "PRO016",
        "info",
        "client",
        (6, 8, 9),
    )
    assert finding.message == (
        "client closed the connection while 1 response was in flight; BrokenPipe in stderr and exit 1 are "
        "consequences"
    )
    assert [each.rule for each in finding.consequences] == ["PRO004"]
    assert finding.evidence == ("BrokenPipeError: [Errno 32] Broken pipe",)


def test_a_traceback_about_the_pipe_is_a_consequence_too() -> None:
    tape = eof(begun()).stderr("Traceback (most recent call last):", 5.1)
    tape.stderr("BrokenPipeError: [Errno 32] Broken pipe", 5.1).exit(5.2, "client-eof", 120)
    (finding,) = check(tape, rules=TOGETHER)
    assert (finding.rule, [each.rule for each in finding.consequences]) == ("PRO016", ["PRO009", "PRO004"])
    assert finding.message == (
        "client closed the connection while the server was still writing; BrokenPipe in stderr is a "
        "consequence"
    )


def test_an_unanswered_request_is_open_not_in_flight() -> None:
    tape = begun().client(call(1, "x"), 1).event("broken_pipe", 2, stream="s2c")
    assert messages(tape.exit(2.1, "client-gone", 1)) == [
        "client closed the connection while 1 request was open; exit 1 is a consequence"
    ]


def test_an_answer_that_met_a_broken_pipe_is_lost_whatever_follows() -> None:
    tape = eof(begun().client(call(1, "x"), 1), 2).server(said(1, "ok"), 2.1)
    tape.event("broken_pipe", 2.1, stream="s2c").exit(2.2, "client-eof")
    assert messages(tape) == ["client closed the connection while 1 response was in flight"]


@pytest.mark.parametrize(
    "tape",
    [
        begun().event("broken_pipe", 2, stream="s2c").event("eof", 2, stream="c2s")
        .exit(2.1, "client-gone"),
        eof(begun().client(call(1, "x"), 1), 2).server(said(1, "ok"), 2.1).exit(2.2, "client-eof"),
        eof(begun().stderr("BrokenPipeError in a worker", 1), 2).exit(2.1, "client-eof"),
        begun().event("eof", 2, stream="s2c").event("eof", 2.1, stream="c2s").stderr("EPIPE", 2.2)
        .exit(2.3, "server-exit", 1),
        begun().event("eof", 2, stream="s2c").event("eof", 2.1, stream="c2s").stderr("EPIPE", 2.2),
        begun().stderr("EPIPE", 2),
    ],
    ids=["both pipes", "delivered", "before the end", "server first", "server first, no end", "goes on"],
)  # fmt: skip
def test_an_end_like_any_other_is_silent(tape: Tape) -> None:
    assert "PRO016" not in names(check(tape, rules=RULES))


# All of them


def test_events_with_fields_of_any_type_are_survived() -> None:
    for value in (None, 1.5, "x", [1], {"a": 1}, True, -1):
        tape = Tape().event("start", argv=value, path=value, platform=value, env=value)
        tape.event("eof", 1, stream=value).event("signal", 1, name=value, forwarded=value)
        tape.event("eof", 2, stream="c2s").event("exit", 9, code=value, signal=value, first=value, left=value)
        check(tape, rules=TOGETHER)


@pytest.mark.parametrize("case", [name for name in CASES if name not in ("A21", "A23", "A25")])
def test_the_failures_of_others_end_as_they_should(case: str) -> None:
    assert found(CASES[case]()) == []


@pytest.mark.parametrize("path", sorted((RECORDINGS / "v1").glob("*.jsonl")), ids=lambda path: path.stem)
def test_healthy_recordings_have_no_fault_in_their_end(path: Path) -> None:
    # These servers go on with a call that was cancelled, and so take a signal: information.
    busy = ["PRO006"] if path.stem in ("everything-py2-cancelled", "everything-ts-cancelled") else []
    assert [(each.rule, each.severity) for each in findings_of(path, RULES)] == [
        (rule, "info") for rule in busy
    ]


def test_a_regular_end_is_silent() -> None:
    assert found(closed(begun(), 2)) == []
