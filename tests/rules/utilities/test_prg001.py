"""PRG001: progress for an unknown token."""

from __future__ import annotations

from typing import Any

import pytest

from mcp_tap.diagnosis.finding import Finding
from tests.diagnosis.checking import begun, check, facts
from tests.record_cases import Tape, request, told
from tests.rules.utilities.progress_cases import RULES, called, found, progress


def only(tape: Tape) -> Finding:
    """The one finding."""
    (finding,) = check(tape, rules=RULES)
    facts([finding])
    return finding


def test_progress_for_a_token_that_nobody_gave_is_an_error() -> None:
    tape = called(7).server(progress(5), 2)
    assert found(tape) == [("PRG001", "error", "server", (6,), "server")]
    assert only(tape.server(progress(5), 3)).key == "server"


def test_a_token_of_another_json_type_is_a_warning() -> None:
    assert found(called(7).server(progress("7"), 2)) == [
        ("PRG001", "warning", "server", (6,), "server another type")
    ]


def test_a_client_reports_progress_too() -> None:
    asks = request(1, "sampling/createMessage", _meta={"progressToken": "s"})
    tape = begun(client={"sampling": {}}).server(asks, 1).client(progress("s"), 2)
    assert found(tape) == []
    assert [each[:4] for each in found(tape.client(progress("t"), 3))] == [
        ("PRG001", "error", "client", (7,))
    ]


@pytest.mark.parametrize("token", [None, True, 1.5, [], "[masked]"])
def test_what_is_no_token_is_told_elsewhere(token: Any) -> None:
    assert found(begun().server(progress(token), 1)) == []
    assert found(begun().server(told("notifications/progress"), 1)) == []


@pytest.mark.parametrize(
    "tape",
    [
        Tape(),
        begun().event("gap", 0.5, reason="disk full"),
        begun().event("limit", 0.5, bytes=1000),
        begun().client(b'{"id":5,"method":"tools/call","params":{"_meta":{"progressToken":5},"x":NaN}}', 0.5),
    ],
)
def test_a_token_is_not_unknown_whose_request_may_be_missing_or_could_not_be_read(tape: Tape) -> None:
    assert found(tape.server(progress(5), 1)) == []


def test_text_on_stdout_does_not_make_tokens_uncertain() -> None:
    assert [each[0] for each in found(begun().server(b"ready", 0.5).server(progress(5), 1))] == ["PRG001"]


def test_progress_of_a_cancelled_request_is_no_fault() -> None:
    tape = called().client(told("notifications/cancelled", requestId=5), 2)
    assert found(tape.server(progress(7), 3).server(progress(7, 2), 4)) == []
