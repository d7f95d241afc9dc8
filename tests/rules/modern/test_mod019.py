"""MOD019: error without its data."""

from __future__ import annotations

from typing import Any

import pytest

from mcp_tap.record.argv_masking import MASK
from tests.record_cases import error, modern
from tests.rules.modern.cases import found, rules, spoken, unshown


@pytest.mark.parametrize(
    ("code", "data"),
    [
        (-32022, {}),
        (-32022, {"data": {"supported": []}}),
        (-32022, {"data": {"supported": ["2027-01-01"]}}),
        (-32022, {"data": "2027-01-01"}),
        (-32021, {}),
        (-32021, {"data": {"requiredCapabilities": ["sampling"]}}),
    ],
)
def test_an_error_without_its_data_is_the_servers_fault(code: int, data: dict[str, Any]) -> None:
    tape = spoken().client(modern(2, "tools/list"), 1).server(error(2, code, **data), 1)
    assert found(tape) == [("MOD019", "error", "server", (4, 5), str(code))]


@pytest.mark.parametrize(
    ("code", "data"),
    [
        (-32022, {"data": {"supported": ["2027-01-01"], "requested": "2026-07-28"}}),
        (-32022, {"data": MASK}),
        (-32021, {"data": {"requiredCapabilities": {"sampling": {}}}}),
        (-32020, {}),
        (-32602, {}),
    ],
)
def test_an_error_with_its_data_or_that_needs_none_is_let_pass(code: int, data: dict[str, Any]) -> None:
    tape = spoken().client(modern(2, "tools/list"), 1).server(error(2, code, **data), 1)
    assert rules(tape) == []


def test_a_code_of_its_own_of_a_server_of_before_is_let_pass() -> None:
    assert rules(unshown().client(modern(2, "tools/list"), 1).server(error(2, -32021), 1)) == []
