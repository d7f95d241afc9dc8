"""RPC021-023: methods that are unknown, of another version, or sent the wrong way."""

from __future__ import annotations

from tests.diagnosis.checking import check
from tests.record_cases import error
from tests.rules.jsonrpc.methods_cases import asked


def test_the_error_that_answers_is_a_consequence() -> None:
    (finding,) = check(asked("tools/lists", error(5, -32601)))
    assert [each.rule for each in finding.consequences] == ["RPC026"]
    (finding,) = check(asked("roots/list", error(5, -32601)))
    assert [each.rule for each in finding.consequences] == ["RPC026"]
