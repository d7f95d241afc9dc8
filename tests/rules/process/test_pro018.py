"""PRO018: sessions of one command overlapped."""

from __future__ import annotations

from dataclasses import replace

import pytest

from mcp_tap.diagnosis.session_digest import Digest
from mcp_tap.rules.process.pro018_overlapping_sessions import Overlapping
from tests.diagnosis.checking import facts, findings_of
from tests.record_cases import RECORDINGS
from tests.rules.process.instances_cases import ONE, RULES, at


def test_sessions_at_one_time_are_told_with_their_processes() -> None:
    (finding,) = Overlapping.across(at(ONE, 0, 5, lasts=9.0))
    assert facts([finding]) == [("PRO018", "info", "undecided", (), "notes")]
    assert (finding.session, finding.count, finding.evidence) == ("s1", 2, ("s0", "s1"))
    assert finding.certainty == "proven"


def test_as_many_as_ran_at_one_time_are_counted() -> None:
    (finding,) = Overlapping.across(at(ONE, *range(20), lasts=7.5))
    assert finding.count == 8
    assert facts([finding]) == [("PRO018", "info", "undecided", (), "notes")]


def test_parents_and_processes_are_told_as_far_as_they_are_known() -> None:
    two = at(ONE, 0, 0.5)
    other = [two[0], replace(two[1], ppid=9)]
    assert [each[4] for each in facts(Overlapping.across(other))] == ["notes"]
    unknown = [replace(each, pid=None, ppid=None, name=None) for each in two]
    assert [each[4] for each in facts(Overlapping.across(unknown))] == ["npx"]
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
    assert facts(found) == [("PRO018", "info", "undecided", (), "notes")]
