"""PRO006: the server does not exit when stdin is closed."""

from __future__ import annotations

import pytest

from mcp_tap.diagnosis.settings import Thresholds
from tests.diagnosis.checking import check, names
from tests.record_cases import Tape, modern, told
from tests.recordings.cases import CASES, begun, call, offer
from tests.rules.process.shutdown_cases import RULES, eof, found, sent


def test_a_server_that_ignores_the_end_of_stdin_is_told() -> None:
    assert found(CASES["A23"]()) == [("PRO006", "warning", "server", (5, 6, 7), "")]


def test_a_server_that_leaves_late_by_itself_is_told() -> None:
    tape = eof(begun()).event("eof", 8.5, stream="s2c").exit(8.5, "client-eof")
    assert found(tape) == [("PRO006", "warning", "server", (5, 7), "")]


def test_two_signals_are_named_and_a_quick_end_is_at_once() -> None:
    tape = sent(sent(eof(begun()), 7.01), 9.01, "SIGINT").exit(9.02, "client-eof", None, "SIGINT")
    assert found(tape) == [("PRO006", "warning", "server", (5, 6, 7, 8), "")]
    tape = sent(eof(begun()), 7.01).exit(7.02, "client-eof", None, "SIGTERM")
    assert found(tape) == [("PRO006", "warning", "server", (5, 6, 7), "")]


def test_a_tap_that_was_killed_after_the_signal_still_proves_it() -> None:
    assert found(sent(eof(begun()), 7.0)) == [("PRO006", "warning", "server", (5, 6), "")]


def test_work_on_a_request_makes_it_information() -> None:
    tape = sent(eof(begun().client(call(7, "export"), 4)), 7).exit(7.1, "client-eof", None, "SIGTERM")
    assert found(tape) == [("PRO006", "info", "server", (6, 7, 8), "")]


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


def test_a_signal_that_was_sent_to_the_group_has_reached_the_server_as_well() -> None:
    tape = eof(begun()).event("signal", 7.01, name="SIGTERM", forwarded=False, shared=True)
    assert names(check(tape.exit(7.02, "client-eof", None, "SIGTERM"), rules=RULES)) == ["PRO006"]
