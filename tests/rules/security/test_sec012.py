"""SEC012: elicitation asks for a secret."""

from __future__ import annotations

from typing import Any

import pytest

from mcp_tap.rules.security.sec012_elicits_secret import asks_for
from tests.diagnosis.checking import begun
from tests.record_cases import Tape, modern, request, result
from tests.rules.security.secrets_cases import lines


def asks(properties: Any, **more: Any) -> Tape:
    """A session in which the server asks for input by a form."""
    schema = {"type": "object", "properties": properties}
    return begun(client={"elicitation": {}}).server(
        request(7, "elicitation/create", message="?", requestedSchema=schema, **more), 1
    )


def test_a_form_that_asks_for_a_password_is_an_error() -> None:
    assert lines(asks({"user": {"type": "string"}, "password": {"type": "string"}})) == [
        ("SEC012", "error", "server", "password")
    ]


@pytest.mark.parametrize(
    "name", ["apiKey", "api_key", "client-secret", "creditCard", "card_number", "SSN", "cvv"]
)
def test_names_of_secrets_are_known_however_they_are_written(name: str) -> None:
    assert asks_for(name, {"type": "string"}) == "error"


@pytest.mark.parametrize("name", ["token", "accessToken", "card", "pin"])
def test_names_with_several_meanings_are_a_warning(name: str) -> None:
    assert asks_for(name, {"type": "string"}) == "warning"


@pytest.mark.parametrize(
    ("name", "field"),
    [
        ("discard", {"type": "string"}),
        ("spin", {"type": "string"}),
        ("max_tokens", {"type": "integer"}),
        ("secret_name", {"type": "string"}),
        ("reset_password", {"type": "string"}),
        ("hasPassword", {"type": "string"}),
        ("password", {"type": "boolean"}),
        ("card", {"type": "string", "enum": ["ace", "king"]}),
        ("token", {"type": "string", "oneOf": [{"const": "a"}]}),
        ("token", 5),
    ],
)
def test_what_only_sounds_like_a_secret_may_be_asked_for(name: str, field: Any) -> None:
    assert asks_for(name, field) is None


def test_a_form_in_a_result_is_a_form_too() -> None:
    schema = {"type": "object", "properties": {"password": {"type": "string"}}}
    form = {"method": "elicitation/create", "params": {"message": "?", "requestedSchema": schema}}
    others = {"b": {"method": "roots/list"}, "c": 5, "d": {"method": "elicitation/create", "params": 5}}
    tape = Tape().start().client(modern(1, "tools/call", name="a"), 1)
    tape.server(result(1, resultType="input_required", inputRequests={"a": form, **others}), 1.1)
    assert [each[:2] for each in lines(tape)] == [("SEC012", "error")]


@pytest.mark.parametrize("params", [{}, {"requestedSchema": 5}, {"requestedSchema": {"properties": []}}])
def test_a_form_without_properties_is_silent(params: dict[str, Any]) -> None:
    assert lines(begun().server(request(7, "elicitation/create", **params), 1)) == []


def test_a_form_in_a_version_without_forms_is_not_judged() -> None:
    schema = {"properties": {"password": {"type": "string"}}}
    tape = begun("2025-03-26").server(request(7, "elicitation/create", requestedSchema=schema), 1)
    assert lines(tape) == []


def test_a_client_cannot_ask_for_input() -> None:
    schema = {"properties": {"password": {"type": "string"}}}
    assert lines(begun().client(request(7, "elicitation/create", requestedSchema=schema), 1)) == []
