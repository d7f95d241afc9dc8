"""What is taken for a credential, and what is not."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given

from mcp_tap.diagnosis.recognise.credentials import (
    credentials_in,
    in_line,
    is_plausible,
    looks_secret,
    masked,
    masked_value,
    shapes_in,
)
from mcp_tap.record.reader import Record, read_records
from tests.diagnosis.recognise.credentials_cases import GITHUB, LETTERS, URL, WRITTEN, json_values
from tests.record_cases import RECORDINGS


@pytest.mark.parametrize("kind", WRITTEN)
def test_a_token_is_known_by_its_shape_within_a_text(kind: str) -> None:
    assert [each for each, _ in shapes_in(f"take {WRITTEN[kind]} and go")] == [kind]


def test_a_password_in_a_url_is_known() -> None:
    assert list(shapes_in(f"db={URL}")) == [("password in a URL", "s3cr3t-w0rd")]


@pytest.mark.parametrize(
    "value",
    [
        "AKIA" + "IOSFODNN7EXAMPLE",
        "ghp_" + "x" * 36,
        "ghp_" + "1234567890abcdefghijklmnopqrstuvwxyz",
        "Bearer your-token-goes-here-4711",
        "Bearer <token-of-the-service-42>",
        "Bearer authentication-or-authorization",
        "sk-learn-0-24-release-notes-final",
        "task-management-for-the-2nd-quarter",
        "postgres://user:password@localhost/db",
        "postgres://user:${PASSWORD}@localhost/db",
        "postgres://user:[masked]@localhost/db",
        "ssh://git@github.test/x.git",
        "https://x.test:8080/@scope/name",
        "mailto:ann@x.test",
        "-----BEGIN " + "PRIVATE KEY-----\n…\n-----END PRIVATE KEY-----",
        "-----BEGIN PUBLIC KEY-----\n" + LETTERS,
        "ghp_" + "short1",
        "MYAKIA" + "2B7QXK4MNR5TWZ3C",
    ],
)
def test_a_placeholder_or_something_like_a_token_is_none(value: str) -> None:
    assert list(shapes_in(value)) == []


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("password", "correct-horse"),
        ("api_key", "5f2d1c9ab34e"),
        ("X-API-KEY", "5f2d1c9ab34e"),
        ("accessToken", "v2.7fa8b9c0"),
        ("clientSecret", "9f8e7d6c5b4a"),
        ("Authorization", "Basic YW5uOnRyMHVi"),
        ("authorization", "Basic YWxhZGRpbjpvcGVu"),
        ("Cookie", "session=abcdef; theme=dark"),
        ("private_key", "MIIEvQIBADAN4711"),
    ],
)
def test_a_value_is_taken_for_a_credential_by_its_name(name: str, value: str) -> None:
    (each,) = credentials_in({"a": {name: value}}, "arguments")
    assert (each.value, each.path, each.proven) == (
        value.removeprefix("Basic "),
        f"arguments.a.{name}",
        False,
    )


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("password", "short"),
        ("password", "[masked]"),
        ("password", "********"),
        ("password", "your-password"),
        ("password", "<password>"),
        ("password", "password"),
        ("password", "two words"),
        ("api_key", "${API_KEY_2}"),
        ("api_key", "MY_API_KEY_2"),
        ("api_key", "process.env.KEY2"),
        ("token", "/run/secrets/token1"),
        ("token", "checkout-page"),
        ("token", "a token of 2 words"),
        ("Authorization", "Bearer EXAMPLE"),
        ("Authorization", "Bearer xxxxxxxx1"),
        ("cookie", "accept-all-2"),
        ("progressToken", "8f14e45f-ceea-467a"),
        ("nextPageToken", "CAUQAA2938475"),
        ("sync_token", "CAUQAA2938475"),
        ("max_tokens", "1234567890"),
        ("tokenizer", "cl100k_base"),
        ("secretary", "ann-b-4711"),
        ("key", "PROJ-12345"),
        ("password", 12345678),
        ("password", True),
        ("password", None),
        ("password", ["hunter22hunter22"]),
    ],
)
def test_a_value_that_only_has_such_a_name_is_none(name: str, value: Any) -> None:
    assert credentials_in({name: value}) == []


def test_a_value_is_shown_by_its_first_letters_and_its_length() -> None:
    assert masked_value(GITHUB) == "ghp_… (40 characters)"
    assert masked_value("hunter22") == "hu… (8 characters)"
    assert masked_value("\x1b[31m" * 4) == "[31… (20 characters)"


def test_tokens_in_a_text_are_shortened() -> None:
    assert masked(f"take {GITHUB} now") == "take ghp_… (40 characters) now"


def test_a_name_that_is_a_token_is_found_and_not_written_down() -> None:
    (each,) = credentials_in({GITHUB: {"a": 1, "b": "c"}, "x": []}, "arguments")
    assert each.path == "arguments"
    paths = [each.path for each in credentials_in({GITHUB: {"password": "tr0ub4dor"}})]
    assert not any(GITHUB in path for path in paths)


def test_pictures_and_blobs_are_not_searched() -> None:
    picture = {"type": "image", "data": f"{GITHUB} ", "mimeType": "image/png"}
    assert credentials_in([picture, {"uri": "x", "blob": f"{GITHUB} "}]) == []


def test_a_thousand_credentials_are_a_hundred() -> None:
    assert len(credentials_in([URL] * 1000)) == 100


@pytest.mark.parametrize(
    "line",
    [
        '{"X-API-KEY":"5f2d1c9ab34e"}',
        "{'X-API-KEY': '5f2d1c9ab34e'}",
        '{\\"X-API-KEY\\": \\"5f2d1c9ab34e\\"}',
        "x-api-key: 5f2d1c9ab34e",
        "API_KEY=5f2d1c9ab34e npx server",
    ],
)
def test_a_log_line_may_name_a_credential_in_several_ways(line: str) -> None:
    assert [each.value for each in in_line(line)] == ["5f2d1c9ab34e"] or "npx" in line
    assert len(in_line(line)) == 1


@pytest.mark.parametrize(
    "line",
    ["token: 5 of 1024 used", "API_KEY=${KEY_2_OF_3}", "password: asked for", "key 12345678 pressed", ""],
)
def test_a_log_line_that_speaks_of_them_holds_none(line: str) -> None:
    assert in_line(line) == []


def test_a_token_in_a_header_counts_once() -> None:
    assert len(in_line(f"Authorization: Bearer {LETTERS}")) == 1


def test_a_scheme_without_a_value_is_no_credential() -> None:
    assert not is_plausible("authorization", "Bearer authentication")


@given(json_values())
def test_what_is_not_looked_at_holds_nothing(value: Any) -> None:
    for spaces in ((",", ":"), (", ", ": ")):
        payload = json.dumps(value, separators=spaces).encode()
        assert looks_secret(payload) or credentials_in(json.loads(payload)) == []
    assert looks_secret(json.dumps(value, ensure_ascii=False).encode()) or credentials_in(value) == []


def test_slashes_may_be_escaped() -> None:
    for value in (URL, "Bearer a/b/" + LETTERS[:17]):
        assert list(shapes_in(value))
        assert looks_secret(json.dumps({"a": value}).replace("/", "\\/").encode())


@pytest.mark.parametrize("name", ["everything-ts", "git-py1", "time-py1", "filesystem-ts"])
def test_calls_and_results_of_real_servers_are_passed_over(name: str) -> None:
    with (RECORDINGS / "v1" / f"{name}.jsonl").open("rb") as file:
        records = [
            each for each in read_records(file) if isinstance(each, Record) and each.dir in ("c2s", "s2c")
        ]
    small = [each for each in records if len(each.payload) < 1000]
    assert small
    assert not any(looks_secret(each.payload) for each in small)
