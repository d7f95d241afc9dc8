"""RES007: result reads like an error, isError is not set."""

from __future__ import annotations

import pytest

from mcp_tap.rules.results.res007_failure_as_success import READS_LIKE_AN_ERROR
from tests.diagnosis.checking import findings_of, held
from tests.record_cases import RECORDINGS
from tests.rules.results.cases import PNG, RULES, found, returned, text


def test_a33_a_failure_as_success() -> None:
    (finding,) = held(findings_of(RECORDINGS / "cases" / "A33.jsonl", RULES))
    assert (finding.rule, finding.severity, finding.culprit, finding.certainty) == (
        "RES007", "warning", "server", "heuristic",
    )  # fmt: skip
    assert (finding.records, finding.key) == ((6,), "health")


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
