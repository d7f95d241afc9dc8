"""SEC001, SEC002, SEC003, SEC012: what is taken for a credential, where, and what is not.

No token stands here whole: it would be taken for a real one by whoever looks for those.
"""

from __future__ import annotations

import json
from typing import Any

import orjson
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mcp_tap.diagnosis.finding import Finding
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
from mcp_tap.rules.security.sec012_elicits_secret import asks_for
from mcp_tap.wire.lines import Segment
from tests.diagnosis.checking import begun, check, closed, rules_of
from tests.record_cases import RECORDINGS, Tape, error, modern, request, result, told

RULES = rules_of("SEC001", "SEC002", "SEC003", "SEC012")

LETTERS = "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"
GITHUB = "ghp_" + LETTERS
TOKENS = {
    "private key": "-----BEGIN " + "RSA PRIVATE KEY-----\n" + LETTERS * 2,
    "AWS access key": "AKIA" + "2B7QXK4MNR5TWZ3C",
    "GitHub token": GITHUB,
    "API key": "sk-" + "ant-api03-" + LETTERS,
    "Slack token": "xoxb-" + "2384723847-a8sd7f6a",
    "Google API key": "AIza" + LETTERS[:35],
    "GitLab token": "glpat-" + LETTERS[:20],
    "npm token": "npm_" + LETTERS,
    "Stripe key": "sk_live_" + LETTERS,
    "JSON Web Token": f"eyJhbGciOiJ9{LETTERS}.eyJ{LETTERS}.{LETTERS}",
    "bearer token": LETTERS,
}
WRITTEN = TOKENS | {"bearer token": "Bearer " + LETTERS}
URL = "postgres://app:s3cr3t-w0rd@db.test/app"


def found(tape: Tape, rule: str | None = None) -> list[Finding]:
    """What the rules of this family find."""
    return [each for each in check(tape, rules=RULES) if rule in (None, each.rule)]


def lines(tape: Tape, rule: str | None = None) -> list[tuple[str, str, str, str]]:
    """Rule, severity, culprit and message of each finding."""
    return [(each.rule, each.severity, each.culprit, each.message) for each in found(tape, rule)]


def call(arguments: Any, name: str = "fetch") -> Tape:
    """A session with one call of a tool."""
    tape = begun().client(request(5, "tools/call", name=name, arguments=arguments), 1)
    return closed(tape.server(result(5, content=[]), 1.1), 2)


def answer(*content: Any, **more: Any) -> Tape:
    """A session with one result of a tool."""
    tape = begun().client(request(5, "tools/call", name="fetch"), 1)
    return closed(tape.server(result(5, content=list(content), **more), 1.1), 2)


def text(value: str) -> dict[str, Any]:
    """A block of text."""
    return {"type": "text", "text": value}


# What is a credential.


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


# What is looked at first.


def json_values() -> st.SearchStrategy[Any]:
    """JSON in which credentials, and what is like them, are frequent."""
    names = [
        "password",
        "API_KEY",
        "apiKey",
        "api-key",
        "Authorization",
        "cookie",
        "private_key",
        "privateKey",
    ]
    names += ["token", "progressToken", "clientSecret", "passwd", "passphrase", "name", "a"]
    values = [
        *WRITTEN.values(),
        URL,
        "tr0ub4dor&3",
        'quo"te\\d1234',
        "a=b; c=12345",
        "Basic YW5uOnRyMHVi",
        "ä1" * 9,
    ]
    values += ['https://ann:p"w/d@x', "Bearer a/b+c~d." + LETTERS, "é" * 8 + "1", "\n\t\x01\x02345678", "x"]
    leaves = st.sampled_from(values) | st.text(max_size=20) | st.integers() | st.none() | st.booleans()
    keys = st.sampled_from(names) | st.text(max_size=5) | st.just(GITHUB)
    return st.recursive(
        leaves,
        lambda inner: st.lists(inner, max_size=3) | st.dictionaries(keys, inner, max_size=3),
        max_leaves=8,
    )


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


# SEC001.


def test_a_token_in_arguments_is_an_error_of_the_client() -> None:
    assert lines(call({"headers": [{"X": GITHUB}]})) == [
        (
            "SEC001",
            "error",
            "client",
            "client passed a GitHub token to tool `fetch` in arguments.headers[0].X: ghp_… (40 characters)",
        ),
        (
            "SEC003",
            "info",
            "undecided",
            "recording holds values that look like credentials (1): in tool arguments",
        ),
    ]


