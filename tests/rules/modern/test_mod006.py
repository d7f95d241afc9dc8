"""MOD006: input_required without a question."""

from __future__ import annotations

from typing import Any

import pytest

from mcp_tap.record.argv_masking import MASK
from tests.diagnosis.checking import closed
from tests.rules.modern.cases import found, rules
from tests.rules.modern.round_trips_cases import asked


def test_a_question_without_anything_in_it_is_the_servers_fault_and_nobody_comes_back() -> None:
    assert found(asked(None)) == [("MOD006", "error", "server", (4, 5), "tools/call book")]
    assert [each[0] for each in found(asked(None, inputRequests=[], requestState=7))] == ["MOD006"]


@pytest.mark.parametrize("members", [{"inputRequests": {}}, {"requestState": ""}, {"requestState": MASK}])
def test_one_of_both_is_enough(members: dict[str, Any]) -> None:
    assert rules(closed(asked(None, **members), 1.1)) == []
