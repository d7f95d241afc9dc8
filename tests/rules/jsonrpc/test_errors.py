"""RPC026-030: requests that were answered by an error, and what its code means."""

from __future__ import annotations

import pytest

from tests.record_cases import Tape, error, modern, result
from tests.rules.jsonrpc.errors_cases import found, only, refused


def modern_refused(code: int) -> Tape:
    """A server of the new era refuses (records 4 and 5)."""
    tape = Tape().start().client(modern(1, "tools/list"), 0.1).server(result(1, tools=[]), 0.2)
    return tape.client(modern(2, "resources/read", uri="x:y"), 1).server(error(2, code, "no"), 1)


@pytest.mark.parametrize(
    ("code", "rule"),
    [
        (-32050, "RPC028"),
        (-32099, "RPC028"),
        (-32020, "RPC026"),
        (-32021, "RPC026"),
        (-32022, "RPC026"),
        (-32019, "RPC026"),
        (-32100, "RPC026"),
        (-32002, "RPC029"),
        (-32042, "RPC029"),
    ],
)
def test_the_new_era_has_fixed_what_codes_mean(code: int, rule: str) -> None:
    finding = only(modern_refused(code))
    assert (finding.rule, finding.records) == (rule, (4, 5))
    assert finding.severity == ("info" if rule == "RPC026" else "error")


def test_codes_of_the_new_era_are_told_with_what_to_use_instead() -> None:
    assert only(modern_refused(-32050)).key == "server resources/read x:y -32050"
    assert only(modern_refused(-32002)).key == "server resources/read x:y -32002"


@pytest.mark.parametrize("code", [-32050, -32002])
def test_a_server_of_before_is_not_held_to_the_codes_of_the_new_era(code: int) -> None:
    assert [each[0] for each in found(refused(code))] == ["RPC026"]
    probe = Tape().start().client(modern(1, "server/discover"), 1).server(error(1, code), 1)
    assert [each[0] for each in found(probe)] == ["RPC026"]
