"""RPC027: unusual error code."""

from __future__ import annotations

import pytest

from tests.rules.jsonrpc.errors_cases import only, refused


@pytest.mark.parametrize("code", [404, 0, 7])
def test_a_code_that_is_not_negative_is_unusual(code: int) -> None:
    finding = only(refused(code, "boom"))
    assert (finding.rule, finding.severity, finding.culprit) == ("RPC027", "warning", "server")
    assert (finding.records, finding.key) == ((5, 6), f"server tools/call export {code}")
    assert [each.rule for each in finding.consequences] == ["RPC026"]
