"""PRO019: the server ended without being asked."""

from __future__ import annotations

from tests.diagnosis.checking import check, names
from tests.recordings.cases import begun, call
from tests.rules.process.exits_cases import RULES, TOGETHER, died, found


def test_a_request_that_came_after_the_death_was_not_open() -> None:
    tape = begun().event("eof", 1, stream="s2c").client(call(5, "x"), 1.1).exit(1.2, "server-exit", 1)
    assert names(check(tape, rules=RULES)) == ["PRO019"]


def test_what_the_client_cancelled_was_not_waited_for() -> None:
    tape = begun().client(call(5, "x"), 1)
    tape.client({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 5}}, 2)
    assert names(check(died(tape, 3, 0), rules=RULES)) == ["PRO019"]


def test_a_server_that_leaves_an_idle_client_is_told() -> None:
    tape = died(begun().stderr("fatal: lost the database", 300), 300, 1)
    assert found(tape) == [("PRO019", "error", "server", (7,), "exit 1")]


def test_leaving_with_zero_is_information() -> None:
    assert found(died(begun().stderr("KeyError: 'IDLE_TIME'", 299), 300, 0)) == [
        ("PRO019", "info", "server", (7,), "exit 0")
    ]


def test_the_traceback_before_the_end_belongs_to_it() -> None:
    tape = begun().stderr("Traceback (most recent call last):", 3).stderr("KeyError: 'DEMO_TOKEN'", 3)
    (finding,) = check(died(tape, 3), rules=TOGETHER)
    assert (finding.rule, [each.rule for each in finding.consequences]) == ("PRO019", ["PRO008", "PRO009"])


def test_a_signal_that_somebody_sent_to_the_server_directly_is_information() -> None:
    tape = begun().event("eof", 5, stream="s2c").exit(5.01, "server-exit", None, "SIGTERM")
    (finding,) = check(tape, rules=RULES)
    assert (finding.rule, finding.severity, finding.culprit) == ("PRO019", "info", "undecided")
    crashed = begun().event("eof", 5, stream="s2c").exit(5.01, "server-exit", None, "SIGUSR1")
    assert [each.severity for each in check(crashed, rules=RULES)] == ["error"]
