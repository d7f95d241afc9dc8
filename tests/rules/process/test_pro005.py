"""PRO005: the server crashed or was killed."""

from __future__ import annotations

from mcp_tap.diagnosis.life import KILLED_NEXT
from mcp_tap.rules.process.pro005_server_crashed import Crashed
from tests.diagnosis.checking import check, facts, names
from tests.record_cases import Tape
from tests.recordings.cases import agreed, begun, call, offer
from tests.rules.process.exits_cases import RULES, TOGETHER, died, found


def test_a_crash_in_a_call_is_one_error_with_the_calls_in_it() -> None:
    tape = died(begun().client(call(5, "x"), 1), 2, None, "SIGSEGV")
    assert found(tape) == [("PRO005", "error", "server", (5, 7), "SIGSEGV")]
    assert [each.rule for each in check(tape, rules=RULES)[0].consequences] == ["PRO003"]


def test_a_kill_from_outside_is_undecided_and_points_at_memory() -> None:
    (finding,) = check(died(begun(), 2, None, "SIGKILL"), rules=RULES)
    assert facts([finding]) == [("PRO005", "error", "undecided", (6,), "SIGKILL")]
    assert finding.next == KILLED_NEXT


def test_an_abort_with_a_full_heap_has_its_hint() -> None:
    tape = begun().stderr("FATAL ERROR: Reached heap limit - JavaScript heap out of memory", 1.9)
    (finding,) = check(died(tape, 2, None, "SIGABRT"), rules=RULES)
    assert facts([finding]) == [("PRO005", "error", "server", (7,), "SIGABRT")]
    assert finding.next != Crashed.next


def test_windows_tells_a_crash_by_its_code_and_only_there() -> None:
    tape = died(Tape().start(platform="win32").client(offer(), 0.1).server(agreed(), 0.2), 2, 0xC0000005)
    assert [each[4] for each in found(tape)] == ["exit 3221225477"]
    elsewhere = died(Tape().start(platform="linux").client(offer(), 0.1).server(agreed(), 0.2), 2, 0xC0000005)
    assert names(check(elsewhere, rules=RULES)) == ["PRO019"]


def test_a_crash_at_the_start_is_told_by_the_start_alone() -> None:
    tape = died(Tape().start().client(offer(), 0.1), 0.4, None, "SIGSEGV")
    assert names(check(tape, rules=TOGETHER)) == ["PRO002"]
