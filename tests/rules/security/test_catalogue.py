"""SEC004, SEC005: tools that change within a session, and since the baseline."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.diagnosis.checking import begun
from tests.record_cases import RECORDINGS, Tape, request, result
from tests.rules.security.catalogue_cases import ADD, keys


def nested(depth: int, leaf: str) -> Any:
    """An object in an object in an object…"""
    value: Any = leaf
    for _ in range(depth):
        value = {"a": value}
    return value


def test_schemas_nested_beyond_reading_are_no_obstacle() -> None:
    tape = begun()
    for number, leaf in ((1, "x"), (2, "y")):
        tools = [ADD | {"inputSchema": nested(800, leaf)}]
        line = json.dumps(result(number, tools=tools)).encode()
        tape.client(request(number, "tools/list"), number).server(line, number)
    tape.known_tools = {"add": "sha256:0"}
    assert all(each[0] in ("SEC004", "SEC005") for each in keys(tape))


@pytest.mark.parametrize("path", sorted((RECORDINGS / "v1").glob("*.jsonl")), ids=lambda path: path.stem)
def test_real_servers_do_not_change_their_tools(path: Any) -> None:
    tape = Tape()
    tape.lines = path.read_bytes().splitlines(keepends=True)
    assert keys(tape) == []
