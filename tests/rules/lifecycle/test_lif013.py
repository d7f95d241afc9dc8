"""LIF013: unknown protocol version."""

from __future__ import annotations

import pytest

from tests.diagnosis.checking import check, closed, facts
from tests.rules.lifecycle.cases import INITIALIZED, LIF, agreed, call, found, offer, said
from tests.rules.lifecycle.negotiation_cases import answered


def test_a_version_that_was_never_released_is_the_servers_error() -> None:
    (finding,) = check(closed(answered("1.0"), 0.7), rules=LIF)
    assert facts([finding]) == [("LIF013", "error", "server", (3,), "1.0")]
    assert [each.rule for each in finding.consequences] == ["LIF012"]


def test_it_is_a_warning_where_the_client_goes_on() -> None:
    tape = answered("1.0").client(INITIALIZED, 0.3).client(call(1), 0.4).server(said(1), 0.5)
    assert [each[:2] for each in found(closed(tape, 1))] == [("LIF013", "warning")]


@pytest.mark.parametrize(("version", "offered"), [("2999-01-01", "2025-11-25"), ("DRAFT-1", "DRAFT-1")])
def test_versions_of_the_future_are_left_alone(version: str, offered: str) -> None:
    assert found(closed(answered(version, offered).client(INITIALIZED, 0.3), 1)) == []


def test_a_server_cannot_negotiate_by_asking_the_client() -> None:
    tape = answered("2025-11-25").client(INITIALIZED, 0.3)
    tape.server(offer(0, "2025-06-18"), 0.4).client(agreed(0, "1.0"), 0.5)
    assert found(closed(tape, 1)) == []
