"""MOD016: log message that was not asked for."""

from __future__ import annotations

from typing import Any

import pytest

from mcp_tap.record.argv_masking import MASK
from tests.diagnosis.checking import begun
from tests.record_cases import Tape, modern, told
from tests.rules.modern.cases import complete, found, rules, says, spoken, unshown


def log(level: Any = "info") -> dict[str, Any]:
    """A log message."""
    return told("notifications/message", level=level, data="booking")


def test_a_log_message_that_nobody_asked_for_is_the_servers_fault() -> None:
    tape = spoken().client(says(2, "tools/call", name="x"), 1).server(log(), 1).server(log(), 1)
    assert found(tape.server(complete(2, content=[]), 1)) == [
        ("MOD016", "error", "server", (5, 6), "unasked")
    ]
    assert found(spoken().server(log(7), 1))[0][4] == "unasked"


def test_a_log_message_below_all_that_is_asked_for_is_the_servers_fault() -> None:
    tape = spoken().client(says(2, "tools/call", level="error", name="x"), 1)
    tape.client(says(3, "tools/call", level="warning", name="x"), 1).server(log("notice"), 1)
    assert found(tape.server(log("warning"), 1)) == [("MOD016", "error", "server", (6,), "below")]


@pytest.mark.parametrize("level", ["info", "debug", "loud", 7, MASK])
def test_any_open_request_may_be_meant(level: Any) -> None:
    tape = spoken().client(says(2, "tools/call", level=level, name="x"), 1)
    tape.client(says(3, "tools/call", level="alert", name="x"), 1).server(log(), 1).server(log(None), 1)
    assert rules(tape) == []


def test_messages_on_their_way_when_a_request_is_done_or_cancelled_are_let_pass() -> None:
    tape = spoken().client(says(2, "tools/call", level="info", name="x"), 1)
    tape.client(says(3, "tools/call", level="error", name="x"), 1)
    tape.server(complete(2, content=[]), 1.5).client(told("notifications/cancelled", requestId=3), 1.52)
    assert rules(tape.server(log(), 1.55)) == []
    assert [each[3] for each in found(spoken_again(tape).server(log(), 1.8))] == [(10,)]


def spoken_again(tape: Tape) -> Tape:
    """``tape`` up to before it was closed."""
    while tape.lines[-1].find(b'"dir":"tap"') >= 0:
        tape.lines.pop()
        tape.seq -= 1
    return tape.client(says(9, "prompts/list"), 1.7)


def test_nothing_is_said_of_log_messages_where_not_all_requests_are_known(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    assert rules(spoken().event("gap", 0.5, reason="disk full").server(log(), 1)) == []
    assert rules(spoken().client(b"{no json", 0.5).server(log(), 1)) == []
    assert rules(begun().client(modern(1, "prompts/list"), 1).server(log(), 1)) == []
    tape = unshown().client(modern(2, "tools/call", name="x"), 1).server(log(), 1)
    assert rules(tape.server({"jsonrpc": "2.0", "id": 2, "result": {"content": []}}, 1)) == []
    monkeypatch.setattr("mcp_tap.rules.modern.mod016_unasked_log.KEPT", 1)
    tape = spoken().client(says(2, "tools/call", level="info", name="x"), 1)
    tape.client(says(3, "tools/call", level="error", name="x"), 1).server(log(), 1)
    assert rules(tape) == []
