"""What few messages have, told before any rule looks at them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from mcp_tap.diagnosis.recognise.irregular import is_irregular
from mcp_tap.model.exchange import Paired
from mcp_tap.model.message import Side, read_message
from mcp_tap.model.pairing import Pairing

CALL = {"id": 1, "method": "tools/call", "params": {"name": "x"}}
RESULT: dict[str, Any] = {"id": 1, "result": {"content": []}}
CANCELLED = {"method": "notifications/cancelled", "params": {"requestId": 1}}


def paired(*said: tuple[Side, dict[str, Any]]) -> Iterator[Paired]:
    """Messages in their place; JSON-RPC 2.0 where they do not say otherwise."""
    pairing = Pairing()
    for seq, (side, value) in enumerate(said):
        message = read_message({"jsonrpc": "2.0", **value})
        yield from pairing.feed(side, message, seq, 0.1 * seq, 100)


def irregular(*said: tuple[Side, dict[str, Any]]) -> list[bool]:
    return [is_irregular(item) for item in paired(*said)]


def test_plain_calls_answers_errors_and_notifications_are_regular() -> None:
    error = {"id": 2, "error": {"code": -32601, "message": "no"}}
    assert not any(
        irregular(
            ("c2s", CALL),
            ("s2c", RESULT),
            ("c2s", {**CALL, "id": 2}),
            ("s2c", error),
            ("c2s", {"id": "a", "method": "ping"}),
            ("s2c", {"method": "notifications/message", "params": {"level": "info"}}),
        )
    )


@pytest.mark.parametrize(
    "value",
    [
        {**CALL, "jsonrpc": "1.0"},
        {**CALL, "id": None},
        {**CALL, "id": 1.5},
        {**CALL, "params": []},
        {**CALL, "params": None},
        {"method": "notifications/x", "params": []},
    ],
)
def test_an_envelope_may_be_irregular(value: dict[str, Any]) -> None:
    assert irregular(("c2s", value)) == [True]


@pytest.mark.parametrize(
    "value",
    [
        {**RESULT, "id": "1"},
        {"id": 1, "result": None},
        {**RESULT, "error": None},
        {**RESULT, "error": {"code": -1, "message": "no"}},
        {"id": 1, "result": {"task": {"taskId": "t"}}},
        {"id": 1, "result": {"resultType": "task"}},
    ],
)
def test_so_may_an_answer(value: dict[str, Any]) -> None:
    assert irregular(("c2s", CALL), ("s2c", value)) == [False, True]


def test_so_is_an_id_that_is_used_again_and_an_answer_to_what_was_cancelled() -> None:
    assert irregular(("c2s", CALL), ("c2s", CALL)) == [False, True]
    assert irregular(("c2s", CALL), ("s2c", RESULT), ("c2s", CALL)) == [False, False, True]
    assert irregular(("c2s", CALL), ("c2s", CANCELLED), ("s2c", RESULT)) == [False, False, True]
