"""PRO007: the client ended the session with a signal."""

from __future__ import annotations

import pytest

from tests.diagnosis.checking import check, names
from tests.record_cases import ENVELOPE, Tape, request, result
from tests.recordings.cases import begun
from tests.rules.process.shutdown_cases import RULES, eof, found, sent


def test_a_client_that_signals_without_closing_stdin_is_information() -> None:
    assert found(sent(begun(), 3, "SIGINT").exit(3.1, "client-signal", 0)) == [
        ("PRO007", "info", "client", (5,), "SIGINT")
    ]


@pytest.mark.parametrize(
    "tape",
    [
        sent(eof(begun()), 5.1).exit(5.2, "client-eof", None, "SIGTERM"),
        sent(begun(), 5).event("eof", 5.01, stream="c2s").exit(5.2, "client-signal", None, "SIGTERM"),
        sent(begun(), 5, "SIGINT", forwarded=False).exit(5.2, "client-signal", 130),
        sent(begun(), 5, "SIGWINCH"),
        sent(begun().event("eof", 5, stream="s2c"), 5.5).exit(5.6, "server-exit", 1),
        sent(begun().event("gap", 1, records=1, bytes=9), 5).exit(5.2, "client-signal", None, "SIGTERM"),
    ],
    ids=["closed first", "at once", "terminal", "no end meant", "server was first", "gap"],
)
def test_what_is_no_end_by_signal_is_silent(tape: Tape) -> None:
    assert "PRO007" not in names(check(tape, rules=RULES))


def test_a_probe_is_ended_by_a_signal_on_purpose() -> None:
    tape = Tape().start().client(request(0, "server/discover", _meta=ENVELOPE), 0.1)
    tape.server(result(0, supportedVersions=["2026-07-28"], capabilities={}), 0.2)
    assert found(sent(tape, 0.3).exit(0.4, "client-signal", None, "SIGTERM")) == []


def test_a_signal_to_the_whole_group_ends_a_session_too() -> None:
    tape = begun().event("signal", 5, name="SIGINT", forwarded=False, shared=True)
    assert "PRO007" in names(check(tape.exit(5.2, "client-signal", None, "SIGINT"), rules=RULES))
