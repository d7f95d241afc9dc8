"""PRO003: the server died in the middle of a call."""

from __future__ import annotations

from mcp_tap.rules.process.pro003_died_in_call import DiedInACall
from tests.diagnosis.checking import check, facts
from tests.record_cases import request
from tests.recordings.cases import begun, call
from tests.rules.process.exits_cases import RULES, TOGETHER, died, found


def test_a_death_in_a_call_names_what_was_open_and_the_last_words() -> None:
    tape = begun().client(call(5, "export"), 1).client(request(6, "ping"), 1.1)
    tape.stderr("fatal: no such table", 1.2)
    assert found(died(tape, 1.201)) == [("PRO003", "error", "server", (5, 6, 9), "ping")]


def test_of_many_open_requests_three_are_named() -> None:
    tape = begun()
    for number in range(5):
        tape.client(call(number + 1, "x"), 1)
    assert found(died(tape, 2)) == [("PRO003", "error", "server", (5, 6, 7, 8, 9, 11), "tools/call x")]


def test_a_closed_stdout_ends_a_call_as_well() -> None:
    tape = begun().client(call(5, "x"), 1).event("eof", 2, stream="s2c").event("eof", 2.1, stream="c2s")
    (finding,) = check(tape.exit(4, "server-eof", 0), rules=RULES)
    assert facts([finding]) == [("PRO003", "error", "server", (5, 8), "tools/call x")]
    assert [each.rule for each in finding.consequences] == ["PRO011"]


def test_what_stderr_said_of_the_call_belongs_to_the_death() -> None:
    tape = begun().stderr("KeyError: 'EARLY_ON'", 0.5).client(call(5, "x"), 1)
    tape.stderr("Traceback (most recent call last):", 1.5).stderr("MemoryError", 1.5)
    first, later = check(died(tape, 2), rules=TOGETHER)
    assert (first.rule, [each.rule for each in first.consequences]) == ("PRO003", ["PRO008", "PRO009"])
    assert [each[0] for each in facts([first, later])] == ["PRO003", "PRO008"]
    assert first.next != DiedInACall.next
    assert (later.rule, later.severity) == ("PRO008", "info")


def test_a_signal_from_nowhere_is_nobodys_fault() -> None:
    tape = died(begun().client(call(5, "x"), 1), 2, None, "SIGTERM")
    assert [(each.rule, each.culprit) for each in check(tape, rules=RULES)] == [("PRO003", "undecided")]
