"""CAP006: log message below the level that was set."""

from __future__ import annotations

from typing import Any

import pytest

from mcp_tap.diagnosis.levels import LEVELS
from tests.diagnosis.checking import begun
from tests.record_cases import Tape, error, request, result, told
from tests.rules.capabilities.cases import found


def levelled(level: Any = "error", answer: dict[str, Any] | None = None, version: str = "2025-11-25") -> Tape:
    """The client sets a level (records 5 and 6, at 1 s)."""
    tape = begun(version).client(request(5, "logging/setLevel", level=level), 1)
    return tape.server(result(5) if answer is None else answer, 1)


def asked_again() -> Tape:
    """The client asks for another level, and has no answer yet."""
    return levelled().client(request(6, "logging/setLevel", level="debug"), 2)


def log(level: Any) -> dict[str, Any]:
    return told("notifications/message", level=level, data="x")


def test_messages_below_the_level_that_was_set_are_a_warning_for_each_level() -> None:
    tape = levelled("warning").server(log("info"), 2).server(log("warning"), 2).server(log("info"), 2)
    assert found(tape.server(log("emergency"), 2)) == [("CAP006", "warning", "server", (7, 9), "info")]


def test_the_levels_are_ordered() -> None:
    for number, level in enumerate(LEVELS):
        for other, below in enumerate(LEVELS):
            assert bool(found(levelled(level).server(log(below), 2))) is (other < number)


@pytest.mark.parametrize(
    "tape",
    [
        begun().server(log("debug"), 2),  # no level was set
        levelled().server(log("info"), 1.05),  # it was on its way
        levelled("loud").server(log("info"), 2),  # no level that is known
        levelled(3).server(log("info"), 2),
        levelled(answer=error(5, -32602)).server(log("info"), 2),  # not accepted
        levelled().server(log("chatty"), 2),
        levelled().server(log(None), 2),
        levelled().client(log("info"), 2),
        asked_again().server(log("info"), 2),  # it may have obeyed already
        levelled().event("gap", 1.5, reason="disk full").server(log("info"), 2),
        levelled(version="2026-07-28").server(log("info"), 2),
    ],
)
def test_a_message_is_not_below_a_level_that_is_not_sure(tape: Tape) -> None:
    assert found(tape) == []


def test_the_level_that_was_set_last_holds() -> None:
    tape = levelled("error").client(request(6, "logging/setLevel", level="debug"), 2).server(result(6), 2)
    assert found(tape.server(log("debug"), 3)) == []
