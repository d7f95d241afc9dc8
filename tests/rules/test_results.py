"""RES: what tools, prompts and resources answer."""

from __future__ import annotations

from typing import Any

import pytest

from mcp_tap.rules.results.res003_invalid_base64 import BASE64_LOOKED_AT
from mcp_tap.rules.results.res006_tool_failed import OPEN_KEPT
from mcp_tap.rules.results.res007_failure_as_success import READS_LIKE_AN_ERROR
from tests.diagnosis.checking import begun, check, closed, findings_of, rules_of
from tests.record_cases import RECORDINGS, Tape, error, modern, request, result

RULES = rules_of("RES001", "RES002", "RES003", "RES005", "RES006", "RES007")

PNG = "iVBORw0KGgo="
Told = tuple[str, str, str, tuple[int, ...], str]


def found(tape: Tape) -> list[Told]:
    """What the rules of this family find."""
    return [
        (each.rule, each.severity, each.culprit, each.records, each.message)
        for each in check(tape, rules=RULES)
    ]


def returned(version: str = "2025-11-25", tool: str = "find", /, **members: Any) -> Tape:
    """A call (record 5) and its result (record 6)."""
    tape = begun(version).client(request(5, "tools/call", name=tool, arguments={}), 1)
    return tape.server(result(5, **members), 1.1)


def text(words: str) -> list[dict[str, Any]]:
    """Content of one block of text."""
    return [{"type": "text", "text": words}]


def read(*contents: Any) -> Tape:
    """A resource is read."""
    tape = begun().client(request(5, "resources/read", uri="note://1"), 1)
    return tape.server(result(5, contents=list(contents)), 1.1)


def prompt(block: Any) -> Tape:
    """A prompt with one message."""
    tape = begun().client(request(5, "prompts/get", name="greet"), 1)
    return tape.server(result(5, messages=[{"role": "user", "content": block}, 7]), 1.1)


# RES001


@pytest.mark.parametrize(
    ("members", "problem"),
    [
        ({}, "has no content"),
        ({"structuredContent": {}}, "has no content"),
        ({"isError": True}, "has no content"),
        ({"content": None}, "has null for its content, not an array"),
        ({"content": "text"}, 'has "text" for its content, not an array'),
        ({"content": {"type": "text"}}, "has an object for its content, not an array"),
    ],
)
def test_a_tool_result_needs_content(members: dict[str, Any], problem: str) -> None:
    assert [each for each in found(returned(**members)) if each[0] == "RES001"] == [
        ("RES001", "error", "server", (6,), f"result 5 of `find` {problem}")
    ]


def test_a_task_a_question_and_an_error_need_no_content() -> None:
    asks = Tape().start().client(modern(5, "tools/call", name="find", arguments={}), 1)
    asks.server(result(5, resultType="input_required", inputRequests={}), 1.1)
    assert found(asks) == []
    assert found(returned(task={"taskId": "1"})) == []
    assert found(begun().client(request(5, "tools/call", name="find"), 1).server(error(5, -32603), 1.1)) == []
    odd = begun().client(request(5, "tools/call", name="find"), 1)
    assert found(odd.server({"jsonrpc": "2.0", "id": 5, "result": None}, 1.1)) == [], "another finding"


def test_a_call_without_a_name_is_told_by_its_method() -> None:
    tape = begun().client(request(5, "tools/call"), 1).server(result(5), 1.1)
    assert [each[4] for each in found(tape)] == ["result 5 of `tools/call` has no content"]


def test_what_a_client_answers_is_no_tools_result() -> None:
    tape = begun().server(request(1, "tools/call", name="find"), 1)
    tape.client(
        result(
            1, isError=True, content=[{"type": "x"}, {"type": "image"}, {"type": "resource", "resource": {}}]
        ),
        2,
    )
    assert found(tape) == []


# RES002


@pytest.mark.parametrize(
    ("version", "kind", "problem"),
    [
        ("2025-11-25", "json", 'of type "json", which 2025-11-25 does not know'),
        ("2024-11-05", "audio", 'of type "audio", which came with 2025-03-26; the session is 2024-11-05'),
        (
            "2025-03-26",
            "resource_link",
            'of type "resource_link", which came with 2025-06-18; the session is 2025-03-26',
        ),
        ("2025-11-25", None, "without a type"),
        ("2025-11-25", 7, "whose type is 7, not a string"),
    ],
)
def test_a_content_block_has_a_type_that_the_version_knows(version: str, kind: Any, problem: str) -> None:
    block = {"type": kind, "data": PNG, "mimeType": "audio/wav"}
    assert found(returned(version, content=[block])) == [
        ("RES002", "error", "server", (6,), f"result 5 of `find` has a content block {problem}")
    ]


