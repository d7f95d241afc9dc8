"""LIF005: server sent notifications/initialized."""

from __future__ import annotations

from tests.diagnosis.checking import closed
from tests.rules.lifecycle.cases import INITIALIZED, found
from tests.rules.lifecycle.lifecycle_cases import half_begun


def test_initialized_from_the_server_is_the_servers_error() -> None:
    tape = half_begun().server(INITIALIZED, 0.3).client(INITIALIZED, 0.4)
    assert found(closed(tape, 1)) == [("LIF005", "error", "server", (4,), "")]
