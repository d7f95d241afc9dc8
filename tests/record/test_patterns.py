"""Patterns that are compiled when they are used."""

from __future__ import annotations

import re

import pytest

from mcp_tap.record.patterns import lazy


def test_a_pattern_does_what_a_compiled_one_does() -> None:
    pattern = lazy(r"b+", re.IGNORECASE)
    found = pattern.search("aBBc")
    assert found is not None
    assert (found[0], pattern.sub("", "abB"), pattern.pattern) == ("BB", "a", "b+")


def test_bytes_have_patterns_too() -> None:
    assert lazy(rb"\d+").findall(b"1 22") == [b"1", b"22"]


def test_it_is_compiled_when_it_is_first_used_and_once(monkeypatch: pytest.MonkeyPatch) -> None:
    compiled: list[object] = []
    real = re.compile

    def noted(*words: object) -> object:
        compiled.append(words)
        return real(*words)  # type: ignore[call-overload]  # passed on as it is

    monkeypatch.setattr(re, "compile", noted)
    pattern = lazy("x")
    assert compiled == []
    for _ in range(3):
        assert pattern.match("x")
    assert len(compiled) == 1
