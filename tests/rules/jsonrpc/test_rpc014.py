"""RPC014: params are not an object."""

from __future__ import annotations

from typing import Any

import pytest

from tests.diagnosis.checking import begun, check, closed, facts
from tests.record_cases import request, result
from tests.record_cases import told as notified
from tests.rules.telling import MINE, keys


class TestParamsNoObject:
    @pytest.mark.parametrize(
        ("value", "kind", "severity"),
        [([1], "array", "error"), ("x", "string", "error"), (None, "null", "warning")],
    )
    def test_params_must_be_an_object(self, value: Any, kind: str, severity: str) -> None:
        tape = (
            begun()
            .client({**request(1, "tools/list"), "params": value}, 0.5)
            .server(result(1, tools=[]), 0.6)
        )
        assert facts(check(closed(tape, 9), rules=MINE)) == [
            ("RPC014", severity, "client", (5,), f"c2s tools/list {kind}")
        ]

    def test_those_of_a_notification_too(self) -> None:
        tape = begun().server({**notified("notifications/message"), "params": []}, 0.5)
        assert keys(closed(tape, 9)) == [("RPC014", "s2c notifications/message array")]
