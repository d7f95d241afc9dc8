"""SEC001: credential in tool arguments."""

from __future__ import annotations

from typing import Any

import pytest

from tests.diagnosis.checking import begun
from tests.diagnosis.recognise.credentials_cases import GITHUB, URL
from tests.record_cases import request, result
from tests.rules.security.secrets_cases import call, found, lines


def test_a_token_in_arguments_is_an_error_of_the_client() -> None:
    assert lines(call({"headers": [{"X": GITHUB}]})) == [
        ("SEC001", "error", "client", "fetch arguments.headers[].X"),
        ("SEC003", "info", "undecided", ""),
    ]


def test_a_password_in_arguments_only_looks_like_one() -> None:
    (each,) = found(call({"password": "tr0ub4dor&3"}), "SEC001")
    assert (each.severity, each.culprit, each.certainty) == ("warning", "undecided", "heuristic")
    assert (each.records, each.key) == ((5,), "fetch arguments.password")


def test_the_same_argument_in_many_calls_is_one_finding() -> None:
    tape = begun()
    for number in range(4):
        tape.client(request(number + 5, "tools/call", name="fetch", arguments={"a": [URL]}), 1)
        tape.server(result(number + 5, content=[]), 1)
    (each,) = found(tape, "SEC001")
    assert (each.count, each.key) == (4, "fetch arguments.a[]")


@pytest.mark.parametrize("params", [{}, {"name": 5, "arguments": 7}, {"name": "x", "arguments": {"p": "q"}}])
def test_a_call_without_a_credential_is_silent(params: dict[str, Any]) -> None:
    assert lines(begun().client(request(5, "tools/call", **params), 1)) == []


def test_a_call_without_a_name_is_told_all_the_same() -> None:
    tape = begun().client(request(5, "tools/call", arguments={"a": URL}), 1)
    assert found(tape, "SEC001")[0].key == "? arguments.a"


def test_a_long_name_is_shortened() -> None:
    assert f"`{'x' * 59}…`" in found(call({"a": URL}, name="x" * 100), "SEC001")[0].message