def test_known_types_masked_ones_and_what_is_no_block_are_silent() -> None:
    blocks = [
        {"type": "audio", "data": PNG, "mimeType": "audio/wav"},
        {"type": "resource_link", "uri": "note://1", "name": "1"},
        {"type": "[masked]"},
        7,
    ]
    assert found(returned(content=blocks)) == []
    assert found(returned("2099-01-01", content=[{"type": "json"}])) == []


def test_a_prompt_has_content_blocks_too_and_equal_ones_are_one_finding() -> None:
    assert [(each[0], each[4]) for each in found(prompt({"type": "json"}))] == [
        ("RES002", 'result 5 of `greet` has a content block of type "json", which 2025-11-25 does not know')
    ]
    assert [each[3] for each in found(returned(content=[{"type": "json"}, {"type": "json"}]))] == [(6, 6)]


# RES003


@pytest.mark.parametrize(
    ("data", "problem"),
    [
        ("data:image/png;base64," + PNG, "whose data begins with data:, which is a URL and not base64"),
        ("iVBORw0K\nGgo=", "whose data is not base64: it has line breaks"),
        ("iVBOR-0KGgo=", "whose data is not base64: it has the URL alphabet"),
        ("iVBOR w0KGgo", 'whose data is not base64: it has " "'),
        ("iVBORw0KGgo", "whose data is not base64: 11 characters, no multiple of four (padding?)"),
        ("iV=ORw0KGgo=", "whose data is not base64: it goes on after its padding"),
        ("A===", "whose data is not base64: it goes on after its padding"),
        (None, "without data"),
        ([137, 80], "whose data is an array, not a string"),
    ],
)
def test_an_image_is_base64(data: Any, problem: str) -> None:
    block = {"type": "image", "mimeType": "image/png", "data": data}
    for tape, name in ((returned(content=[block]), "find"), (prompt(block), "greet")):
        assert found(tape) == [
            ("RES003", "error", "server", (6,), f"result 5 of `{name}` has an image {problem}")
        ]


def test_an_image_says_what_it_is() -> None:
    assert [each[4] for each in found(returned(content=[{"type": "audio", "data": PNG}]))] == [
        "result 5 of `find` has an audio without a mimeType"
    ]


def test_a_blob_is_base64_wherever_it_is() -> None:
    message = "whose data is not base64: it has line breaks"
    blob = {"uri": "note://1", "blob": "AAAA\nAAAA"}
    assert [each[4] for each in found(read(blob, 7))] == [f"result 5 of `note://1` has a blob {message}"]
    assert [each.key for each in check(read(blob), rules=RULES)] == ["resources/read blob"]
    embedded = returned(content=[{"type": "resource", "resource": blob}])
    assert [each[4] for each in found(embedded)] == [f"result 5 of `find` has a blob {message}"]


@pytest.mark.parametrize("data", [PNG, "", "AAAA", "AAA=", "[masked]", "A" * 3 * BASE64_LOOKED_AT])
def test_base64_and_what_was_masked_is_silent(data: str) -> None:
    assert found(returned(content=[{"type": "image", "mimeType": "image/png", "data": data}])) == []


def test_of_long_data_both_ends_are_looked_at() -> None:
    size = 3 * BASE64_LOOKED_AT
    for data in ("\n" + "A" * (size - 1), "A" * (size - 1) + "\n", "=" + "A" * (size - 1)):
        assert len(found(returned(content=[{"type": "image", "mimeType": "image/png", "data": data}]))) == 1


# RES005


def test_contents_of_a_resource_have_text_or_blob() -> None:
    message = "has contents with neither text nor blob"
    assert found(read({"uri": "note://1"})) == [
        ("RES005", "error", "server", (6,), f"result 5 of `note://1` {message}")
    ]
    assert [
        each[4] for each in found(returned(content=[{"type": "resource", "resource": {"uri": "note://1"}}]))
    ] == [f"result 5 of `find` {message}"]
    assert (
        found(
            read({"uri": "note://1", "text": ""}, {"uri": "note://2", "blob": ""}, {"uri": "3", "text": None})
        )
        == []
    )


# RES006


def failed(tape: Tape, id: int, words: str, **arguments: Any) -> Tape:
    """A call that fails."""
    tape.client(request(id, "tools/call", name="read", arguments=arguments), id)
    return tape.server(result(id, content=text(words), isError=True), id + 0.1)


def test_a_tool_that_failed_is_told_with_what_it_was_given_and_what_it_said() -> None:
    message = 'tool `read` reported failure for {"path":"/a"}: \'no such file\''
    assert found(failed(begun(), 5, "no such\nfile", path="/a")) == [
        ("RES006", "info", "server", (6,), message)
    ]


def test_failures_of_one_tool_are_one_finding() -> None:
    tape = failed(failed(begun(), 5, "one", path="/a"), 6, "two", path="/b")
    ((_, _, _, records, message),) = found(tape)
    assert records == (6, 8)
    assert message == 'tool `read` reported failure 2 times, first for {"path":"/a"}: \'one\''


