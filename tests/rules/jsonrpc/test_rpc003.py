"""RPC003: invalid type of id."""

from __future__ import annotations

from typing import Any

import pytest

from tests.diagnosis.checking import begun, check, closed, facts
from tests.record_cases import request
from tests.rules.telling import MINE, brief


class TestIllegalId:
    @pytest.mark.parametrize(
        ("id", "kind"),
        [(True, "a boolean"), (1.5, "a number with a fraction"), ([1], "an array"), ({}, "an object")],
    )
    def test_an_id_is_a_string_or_an_integer(self, id: Any, kind: str) -> None:
        assert facts(check(closed(begun().client(request(id, "tools/list"), 0.5), 9), rules=MINE)) == [
            ("RPC003", "error", "client", (5,), f"c2s {kind}")
        ]

    @pytest.mark.parametrize("id", [b"1.0", b"-1", b'""', b"123456789012345678901234567890"])
    def test_these_are_legal(self, id: bytes) -> None:
        tape = begun().client(b'{"jsonrpc":"2.0","id":%b,"method":"ping"}' % id, 0.5)
        assert brief(closed(tape.server(b'{"jsonrpc":"2.0","id":%b,"result":{}}' % id, 0.6), 9)) == []
