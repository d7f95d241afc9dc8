"""PRO004: the exit was not clean."""

from __future__ import annotations

import pytest

from tests.recordings.cases import CASES, begun
from tests.rules.process.exits_cases import found, left


def test_an_exit_code_after_the_end_of_stdin_is_a_warning() -> None:
    assert found(left(begun().stderr("ValueError: I/O operation on closed file", 2), 2, 1)) == [
        ("PRO004", "warning", "server", (6, 8), "exit 1")
    ]


def test_a_crash_at_the_end_is_no_more_than_that() -> None:
    assert found(left(begun(), 2, None, "SIGSEGV")) == [("PRO004", "warning", "server", (5, 7), "SIGSEGV")]


@pytest.mark.parametrize("code", [0, 130, 143, 129, 137, 141, None])
def test_zero_and_the_codes_of_signals_are_no_failure(code: int | None) -> None:
    assert found(left(begun(), 2, code)) == []


@pytest.mark.parametrize("name", ["SIGTERM", "SIGINT", "SIGHUP"])
def test_a_code_after_a_forwarded_signal_is_no_fault(name: str) -> None:
    tape = begun().event("eof", 2, stream="c2s").event("signal", 3, name=name, forwarded=True)
    assert found(tape.exit(3.1, "client-eof", 1)) == []


def test_a_client_that_is_gone_without_a_word_is_said_so() -> None:
    tape = begun().event("broken_pipe", 2, stream="s2c").exit(2.1, "client-gone", 3)
    assert found(tape) == [("PRO004", "warning", "server", (6,), "exit 3")]


def test_a_broken_pipe_is_not_what_makes_an_exit_code_a_fault() -> None:
    # On its own PRO004 sees the code; with the rule of the abrupt end it is a consequence of that.
    assert [each[0] for each in found(CASES["A25"]())] == ["PRO004"]
