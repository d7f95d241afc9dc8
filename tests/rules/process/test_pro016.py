"""PRO016: the client closed while the server was writing."""

from __future__ import annotations

import pytest

from tests.diagnosis.checking import check, facts, names
from tests.record_cases import Tape
from tests.recordings.cases import CASES, begun, call, said
from tests.rules.process.shutdown_cases import RULES, TOGETHER, eof, found


def test_an_abrupt_end_explains_the_broken_pipe_and_the_exit_code() -> None:
    (finding,) = check(CASES["A25"](), rules=TOGETHER)
    assert facts([finding]) == [("PRO016", "info", "client", (6, 8, 9), "")]
    assert [each.rule for each in finding.consequences] == ["PRO004"]
    assert finding.evidence == ("BrokenPipeError: [Errno 32] Broken pipe",)


def test_a_traceback_about_the_pipe_is_a_consequence_too() -> None:
    tape = eof(begun()).stderr("Traceback (most recent call last):", 5.1)
    tape.stderr("BrokenPipeError: [Errno 32] Broken pipe", 5.1).exit(5.2, "client-eof", 120)
    (finding,) = check(tape, rules=TOGETHER)
    assert facts([finding]) == [("PRO016", "info", "client", (5, 7), "")]
    assert [each.rule for each in finding.consequences] == ["PRO009", "PRO004"]


def test_an_unanswered_request_is_open_not_in_flight() -> None:
    tape = begun().client(call(1, "x"), 1).event("broken_pipe", 2, stream="s2c")
    assert found(tape.exit(2.1, "client-gone", 1)) == [("PRO016", "info", "client", (6,), "")]


def test_an_answer_that_met_a_broken_pipe_is_lost_whatever_follows() -> None:
    tape = eof(begun().client(call(1, "x"), 1), 2).server(said(1, "ok"), 2.1)
    tape.event("broken_pipe", 2.1, stream="s2c").exit(2.2, "client-eof")
    assert found(tape) == [("PRO016", "info", "client", (6, 8), "")]


@pytest.mark.parametrize(
    "tape",
    [
        begun().event("broken_pipe", 2, stream="s2c").event("eof", 2, stream="c2s")
        .exit(2.1, "client-gone"),
        eof(begun().client(call(1, "x"), 1), 2).server(said(1, "ok"), 2.1).exit(2.2, "client-eof"),
        eof(begun().stderr("BrokenPipeError in a worker", 1), 2).exit(2.1, "client-eof"),
        begun().event("eof", 2, stream="s2c").event("eof", 2.1, stream="c2s").stderr("EPIPE", 2.2)
        .exit(2.3, "server-exit", 1),
        begun().event("eof", 2, stream="s2c").event("eof", 2.1, stream="c2s").stderr("EPIPE", 2.2),
        begun().stderr("EPIPE", 2),
    ],
    ids=["both pipes", "delivered", "before the end", "server first", "server first, no end", "goes on"],
)  # fmt: skip
def test_an_end_like_any_other_is_silent(tape: Tape) -> None:
    assert "PRO016" not in names(check(tape, rules=RULES))
