"""RES002: unknown type of content block."""

from __future__ import annotations

from typing import Any

import pytest

from tests.rules.results.cases import PNG, found, prompt, returned


@pytest.mark.parametrize(
    ("version", "kind", "key"),
    [
        ("2025-11-25", "json", "find json"),
        ("2024-11-05", "audio", "find audio"),
        ("2025-03-26", "resource_link", "find resource_link"),
        ("2025-11-25", None, "find "),
        ("2025-11-25", 7, "find "),
    ],
)
def test_a_content_block_has_a_type_that_the_version_knows(version: str, kind: Any, key: str) -> None:
    block = {"type": kind, "data": PNG, "mimeType": "audio/wav"}
    assert found(returned(version, content=[block])) == [("RES002", "error", "server", (6,), key)]


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
    assert [(each[0], each[4]) for each in found(prompt({"type": "json"}))] == [("RES002", "greet json")]
    assert [each[3] for each in found(returned(content=[{"type": "json"}, {"type": "json"}]))] == [(6, 6)]
