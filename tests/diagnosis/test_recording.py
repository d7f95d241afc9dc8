"""Whole recordings under diagnosis: at once and as they grow, in any company."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import pytest
from hypothesis import given

from mcp_tap.diagnosis.baseline import Baseline
from mcp_tap.diagnosis.recording import ENDED_KEPT, Diagnosis
from mcp_tap.diagnosis.report import SessionReport
from mcp_tap.diagnosis.rule import Rule
from mcp_tap.model.sessions import Sessions
from mcp_tap.rules.registry import RULES
from tests.diagnosis.checking import baseline_of, diagnosed, names
from tests.diagnosis.odd_sessions import (
    ENDING,
    LISTED_ANEW,
    MODERN_ODD,
    ODD,
    Said,
    call,
    healthy,
    lively_modern_sessions,
    lively_sessions,
    modern_session,
    returned,
)
from tests.model.recordings import conversations, recordings, session_lines
from tests.profiles import examples
from tests.record_cases import RECORDINGS
from tests.rules.examples import Example, examples_of

ASKED_EVERY = 5
"""Records after which somebody wants to know what is found so far."""


def followed(lines: Iterable[bytes], baseline: Baseline | None = None) -> list[SessionReport]:
    """What is said of the sessions in the end, where they were asked about while they went on."""
    sessions, diagnosis = Sessions(), Diagnosis(RULES, baseline=baseline)
    for number, (session, step) in enumerate(sessions.steps(lines)):
        diagnosis.take(session, step)
        if number % ASKED_EVERY == 0:
            diagnosis.so_far(session, "f")
    return list(diagnosis.reports("f"))


def same(lines: list[bytes], baseline: Baseline | None = None) -> list[SessionReport]:
    """What both find."""
    found = diagnosed(lines, baseline=baseline)
    assert followed(lines, baseline) == found
    return found


@pytest.mark.parametrize(
    "path",
    [*sorted(RECORDINGS.glob("v1/*.jsonl")), *sorted(RECORDINGS.glob("cases/*.jsonl"))],
    ids=lambda p: p.stem,
)
def test_a_recording_that_is_followed_is_diagnosed_as_the_whole_is(path: Path) -> None:
    assert same(path.read_bytes().splitlines(keepends=True))


@examples(1.5)
@given(recordings())
def test_no_rule_minds_what_it_is_shown(lines: list[bytes]) -> None:
    same(lines)


@examples(1.5)
@given(conversations())
def test_any_conversation_can_be_followed(lines: list[bytes]) -> None:
    same(lines)


@pytest.mark.parametrize("odd", [*ODD, *LISTED_ANEW], ids=range(len(ODD) + len(LISTED_ANEW)))
@pytest.mark.parametrize("end", [(), ENDING])
def test_what_is_odd_is_told_in_a_session_that_is_followed(
    odd: tuple[Said, ...], end: tuple[Said, ...]
) -> None:
    last = odd[-1][0]
    same(healthy(12, *odd, *((last + t, dir, body) for t, dir, body in end)))


@pytest.mark.parametrize("odd", MODERN_ODD, ids=range(len(MODERN_ODD)))
@pytest.mark.parametrize("end", [(), ENDING])
def test_so_it_is_without_a_handshake(odd: tuple[Said, ...], end: tuple[Said, ...]) -> None:
    last = odd[-1][0]
    same(modern_session(12, *odd, *((last + t, dir, body) for t, dir, body in end)))


@examples(1)
@given(lively_sessions())
def test_any_session_can_be_followed(lines: list[bytes]) -> None:
    same(lines)


@examples(1)
@given(lively_modern_sessions())
def test_any_modern_session_can_be_followed(lines: list[bytes]) -> None:
    same(lines)


NO_CALLS = frozenset({"CAP001-Passes-3", "MOD003-Passes-2", "MOD018-Passes-2"})
"""Examples of a server that offers no tools, or has not shown its era: a call would not be healthy."""

EXAMPLES = [
    pytest.param(rule, example, id=f"{rule.id}-{example.kind}-{number}")
    for rule in RULES
    for number, example in enumerate(examples_of(rule.help()), 1)
    if not example.from_the_start
    and len(example.tapes()) == 1
    and f"{rule.id}-{example.kind}-{number}" not in NO_CALLS
]


@pytest.mark.parametrize(("rule", "example"), EXAMPLES)
def test_an_example_shows_the_same_behind_ten_healthy_calls_and_followed(
    rule: type[Rule], example: Example
) -> None:
    tape = example.behind_calls(10)
    found = same(tape.lines, baseline_of(tape))
    told = sorted({name for report in found for name in names(report.findings)})
    if example.kind == "Fails":
        assert rule.id in told
    else:
        assert rule.id not in told


def test_plain_calls_make_a_healthy_session() -> None:
    (report,) = diagnosed(healthy(1000, *ENDING))
    assert report.verdict == "Healthy: 1,002 requests answered, slowest: tools/call find (10.0 ms)."
    (report,) = diagnosed(modern_session(1000, *ENDING))
    assert report.verdict.startswith("Healthy: 1,002 requests answered")


@pytest.mark.parametrize("at", range(4, 60, 5))
def test_a_record_that_is_there_twice_is_told(at: int) -> None:
    for session in (healthy, modern_session):
        lines = session(40, *ENDING)
        for again in (at + 1, at + 3):
            (report,) = same([*lines[:again], *lines[at:]])
            assert names(report.findings) == ["TAP003"]


def test_of_a_session_that_ended_long_ago_the_report_is_kept_and_what_comes_again_is_told() -> None:
    many = [
        line
        for number in range(ENDED_KEPT + 2)
        for line in session_lines(
            (0.0, "c2s", call(1)), (0.1, "s2c", returned(1)), *ENDING, session=f"s{number}"
        )
    ]
    found = {report.session: report for report in diagnosed([*many, many[1]])}
    assert len(found) == ENDED_KEPT + 2
    assert "TAP003" in names(found["s0"].findings)
    assert [each.key for each in found["s0"].findings if each.rule == "TAP003"][-1] == "again"


def test_without_rules_nothing_is_found() -> None:
    (report,) = diagnosed(healthy(20), rules=[])
    assert report.findings == ()