def test_a_password_in_arguments_only_looks_like_one() -> None:
    (each,) = found(call({"password": "tr0ub4dor&3"}), "SEC001")
    assert (each.severity, each.culprit, each.certainty) == ("warning", "undecided", "heuristic")
    assert each.message == (
        "client passed what looks like a credential to tool `fetch` in arguments.password: "
        "tr… (11 characters)"
    )
    assert each.records == (5,)


def test_the_secret_is_nowhere_in_the_finding() -> None:
    for token in TOKENS.values():
        for each in found(call({"text": f"Bearer {token}", GITHUB: "x"})):
            assert token not in repr(each)
            assert GITHUB not in repr(each)


def test_the_same_argument_in_many_calls_is_one_finding() -> None:
    tape = begun()
    for number in range(4):
        tape.client(request(number + 5, "tools/call", name="fetch", arguments={"a": [URL]}), 1)
        tape.server(result(number + 5, content=[]), 1)
    (each,) = found(tape, "SEC001")
    assert (each.count, each.key) == (4, "fetch arguments.a[]")
    assert each.message.endswith("(4 times)")


@pytest.mark.parametrize("params", [{}, {"name": 5, "arguments": 7}, {"name": "x", "arguments": {"p": "q"}}])
def test_a_call_without_a_credential_is_silent(params: dict[str, Any]) -> None:
    assert lines(begun().client(request(5, "tools/call", **params), 1)) == []


def test_a_call_without_a_name_is_told_all_the_same() -> None:
    tape = begun().client(request(5, "tools/call", arguments={"a": URL}), 1)
    assert "tool `?`" in found(tape, "SEC001")[0].message


def test_a_long_name_is_shortened() -> None:
    assert f"`{'x' * 59}…`" in found(call({"a": URL}, name="x" * 100), "SEC001")[0].message


def test_a_line_in_parts_is_read_whole() -> None:
    line = orjson.dumps(request(5, "tools/call", name="fetch", arguments={"a": URL}))
    tape = begun().line("c2s", Segment((line[:60],), more=True), 1)
    tape.line("c2s", Segment((line[60:],), newline=True), 1.1)
    assert [each[0] for each in lines(tape)] == ["SEC001", "SEC003"]


# SEC002.


def test_a_token_in_a_result_is_a_warning() -> None:
    (each,) = found(answer(text("a"), text(f"see {URL}")), "SEC002")
    assert (each.severity, each.culprit, each.certainty, each.records) == (
        "warning",
        "server",
        "proven",
        (6,),
    )
    assert each.message == (
        "the result of tools/call `fetch` holds a password in a URL in content[1].text: s3… (11 characters)"
    )


def test_a_value_with_such_a_name_in_a_result_is_information() -> None:
    (each,) = found(answer(structuredContent={"token": "v2.7fa8b9c0"}), "SEC002")
    assert (each.severity, each.certainty) == ("info", "heuristic")


def test_resources_prompts_logs_and_errors_are_looked_at() -> None:
    tape = begun().client(request(1, "resources/read", uri="db://x"), 1)
    tape.server(result(1, contents=[{"uri": "db://x", "text": URL}]), 1.1)
    tape.client(request(2, "prompts/get", name="p"), 1.2)
    tape.server(result(2, messages=[{"role": "user", "content": text(URL)}]), 1.3)
    tape.server(told("notifications/message", level="info", data={"url": URL}), 1.4)
    tape.client(request(3, "tools/list"), 1.5).server(error(3, -32603, f"no {URL}"), 1.6)
    assert sorted(each.message.split(" holds")[0] for each in found(tape, "SEC002")) == [
        "a log message",
        "the error of `tools/list`",
        "the result of prompts/get `p`",
        "the result of resources/read `db://x`",
    ]


def test_lists_and_the_clients_own_answers_are_no_output() -> None:
    tape = begun().client(request(1, "tools/list"), 1)
    tape.server(result(1, tools=[{"name": "a", "description": URL}]), 1.1)
    tape.server(request(7, "roots/list"), 1.2).client(result(7, roots=[{"uri": URL}]), 1.3)
    tape.client(told("notifications/message", data=URL), 1.4).server(
        told("notifications/progress", data=URL), 1.5
    )
    assert found(tape, "SEC002") == []


