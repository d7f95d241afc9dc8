"""SEC006 to SEC009, SEC011: orders to the model, and what nobody sees."""

from __future__ import annotations

import json
import time
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mcp_tap.diagnosis.recognise.phrases import instruction_in, looks_instructed
from tests.diagnosis.checking import begun, check
from tests.record_cases import RECORDINGS, Tape, request, result
from tests.rules.security.injection_cases import ORDER, RULES, rules, tool


def test_a_megabyte_of_beginnings_takes_no_time() -> None:
    began = time.process_time()
    for text in (
        "ignore previous " * 60_000,
        "never tell " * 90_000,
        "do not, " * 120_000,
        "you are a " * 90_000,
    ):
        looks_instructed(text.encode())
        instruction_in(text)
        rules(tool(text))
    assert time.process_time() - began < 10


@pytest.mark.parametrize("path", sorted((RECORDINGS / "v1").glob("*.jsonl")), ids=lambda path: path.stem)
def test_real_servers_give_no_orders(path: Any) -> None:
    tape = Tape()
    tape.lines = path.read_bytes().splitlines(keepends=True)
    assert rules(tape) == []


@given(
    st.lists(
        st.recursive(
            st.text(max_size=8) | st.integers() | st.none() | st.just(ORDER),
            lambda inner: (
                st.lists(inner, max_size=3)
                | st.dictionaries(
                    st.sampled_from(["name", "uri", "description", "inputSchema"]), inner, max_size=3
                )
            ),
            max_leaves=8,
        ),
        max_size=4,
    )
)
def test_nothing_that_is_listed_is_an_obstacle(items: list[Any]) -> None:
    for method in ("tools/list", "prompts/list", "tools/call"):
        tape = begun().client(request(1, method), 1)
        listed = result(1, tools=items, prompts=items, content=items, instructions=items)
        check(tape.server(json.dumps(listed).encode(), 1.1), rules=RULES)
