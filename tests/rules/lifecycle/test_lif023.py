"""LIF023: silent after much stderr."""

from __future__ import annotations

from typing import Any

import pytest

from tests.diagnosis.checking import check, closed
from tests.record_cases import Tape, request, told
from tests.recordings.cases import CASES
from tests.rules.lifecycle.cases import INITIALIZED, LIF, agreed, call, found, offer


def test_after_64_kib_of_stderr_that_is_not_read_everything_is_silent() -> None:
    assert found(CASES["A22"]()) == [("LIF023", "warning", "client", (20, 21, 22), "")]


def noisy(size: int = 5000, stall: bool = True, **start: Any) -> Tape:
    """A session with so many bytes of stderr, the handshake before it."""
    tape = Tape().start(**start).client(offer(), 0.1).server(agreed(), 0.2).client(INITIALIZED, 0.2)
    tape.stderr("x" * (size - 1), 1)
    return tape.event("stall", 2.5, stream="stderr") if stall else tape


def test_the_silence_explains_what_was_not_answered() -> None:
    tape = noisy().client(call(5), 3).client(request(6, "ping"), 20)
    (finding,) = check(closed(tape, 80), rules=LIF)
    assert finding.rule == "LIF023"
    assert sorted(each.rule for each in finding.consequences) == ["LIF017", "LIF018", "LIF024"]


def test_on_windows_4_kib_look_like_it_and_nobody_is_blamed() -> None:
    tape = noisy(4096, stall=False, platform="win32").client(call(5), 3)
    assert found(closed(tape, 63))[0] == ("LIF023", "warning", "undecided", (5, 6), "")


@pytest.mark.parametrize(
    "tape",
    [
        closed(noisy(4095, stall=False, platform="win32").client(call(5), 3), 63),
        closed(noisy(70_000, stall=False, platform="linux").client(call(5), 3), 63),
        closed(noisy(70_000, stall=False, platform=["win32"]).client(call(5), 3), 63),
        closed(noisy().event("flow", 3, stream="stderr", seconds=1.5).client(call(5), 4), 63),
        closed(noisy().client(call(5), 3).server(told("notifications/tools/list_changed"), 4), 63),
        closed(noisy().client(call(5), 3).stderr("more", 60), 63),
        closed(noisy().client(call(5), 60), 63),
        closed(noisy(), 63),
        noisy().client(call(5), 3),
        closed(noisy().event("gap", 2.7, records=1, bytes=9, reason="full").client(call(5), 3), 63),
        noisy()
        .client(call(5), 3)
        .event("eof", 60, stream="s2c")
        .event("eof", 60.1, stream="c2s")
        .exit(60.2, "server-exit", 1),
        closed(noisy(stall=False).client(call(5), 3).event("stall", 4, stream="s2c"), 63),
    ],
    ids=[
        "less than fits",
        "elsewhere the tap would have noted a stall",
        "a platform of the wrong type",
        "it is read again",
        "stdout goes on",
        "stderr goes on",
        "the client leaves soon",
        "nothing is open",
        "no end",
        "a gap",
        "the server left",
        "the client does not read stdout",
    ],
)
def test_silence_after_stderr_is_no_finding_where_it_has_other_reasons(tape: Tape) -> None:
    assert "LIF023" not in [each[0] for each in found(tape)]
