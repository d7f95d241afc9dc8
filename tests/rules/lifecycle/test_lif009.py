"""LIF009: initialize refused by the server."""

from __future__ import annotations

from typing import Any

import pytest

from tests.diagnosis.checking import closed
from tests.record_cases import Tape, error, modern, result
from tests.recordings.cases import CASES
from tests.rules.lifecycle.cases import found, offer


def test_a_server_that_refuses_the_version_should_have_offered_its_own() -> None:
    assert found(CASES["A15"]()) == [("LIF009", "error", "server", (2, 3), "-32602")]


def refused(answer: dict[str, Any], version: str = "2025-11-25") -> Tape:
    return Tape().start().client(offer(version=version), 0.1).server(answer, 0.2)


@pytest.mark.parametrize(
    ("answer", "key"),
    [
        (error(0, -32603, "no token"), "-32603"),
        ({"jsonrpc": "2.0", "id": 0, "error": {"code": "x"}}, "error"),
        ({"jsonrpc": "2.0", "id": 0, "error": [[]]}, "error"),
    ],
)
def test_another_error_is_told_as_it_is(answer: dict[str, Any], key: str) -> None:
    assert found(closed(refused(answer), 1)) == [("LIF009", "error", "server", (2, 3), key)]


def test_nobody_is_blamed_for_refusing_a_version_that_is_not_known_here() -> None:
    tape = closed(refused(error(0, -32602, "Unsupported protocol version"), "2999-01-01"), 1)
    assert [each[:3] for each in found(tape)] == [("LIF009", "error", "undecided")]


MODERN_ONLY = error(0, -32022, "unsupported", data={"supported": ["2026-07-28", 7], "requested": "x"})


def test_a_server_without_handshake_is_not_to_blame_for_refusing_one() -> None:
    assert found(closed(refused(MODERN_ONLY), 1)) == [("LIF009", "error", "undecided", (2, 3), "-32022")]


def test_it_is_information_where_the_client_goes_on_without_a_handshake() -> None:
    tape = refused(MODERN_ONLY).client(modern(1, "tools/list"), 0.3)
    tape.server(result(1, tools=[], resultType="complete"), 0.4)
    assert [each[:3] for each in found(closed(tape, 1))] == [("LIF009", "info", "undecided")]


def test_a_server_that_names_no_versions_is_told_of_without() -> None:
    assert [each[4] for each in found(closed(refused(error(0, -32022)), 1))] == ["-32022"]
