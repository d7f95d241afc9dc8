"""What was masked cannot be judged."""

from __future__ import annotations

from mcp_tap.diagnosis.misfit import is_masked


def test_a_masked_value_is_found_wherever_it_is() -> None:
    assert is_masked({"a": [{"b": "Bearer [masked]"}]})
    assert is_masked({"[masked]": 1})
    assert not is_masked({"a": [{"b": 1}, "masked"]})
