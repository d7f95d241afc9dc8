"""What is taken for an order to a model, and what nobody sees."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mcp_tap.diagnosis.recognise.phrases import instruction_in, invisible_in, looks_instructed, readable
from tests.record_cases import RECORDINGS

PIECES = [
    *("ignore", "Disregard", "forget", "OVERRIDE", "previous", "prior", "system", "instructions", "prompt"),
    *("rules", "do not", "do\nnot", "don't", "don’t", "never", "tell", "mention", "reveal", "inform"),
    *(
        "the user",
        "to them",
        "any human",
        "ever",
        "under any circumstances",
        ".",
        ",",
        "\t",
        "é",
        "😀",
        "x",
        "\\",
    ),
]


@given(st.lists(st.sampled_from(PIECES), min_size=2, max_size=12).map(" ".join))
def test_what_is_not_looked_at_holds_no_order(text: str) -> None:
    for ascii_only in (False, True):
        payload = json.dumps({"text": text}, ensure_ascii=ascii_only).encode()
        assert looks_instructed(payload) or instruction_in(text) is None


@pytest.mark.parametrize(
    "name", ["everything-ts", "git-py1", "time-py1", "filesystem-ts", "everything-ts-asks"]
)
def test_what_real_servers_say_is_passed_over(name: str) -> None:
    for line in (RECORDINGS / "v1" / f"{name}.jsonl").read_bytes().splitlines():
        assert not looks_instructed(line)


def test_invisible_characters_are_left_out_of_what_is_read() -> None:
    assert readable("pl\u200bain") == "plain"
    assert readable("ﬁle") == "file"
    assert invisible_in("plain") is None