# SEC003.


def test_the_recording_counts_different_values_wherever_they_are() -> None:
    key = "5f2d1c9ab34e"
    tape = Tape().start(argv=["notes", "--url", URL, "--token", "[masked]", 5])
    tape.stderr(f'Using headers: {{"X-API-KEY":"{key}"}}', 0.5).stderr("API_KEY=[masked]", 0.6)
    tape.client(request(5, "tools/call", name="a", arguments={"url": URL, "token": GITHUB}), 1)
    (each,) = found(tape, "SEC003")
    assert each.message == (
        "recording holds values that look like credentials (3): in the command line, stderr, tool arguments"
    )
    assert (each.severity, each.records, each.count) == ("info", (0, 2, 4), 3)
    assert key not in repr(each)


def test_many_places_are_counted() -> None:
    tape = begun().client(request(1, "tools/list"), 1).server(result(1, a=URL), 1.1)
    tape.client(told("notifications/a", a=URL), 1.2).server(told("notifications/b", a=URL), 1.3)
    tape.server(result(99, a=URL), 1.4).stderr(URL, 1.5)
    (each,) = found(tape, "SEC003")
    assert each.message.endswith(
        "(1): in answers to tools/list, notifications/a, notifications/b and 2 more places"
    )


@pytest.mark.parametrize("argv", [["notes", "--token", "[masked]", "TOKEN=[masked]"], "notes", None, [None]])
def test_what_the_tap_has_masked_is_no_finding(argv: Any) -> None:
    assert lines(Tape().start(argv=argv)) == []


def test_placeholders_as_in_the_case_of_the_list_are_silent() -> None:
    assert recorded(b"") == []


def test_secrets_in_logs_a34() -> None:
    assert recorded(b"8f14e45fceea167a") == [
        (
            "SEC001",
            "warning",
            (5,),
            "client passed what looks like a credential to tool `fetch` in arguments.headers.Authorization: "
            "8f14… (16 characters)",
        ),
        (
            "SEC003",
            "info",
            (5, 6),
            "recording holds values that look like credentials (2): in tool arguments, stderr",
        ),
    ]


def recorded(value: bytes) -> list[tuple[str, str, tuple[int, ...], str]]:
    """What is found in the recording of case A34, with ``value`` for its placeholders (if not empty)."""
    tape = Tape()
    raw = (RECORDINGS / "cases" / "A34.jsonl").read_bytes()
    if value:
        raw = raw.replace(b"Bearer EXAMPLE", b"Bearer " + value).replace(b"EXAMPLE", value[::-1])
    tape.lines = raw.splitlines(keepends=True)
    return [(each.rule, each.severity, each.records, each.message) for each in found(tape)]


# SEC012.


def asks(properties: Any, **more: Any) -> Tape:
    """A session in which the server asks for input by a form."""
    schema = {"type": "object", "properties": properties}
    return begun(client={"elicitation": {}}).server(
        request(7, "elicitation/create", message="?", requestedSchema=schema, **more), 1
    )


def test_a_form_that_asks_for_a_password_is_an_error() -> None:
    assert lines(asks({"user": {"type": "string"}, "password": {"type": "string"}})) == [
        (
            "SEC012",
            "error",
            "server",
            "server asks the user for `password` in a form, which looks like a secret",
        )
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


# All of them.


@pytest.mark.parametrize("path", sorted((RECORDINGS / "v1").glob("*.jsonl")), ids=lambda path: path.stem)
def test_real_sessions_hold_no_credentials(path: Any) -> None:
    tape = Tape()
    tape.lines = path.read_bytes().splitlines(keepends=True)
    assert lines(tape) == []


@given(st.lists(st.tuples(st.booleans(), json_values()), max_size=6))
def test_nothing_that_is_said_is_an_obstacle(said: list[tuple[bool, Any]]) -> None:
    tape = begun()
    for number, (by_client, value) in enumerate(said):
        method = ("tools/call", "elicitation/create", "resources/read")[number % 3]
        asked = {"jsonrpc": "2.0", "id": number, "method": method, "params": value}
        answered = {"jsonrpc": "2.0", "id": number, "result" if number % 2 else "error": value}
        one, other = (json.dumps(each).encode() for each in (asked, answered))
        tape.client(one if by_client else other, 1).server(other if by_client else one, 1)
    for each in found(tape):
        assert GITHUB not in repr(each)
