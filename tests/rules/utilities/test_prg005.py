"""PRG005: progress token not unique."""

from __future__ import annotations

from typing import Any

import pytest

from tests.diagnosis.checking import begun
from tests.record_cases import Tape, request, result, told
from tests.rules.utilities.progress_cases import call, called, found, progress


def test_a_token_that_two_open_requests_share_is_an_error() -> None:
    tape = called("p").client(request(6, "prompts/list", _meta={"progressToken": "p"}), 2)
    assert found(tape) == [("PRG005", "error", "client", (5, 6), "")]


def test_progress_for_a_token_that_is_shared_is_not_judged() -> None:
    tape = called().client(call(6, 7), 1).server(progress(7, 50), 2).server(progress(7, 1), 2)
    tape.server(result(6, content=[]), 3).server(progress(7, 2), 4)
    assert [each[0] for each in found(tape)] == ["PRG005"]


@pytest.mark.parametrize(
    ("token", "kind"), [(None, "null"), (True, "boolean"), ([], "array"), (1.5, "number")]
)
def test_a_token_of_a_wrong_type_is_an_error(token: Any, kind: str) -> None:
    assert found(called(token)) == [("PRG005", "error", "client", (5,), f"tools/call {kind}")]


@pytest.mark.parametrize(
    "tape",
    [
        called(7.0),
        called("[masked]").client(call(6, "[masked]"), 2),
        called().server(result(5, content=[]), 2).client(call(6, 7), 3),
        called().client(told("notifications/cancelled", requestId=5), 2).client(call(6, 7), 3),
        called().client(call(5, 7), 2),  # the same request, sent again
        called().server(request(1, "roots/list", _meta={"progressToken": 7}), 2),  # the other side's
        called("7").client(call(6, 7), 2),
        called().event("gap", 1.5, reason="disk full").client(call(6, 7), 2),
        called().server(b'{"jsonrpc":"2.0","id":5,"result":NaN}', 1.5).client(call(6, 7), 2),
    ],
)
def test_a_token_may_be_used_again_where_the_request_is_over_or_another(tape: Tape) -> None:
    assert found(tape) == []


def test_only_so_many_tokens_are_compared() -> None:
    tape = begun()
    for id in range(1, 1003):
        tape.client(call(id, id), 1).server(progress(id), 1)
    assert found(tape.client(call(2000, 1), 2)) == []
    assert [each[0] for each in found(tape.client(call(2001, 1002), 3))] == ["PRG005"]
