"""RPC027: unusual error code."""

from __future__ import annotations

import pytest

from tests.rules.jsonrpc.errors_cases import only, refused


@pytest.mark.parametrize(
    ("code", "why"),
    [
        (404, "an HTTP status, not a JSON-RPC code"),
        (0, "0 says nothing; the Python SDK sends it for an exception that a handler did not catch"),
        (7, "JSON-RPC codes are negative"),
    ],
)
def test_a_code_that_is_not_negative_is_unusual(code: int, why: str) -> None:
    message = f"server answered tools/call `export` with {code} 'boom': {why}"
    finding = only(refused(code, "boom"))
    assert (finding.rule, finding.severity, finding.culprit) == ("RPC027", "warning", "server")
    assert (finding.records, finding.message) == ((5, 6), message)
    assert [each.rule for each in finding.consequences] == ["RPC026"]
