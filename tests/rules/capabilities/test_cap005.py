"""CAP005: log message without the logging capability."""

from __future__ import annotations

from tests.diagnosis.checking import begun
from tests.record_cases import told
from tests.rules.capabilities.cases import found


def test_a_log_message_that_was_not_announced_is_a_warning() -> None:
    tape = begun(server={}).server(told("notifications/message", level="info", data="x"), 1)
    assert found(tape) == [("CAP005", "warning", "server", (5,), "")]
    assert found(begun(server={}).client(told("notifications/message", level="info", data="x"), 1)) == []
