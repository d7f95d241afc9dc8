"""PRO010: the server restarts in a loop."""

from __future__ import annotations

from dataclasses import replace

import pytest

from mcp_tap.diagnosis.finding import Finding
from mcp_tap.diagnosis.session_digest import Digest
from mcp_tap.rules.process.pro010_restart_loop import RestartLoop
from tests.diagnosis.checking import facts
from tests.rules.process.instances_cases import ONE, at

DIED = replace(ONE, rules=frozenset({"PRO002"}))


def loops(digests: list[Digest]) -> list[Finding]:
    return RestartLoop.across(digests)


def test_three_failures_in_a_minute_are_a_loop() -> None:
    (finding,) = loops(at(DIED, 0, 10, 30))
    assert facts([finding]) == [("PRO010", "warning", "server", (), "notes")]
    assert (finding.session, finding.count, finding.evidence) == ("s2", 3, ("s0", "s1", "s2"))
    assert finding.certainty == "proven"


def test_the_longest_run_is_told() -> None:
    (finding,) = loops(at(DIED, 0, 50, 300, 310, 320, 330, 340, 350, 500))
    assert finding.count == 6
    assert facts([finding]) == [("PRO010", "warning", "server", (), "notes")]
    assert len(finding.evidence) == 5


def test_a_command_that_cannot_be_started_is_the_environments_fault() -> None:
    (finding,) = loops(at(replace(ONE, rules=frozenset({"PRO001", "TOL001"})), 0, 1.5, 3))
    assert facts([finding]) == [("PRO010", "warning", "environment", (), "notes")]


@pytest.mark.parametrize(
    "digests",
    [
        at(DIED, 0, 10),
        at(DIED, 0, 40, 80),
        at(ONE, 0, 10, 20),
        at(replace(ONE, rules=frozenset({"TOL001"})), 0, 10, 20),
        at(replace(DIED, kind="probe"), 0, 10, 20),
        at(replace(DIED, complete=False), 0, 10, 20),
        at(DIED, 0, 0.5, 0.9),
        [replace(each, ppid=400 + number) for number, each in enumerate(at(DIED, 0, 10, 20))],
        [replace(each, command=(f"c{number}",)) for number, each in enumerate(at(DIED, 0, 10, 20))],
        at(replace(DIED, command=()), 0, 10, 20),
        [replace(each, begins=None, ends=None) for each in at(DIED, 0, 10, 20)],
    ],
    ids=["two", "slow", "healthy", "another error", "probes", "no end", "at once", "three clients",
         "three servers", "no command", "no times"],
)  # fmt: skip
def test_what_is_no_loop_is_silent(digests: list[Digest]) -> None:
    assert loops(digests) == []
