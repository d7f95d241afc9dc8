"""How the server ended: of its own accord, by a crash, or not cleanly when it was asked to."""

from __future__ import annotations

from pathlib import Path

import pytest

from mcp_tap.diagnosis.life import SIGNALS_KEPT
from mcp_tap.wire.lines import Segment
from tests.diagnosis.checking import check, findings_of, names
from tests.record_cases import RECORDINGS, Tape
from tests.recordings.cases import CASES, agreed, begun, call, closed, offer, said
from tests.rules.process.exits_cases import RULES, TOGETHER, died, found, left

ENDS: list[tuple[int | None, str | None]] = [(1, None), (None, "SIGSEGV"), (None, "SIGKILL")]


@pytest.mark.parametrize(("code", "signal"), ENDS)
@pytest.mark.parametrize("calls", [0, 1])
def test_no_end_is_blamed_after_the_client_has_asked_for_it(
    code: int | None, signal: str | None, calls: int
) -> None:
    def tape() -> Tape:
        return begun().client(call(5, "x"), 1) if calls else begun()

    asked = tape().event("signal", 2, name="SIGINT", forwarded=True)
    assert found(asked.event("eof", 2, stream="s2c").exit(2, "client-signal", code, signal)) == []
    # The signal was noted a moment late: which came first cannot be told.
    race = tape().event("eof", 2, stream="s2c").event("signal", 2.01, name="SIGTERM", forwarded=False)
    assert found(race.exit(2.02, "server-exit", code, signal)) == []
    gone = tape().event("broken_pipe", 2, stream="s2c")
    assert found(gone.exit(2, "server-exit", code, signal)) == []
    if signal is not None:
        same = tape().event("eof", 2, stream="s2c").event("signal", 3, name=signal, forwarded=True)
        assert [
            each for each in found(same.exit(3, "server-exit", code, signal)) if signal == "SIGKILL"
        ] == []


@pytest.mark.parametrize(("code", "signal"), ENDS)
@pytest.mark.parametrize("event", ["gap", "limit"])
def test_a_recording_that_lacks_something_proves_no_fault(
    code: int | None, signal: str | None, event: str
) -> None:
    for calls in ([], [call(5, "x")]):
        tape = begun()
        for each in calls:
            tape.client(each, 1)
        tape.event(event, 1.5, records=1, bytes=90, reason="No space left on device")
        assert found(died(tape, 2, code, signal)) == []
    assert found(left(begun().event(event, 1, records=1, bytes=9), 2, 1)) == []


def test_missing_records_half_a_line_and_a_missing_end_or_start_prove_nothing() -> None:
    lost = begun().client(call(5, "x"), 1)
    lost.seq += 1
    assert found(died(lost, 2)) == []
    half = begun().client(call(5, "x"), 1).line("s2c", Segment((b'{"json',), more=True), 1.5)
    assert found(died(half, 2)) == []
    assert found(begun().client(call(5, "x"), 1).event("eof", 2, stream="s2c")) == []
    headless = Tape().client(offer(), 0.1).server(agreed(), 0.2).client(call(5, "x"), 1)
    assert found(died(headless, 2)) == []


def test_other_signals_do_not_mean_the_end() -> None:
    tape = begun().client(call(5, "x"), 1)
    for _ in range(SIGNALS_KEPT + 1):
        tape.event("signal", 1, name="SIGWINCH", forwarded=True)
    assert names(check(died(tape, 2), rules=RULES)) == ["PRO003"]


def test_ends_with_fields_of_any_type_are_survived() -> None:
    for value in (None, 1.5, "x", [1], {"a": 1}, True):
        tape = begun().event("eof", 1, stream=value).event("broken_pipe", 1, stream=value)
        tape.event("signal", 1, name=value, forwarded=value).event("spawn_failed", 1, error=value, code=value)
        tape.event("exit", 2, code=value, signal=value, first=value, left=value)
        check(tape, rules=TOGETHER)


@pytest.mark.parametrize("case", [name for name in CASES if name not in ("A05", "A25")])
def test_the_failures_of_others_are_none_of_these(case: str) -> None:
    # Servers that die at their start, or need a signal, are told elsewhere.
    assert found(CASES[case]()) == []


@pytest.mark.parametrize("path", sorted((RECORDINGS / "v1").glob("*.jsonl")), ids=lambda path: path.stem)
def test_healthy_recordings_end_well(path: Path) -> None:
    assert findings_of(path, RULES) == []


def test_a_regular_end_is_silent() -> None:
    tape = begun().client(call(1, "x"), 1).server(said(1, "ok"), 1.1)
    assert found(closed(tape, 2)) == []
