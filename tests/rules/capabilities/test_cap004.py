"""CAP004: list_changed not declared."""

from __future__ import annotations

from typing import Any

import pytest

from tests.diagnosis.checking import begun
from tests.record_cases import told
from tests.rules.capabilities.cases import found, only


@pytest.mark.parametrize("offer", [{}, {"tools": {}}, {"tools": {"listChanged": False}}, {"tools": True}])
def test_a_change_that_was_not_declared_is_a_warning(offer: dict[str, Any]) -> None:
    tape = begun(server=offer).server(told("notifications/tools/list_changed"), 1)
    assert found(tape) == [("CAP004", "warning", "server", (5,), "tools")]
    tape.server(told("notifications/tools/list_changed"), 2)
    assert only(tape).key == "tools"


def test_a_change_that_was_declared_or_is_not_the_servers_is_none() -> None:
    tape = begun(server={"tools": {"listChanged": True}}).server(told("notifications/tools/list_changed"), 1)
    assert found(tape.client(told("notifications/prompts/list_changed"), 2)) == []