def test_secrets_in_arguments_are_masked_and_long_ones_shortened() -> None:
    ((_, _, _, _, message),) = found(failed(begun(), 5, "no", api_key="hunter2", path="/" + "a" * 100))
    assert message.startswith('tool `read` reported failure for {"api_key":"[masked]","path":"/aaa')
    assert len(message) < 140


def test_a_failure_without_text_or_arguments_is_told_without() -> None:
    tape = (
        begun()
        .client(request(5, "tools/call", name="read"), 1)
        .server(result(5, content=[], isError=True), 1.1)
    )
    assert found(tape)[0][4] == "tool `read` reported failure for no arguments"
    tape = begun().client(request(5, "tools/call", name="read"), 1)
    tape.server(result(5, content=[{"type": "text", "text": 7}], isError=True), 1.1)
    assert found(tape)[0][4] == "tool `read` reported failure for no arguments"


def test_arguments_are_kept_of_so_many_open_calls() -> None:
    tape = begun()
    for id in range(OPEN_KEPT + 1):
        tape.client(request(id + 5, "tools/call", name="read", arguments={"n": id}), 1)
    tape.server(result(5, content=[], isError=True), 2)
    assert found(tape)[0][4] == "tool `read` reported failure for no arguments"


# RES007


def test_a33_a_failure_as_success() -> None:
    (finding,) = findings_of(RECORDINGS / "cases" / "A33.jsonl", RULES)
    assert (finding.rule, finding.severity, finding.culprit, finding.certainty) == (
        "RES007", "warning", "server", "heuristic",
    )  # fmt: skip
    assert (finding.records, finding.key) == ((6,), "health")
    assert finding.message == (
        "result 5 of `health` reads like an error but isError is not set: 'Error executing Health: 401'"
    )


@pytest.mark.parametrize(
    "words",
    [
        "Error: not found",
        "  ERROR: not found",
        "[ERROR] not found: x",
        "❌ Error: no",
        "ValueError: bad",
        "Traceback (most recent call last):\n  File",
        "java.lang.NullPointerException: null",
        'Exception in thread "main"',
        "Error (404): gone",
        "Error -32602: bad",
        "Error while reading the page: timeout",
        "MCP error -32603: no",
        "HTTP 404 Not Found",
        "HTTP/1.1 503 Service Unavailable",
        "HTTP error 500",
        "Request failed with status code 401",
        "404 Client Error: Not Found for url",
        "502 Bad Gateway",
    ],
)
def test_a_text_that_begins_like_a_failure_reads_like_one(words: str) -> None:
    assert [each[0] for each in found(returned(content=text(words)))] == ["RES007"]


@pytest.mark.parametrize(
    "words",
    [
        "",
        "Errors: 0",
        "Error handling in Go",
        "Error rate: 0 %",
        "No error: all is well",
        "found 3 files\nError: x",
        "Error",
        "The server said: HTTP 404",
        "404 pages were indexed",
        "HTTP 200 OK",
        "Exceptional: yes",
        "def f():\n    raise ValueError: x",
        "x" * 300 + "Error: no",
    ],
)
def test_a_text_that_only_mentions_a_failure_does_not(words: str) -> None:
    assert found(returned(content=text(words))) == []


def test_of_a_tool_that_hands_on_what_others_wrote_it_is_information() -> None:
    for tool in ("read_file", "search", "web.fetch_url", "run-tests"):
        assert [each[1] for each in found(returned("2025-11-25", tool, content=text("Error: x")))] == [
            "info"
        ], tool
    for tool in ("health", "create_thread", "showcase"):
        assert [each[1] for each in found(returned("2025-11-25", tool, content=text("Error: x")))] == [
            "warning"
        ], tool


def test_a_failure_that_says_so_and_another_block_first_are_silent() -> None:
    assert [each[0] for each in found(returned(content=text("Error: x"), isError=True))] == ["RES006"]
    image = {"type": "image", "mimeType": "image/png", "data": PNG}
    assert found(returned(content=[image, *text("Error: x")])) == []


def test_looking_for_an_error_takes_no_time_whatever_the_text() -> None:
    for words in ("a." * 100, "Error executing " + "x" * 184, "[" * 200, " " * 200):
        assert READS_LIKE_AN_ERROR.match(words[:200]) is None


@pytest.mark.parametrize("path", sorted((RECORDINGS / "v1").glob("*.jsonl")), ids=lambda path: path.stem)
def test_real_sessions_have_tools_that_fail_and_no_other_fault_of_this_family(path: Any) -> None:
    assert {each.rule for each in findings_of(path, RULES)} <= {"RES006"}


def test_a_gap_or_a_missing_start_makes_no_finding() -> None:
    tape = (
        Tape().server(result(5, structuredContent={}), 1).event("gap", 1, records=1, bytes=9, reason="ENOSPC")
    )
    assert found(closed(tape, 2)) == []
