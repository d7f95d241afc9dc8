"""LIF011: another version than the client offered."""

from __future__ import annotations

from typing import Any

import pytest

from tests.diagnosis.checking import closed
from tests.rules.lifecycle.cases import INITIALIZED, found
from tests.rules.lifecycle.negotiation_cases import answered


def test_another_version_than_offered_is_information() -> None:
    assert found(closed(answered("2024-11-05").client(INITIALIZED, 0.3), 1)) == [
        ("LIF011", "info", "server", (3,), "2025-11-25, 2024-11-05")
    ]


@pytest.mark.parametrize(
    ("version", "offered"),
    [("2025-11-25", "2025-11-25"), (7, "2025-11-25"), ("[masked]", "2025-11-25"), ("2025-11-25", "[masked]")],
)
def test_versions_that_are_equal_or_not_known_are_no_difference(version: Any, offered: Any) -> None:
    assert found(closed(answered(version, offered).client(INITIALIZED, 0.3), 1)) == []
