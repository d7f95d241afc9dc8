"""CAP002: declared capability is not implemented."""

from __future__ import annotations

from tests.diagnosis.checking import begun, check, closed, facts
from tests.record_cases import error, request
from tests.rules.capabilities.cases import found, refused


def test_a_declared_list_that_is_not_there_is_the_servers_error() -> None:
    (finding,) = check(closed(refused("tools/list"), 60))
    assert facts([finding]) == [("CAP002", "error", "server", (5, 6), "tools")]
    assert [each.rule for each in finding.consequences] == ["RPC026"]


def test_only_a_list_that_is_not_found_is_not_implemented() -> None:
    assert found(closed(refused("tools/list", -32603), 60)) == []
    tape = begun().client(request(5, "resources/templates/list"), 1).server(error(5, -32601), 1)
    assert found(closed(tape, 60)) == []
    tape = begun().server(request(5, "tools/list"), 1).client(error(5, -32601), 1)
    assert found(closed(tape, 60)) == []
