"""FRM018: JSON on stdout that is not JSON-RPC."""

from __future__ import annotations

import pytest

from tests.diagnosis.checking import begun, closed
from tests.rules.telling import brief, keys


class TestJsonLog:
    @pytest.mark.parametrize("line", [b"42", b"[]", b"[1, 2]", b"{}", b'{"a":1}'])
    def test_any_json_that_has_nothing_of_a_message_is_told(self, line: bytes) -> None:
        assert keys(closed(begun().server(line, 0.5), 9)) == [("FRM018", "s2c")]

    def test_json_of_the_client_is_a_message_that_is_none(self) -> None:
        assert brief(closed(begun().client(b"42", 0.5), 9)) == [("RPC011", "error", "client")]
