"""FRM018: JSON on stdout that is not JSON-RPC."""

from __future__ import annotations

import pytest

from tests.diagnosis.checking import begun, closed
from tests.rules.telling import brief, messages


class TestJsonLog:
    @pytest.mark.parametrize(
        ("line", "message"),
        [
            (b"42", "server wrote 1 line of JSON to stdout that is no JSON-RPC: '42'"),
            (b"[]", "server wrote 1 line of JSON to stdout that is no JSON-RPC: '[]'"),
            (b"[1, 2]", "server wrote 1 line of JSON to stdout that is no JSON-RPC: '[1, 2]'"),
            (b"{}", "server wrote 1 line of JSON to stdout that is no JSON-RPC (no members)"),
            (b'{"a":1}', "server wrote 1 line of JSON to stdout that is no JSON-RPC (`a`)"),
        ],
    )
    def test_any_json_that_has_nothing_of_a_message_is_told(self, line: bytes, message: str) -> None:
        assert messages(closed(begun().server(line, 0.5), 9)) == [message]

    def test_json_of_the_client_is_a_message_that_is_none(self) -> None:
        assert brief(closed(begun().client(b"42", 0.5), 9)) == [("RPC011", "error", "client")]
