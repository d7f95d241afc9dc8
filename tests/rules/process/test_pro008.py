"""PRO008: a known complaint on stderr."""

from __future__ import annotations

from mcp_tap.rules.process.pro008_known_complaint import LINES_EXAMINED
from tests.recordings.cases import begun, closed
from tests.rules.process.start_cases import found, one


def test_a_complaint_in_a_session_that_works_is_information() -> None:
    tape = closed(begun().stderr("Error: listen EADDRINUSE: address already in use :::3000", 1), 2)
    assert found(tape) == [("PRO008", "info", "undecided", (5,), "port-in-use")]
    assert one(tape).certainty == "heuristic"


def test_stderr_is_neutral_otherwise() -> None:
    tape = begun().stderr("error: this is fine", 1).stderr("ready, no problem", 1).stderr("", 1)
    assert found(closed(tape, 2)) == []


def test_only_so_many_lines_are_examined() -> None:
    tape = begun()
    for _ in range(LINES_EXAMINED):
        tape.stderr("ready", 1)
    assert found(closed(tape.stderr("KeyError: 'DEMO_TOKEN'", 1), 2)) == []
