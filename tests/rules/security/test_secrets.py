"""SEC001, SEC002, SEC003, SEC012: what is taken for a credential, where, and what is not.

No token stands here whole: it would be taken for a real one by whoever looks for those."""

from __future__ import annotations

import json
from typing import Any

import orjson
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mcp_tap.wire.lines import Segment
from tests.diagnosis.checking import begun, check
from tests.diagnosis.recognise.credentials_cases import GITHUB, TOKENS, URL, json_values
from tests.record_cases import RECORDINGS, Tape, request
from tests.rules.security.secrets_cases import RULES, call, found, lines


def test_the_secret_is_nowhere_in_the_finding() -> None:
    for token in TOKENS.values():
        for each in found(call({"text": f"Bearer {token}", GITHUB: "x"})):
            assert token not in repr(each)
            assert GITHUB not in repr(each)


def test_a_line_in_parts_is_read_whole() -> None:
    line = orjson.dumps(request(5, "tools/call", name="fetch", arguments={"a": URL}))
    tape = begun().line("c2s", Segment((line[:60],), more=True), 1)
    tape.line("c2s", Segment((line[60:],), newline=True), 1.1)
    assert [each[0] for each in lines(tape)] == ["SEC001", "SEC003"]


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
            "fetch arguments.headers.Authorization",
        ),
        (
            "SEC003",
            "info",
            (5, 6),
            "",
        ),
    ]


def recorded(value: bytes) -> list[tuple[str, str, tuple[int, ...], str]]:
    """What is found in the recording of case A34, with ``value`` for its placeholders (if not empty)."""
    tape = Tape()
    raw = (RECORDINGS / "cases" / "A34.jsonl").read_bytes()
    if value:
        raw = raw.replace(b"Bearer EXAMPLE", b"Bearer " + value).replace(b"EXAMPLE", value[::-1])
    tape.lines = raw.splitlines(keepends=True)
    return [(each.rule, each.severity, each.records, each.key) for each in found(tape)]


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
    for each in check(tape, rules=RULES):
        assert GITHUB not in repr(each)
