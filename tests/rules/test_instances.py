"""Several sessions of one server, held against each other."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from mcp_tap.diagnosis.digest import Digest
from mcp_tap.diagnosis.finding import Finding
from mcp_tap.rules.process.pro010_restart_loop import RestartLoop
from mcp_tap.rules.process.pro018_overlapping_sessions import Overlapping
from tests.diagnosis.checking import findings_of, rules_of
from tests.record_cases import RECORDINGS

RULES = rules_of("PRO010", "PRO018")

ONE = Digest(
    session="s0",
    name="notes",
    command=("npx", "-y", "notes"),
    cwd="/home/me",
    pid=410,
    ppid=400,
    begins=1000.0,
    ends=1001.0,
    kind="session",
    complete=True,
    rules=frozenset(),
)
DIED = replace(ONE, rules=frozenset({"PRO002"}))


def at(digest: Digest, *begins: float, lasts: float = 1.0) -> list[Digest]:
    """The same session again and again."""
    return [
        replace(digest, session=f"s{number}", pid=410 + number, begins=1000.0 + t, ends=1000.0 + t + lasts)
        for number, t in enumerate(begins)
    ]


def loops(digests: list[Digest]) -> list[Finding]:
    return RestartLoop.across(digests)


# PRO010


def test_three_failures_in_a_minute_are_a_loop() -> None:
    assert loops(at(DIED, 0, 10, 30)) == [
        Finding(
            rule="PRO010",
            severity="warning",
            culprit="server",
            certainty="proven",
            message="server notes was started 3 times in 30.0 s and failed each time (PRO002)",
            next=RestartLoop.next,
            session="s2",
            count=3,
            evidence=("s0", "s1", "s2"),
            key="notes",
        )
    ]


def test_the_longest_run_is_told() -> None:
    (finding,) = loops(at(DIED, 0, 50, 300, 310, 320, 330, 340, 350, 500))
    assert finding.count == 6
    assert finding.message.startswith("server notes was started 6 times in 50.0 s")
    assert len(finding.evidence) == 5


def test_a_command_that_cannot_be_started_is_the_environments_fault() -> None:
    (finding,) = loops(at(replace(ONE, rules=frozenset({"PRO001", "TOL001"})), 0, 1.5, 3))
    assert finding.culprit == "environment"
    assert finding.message.endswith("(PRO001)")


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


# PRO018


def test_sessions_at_one_time_are_told_with_their_processes() -> None:
    assert Overlapping.across(at(ONE, 0, 5, lasts=9.0)) == [
        Finding(
            rule="PRO018",
            severity="info",
            culprit="undecided",
            certainty="proven",
            message="2 sessions of notes overlapped (processes 410, 411, same parent); clients do this, "
            "the server must not assume that it is alone",
            next=Overlapping.next,
            session="s1",
            count=2,
            evidence=("s0", "s1"),
            key="notes",
        )
    ]


def test_as_many_as_ran_at_one_time_are_counted() -> None:
    (finding,) = Overlapping.across(at(ONE, *range(20), lasts=7.5))
    assert finding.count == 8
    assert "(processes 410, 411, 412, 413, 414 and 3 more, same parent)" in finding.message


def test_parents_and_processes_are_told_as_far_as_they_are_known() -> None:
    two = at(ONE, 0, 0.5)
    other = [two[0], replace(two[1], ppid=9)]
    assert "(processes 410, 411, 2 parents)" in Overlapping.across(other)[0].message
    unknown = [replace(each, pid=None, ppid=None, name=None) for each in two]
    assert Overlapping.across(unknown)[0].message.startswith("2 sessions of npx overlapped; clients do this")
    assert Overlapping.across([two[0], replace(two[1], pid=410)])[0].message.count("410") == 0


def test_a_session_without_an_end_was_there_as_long_as_it_was_heard_of() -> None:
    two = [replace(each, complete=False) for each in at(ONE, 0, 5, lasts=9.0)]
    assert len(Overlapping.across(two)) == 1


@pytest.mark.parametrize(
    "digests",
    [
        at(ONE, 0, 1, 2),
        at(replace(ONE, kind="probe"), 0, 0.1),
        [ONE, replace(ONE, cwd="/elsewhere")],
        [ONE, replace(ONE, command=("npx", "other"))],
        [ONE],
        [],
    ],
    ids=["one after the other", "probes", "another directory", "another command", "one", "none"],
)
def test_what_does_not_overlap_is_silent(digests: list[Digest]) -> None:
    assert Overlapping.across(digests) == []


def test_the_recorded_case_is_told() -> None:
    found = findings_of(RECORDINGS / "cases" / "A36.jsonl", RULES)
    assert [(each.rule, each.severity, each.culprit, each.message) for each in found] == [
        (
            "PRO018",
            "info",
            "undecided",
            "2 sessions of notes overlapped; clients do this, the server must not assume that it is alone",
        )
    ]


@pytest.mark.parametrize("path", sorted((RECORDINGS / "v1").glob("*.jsonl")), ids=lambda path: path.stem)
def test_of_the_real_recordings_one_holds_two_sessions(path: Path) -> None:
    expected = [("PRO018", "info")] if path.stem == "time-two-sessions" else []
    assert [(each.rule, each.severity) for each in findings_of(path, RULES)] == expected
