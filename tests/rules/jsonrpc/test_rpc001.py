"""RPC001: no "jsonrpc": "2.0"."""

from __future__ import annotations

from typing import Any

import pytest

from tests.diagnosis.checking import begun, check, closed, facts
from tests.rules.jsonrpc.envelope_cases import asked
from tests.rules.telling import MINE, brief, keys


class TestNoVersion:
    def test_each_side_has_one_finding_that_counts(self) -> None:
        tape = begun().client({"id": 1, "method": "tools/list"}, 0.5).server({"id": 1, "result": {}}, 0.6)
        tape.server({"method": "notifications/message", "jsonrpc": "1.0"}, 0.7)
        assert facts(check(closed(tape, 9), rules=MINE)) == [
            ("RPC001", "error", "client", (5,), "c2s"),
            ("RPC001", "error", "server", (6, 7), "s2c"),
        ]

    @pytest.mark.parametrize("value", ["1.0", 2, None])
    def test_another_value_is_told(self, value: Any) -> None:
        tape = asked().server({"jsonrpc": value, "id": 1, "result": {}}, 0.6)
        assert keys(closed(tape, 9)) == [("RPC001", "s2c")]

    def test_a_log_record_is_no_message_that_lacks_it(self) -> None:
        assert brief(closed(begun().server({"level": "info"}, 1), 9)) == [("FRM018", "warning", "server")]
