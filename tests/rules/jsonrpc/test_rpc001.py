"""RPC001: no "jsonrpc": "2.0"."""

from __future__ import annotations

from typing import Any

import pytest

from tests.diagnosis.checking import begun, check, closed, told
from tests.rules.jsonrpc.envelope_cases import asked
from tests.rules.telling import MINE, brief, messages


class TestNoVersion:
    def test_each_side_has_one_finding_that_counts(self) -> None:
        tape = begun().client({"id": 1, "method": "tools/list"}, 0.5).server({"id": 1, "result": {}}, 0.6)
        tape.server({"method": "notifications/message", "jsonrpc": "1.0"}, 0.7)
        assert told(check(closed(tape, 9), rules=MINE)) == [
            ("RPC001", "error", "client", (5,), 'tools/list, from the client, has no "jsonrpc": "2.0"'),
            (
                "RPC001",
                "error",
                "server",
                (6, 7),
                'the answer to tools/list, from the server, has no "jsonrpc": "2.0"; so have 1 others',
            ),
        ]

    @pytest.mark.parametrize(("value", "shown"), [("1.0", '"1.0"'), (2, "2"), (None, "None")])
    def test_another_value_is_told(self, value: Any, shown: str) -> None:
        tape = asked().server({"jsonrpc": value, "id": 1, "result": {}}, 0.6)
        assert messages(closed(tape, 9)) == [
            f"the answer to tools/list, from the server, has jsonrpc {shown}"
        ]

    def test_a_log_record_is_no_message_that_lacks_it(self) -> None:
        assert brief(closed(begun().server({"level": "info"}, 1), 9)) == [("FRM018", "warning", "server")]
